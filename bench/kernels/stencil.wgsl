// The mean of a cell and its four neighbours; the border stays as it is.
@group(0) @binding(0) var<storage, read> cells: array<f32>;
@group(0) @binding(1) var<storage, read_write> means: array<f32>;
struct Arguments { width: u32, height: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

@compute @workgroup_size(16, 16)
fn stencil(@builtin(global_invocation_id) id: vec3<u32>) {
  let width = arguments.width;
  let height = arguments.height;
  if (id.x >= width || id.y >= height) { return; }
  let at = id.y * width + id.x;
  var cell = cells[at];
  if (id.x > 0u && id.x + 1u < width && id.y > 0u && id.y + 1u < height) {
    cell = (cell + cells[at - 1u] + cells[at + 1u] + cells[at - width] + cells[at + width]) * 0.2;
  }
  means[at] = cell;
}
