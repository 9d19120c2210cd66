// Rounds until a point of the plane leaves the circle of radius 2.
@group(0) @binding(0) var<storage, read_write> rounds: array<u32>;
struct Arguments { width: u32, height: u32, most: u32 }
@group(0) @binding(1) var<uniform> arguments: Arguments;

@compute @workgroup_size(16, 16)
fn mandelbrot(@builtin(global_invocation_id) at: vec3<u32>) {
  let width = arguments.width;
  let height = arguments.height;
  if (at.x >= width || at.y >= height) { return; }
  let re = f32(at.x) / f32(width) * 3.5 - 2.5;
  let im = f32(at.y) / f32(height) * 2.0 - 1.0;
  var a = 0.0;
  var b = 0.0;
  var round_ = 0u;
  while (round_ < arguments.most && a * a + b * b <= 4.0) {
    let next = a * a - b * b + re;
    b = a * b * 2.0 + im;
    a = next;
    round_++;
  }
  rounds[at.y * width + at.x] = round_;
}
