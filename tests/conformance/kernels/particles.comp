// Moves particles by one step: structs in a buffer, and a struct by value.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
struct Particle { float x; float y; float z; uint id; };
layout(std430, set = 0, binding = 0) buffer Buffer0 { Particle particles[]; };
layout(push_constant) uniform Constants { float dt; float vx; float vy; float vz; uint stride; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  particles[i].x += dt * vx;
  particles[i].y += dt * vy;
  particles[i].z += dt * vz;
  particles[i].id += stride * i;
}
