#version 430
// Next to nothing, but it shows that it ran: the sum of all steps and the last tag.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Y { uint y[]; };
layout(std140, binding = 0) uniform Arguments { uint step_; uint tag; };

void main() {
  y[0] += step_;
  y[1] = tag;
}
