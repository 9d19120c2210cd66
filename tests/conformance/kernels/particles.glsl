// Moves particles by one step: structs in a buffer, and a struct by value.
layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = COLLET_GROUP_Z) in;
struct Particle { float x; float y; float z; uint id; };
layout(std430, binding = 0) buffer Buffer0 { Particle particles[]; };
layout(std140, binding = 0) uniform Constants { float dt; float vx; float vy; float vz; uint stride; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  particles[i].x += dt * vx;
  particles[i].y += dt * vy;
  particles[i].z += dt * vz;
  particles[i].id += stride * i;
}
