// Next to nothing, but it shows that it ran: the sum of all steps and the last tag.
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
struct Arguments { step_: u32, tag: u32 }
@group(0) @binding(1) var<uniform> arguments: Arguments;

@compute @workgroup_size(1)
fn count() {
  y[0] += arguments.step_;
  y[1] = arguments.tag;
}
