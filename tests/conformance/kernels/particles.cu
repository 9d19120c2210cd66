// Moves particles by one step: structs in a buffer, and a struct by value.
typedef struct {
  float x, y, z;
  uint id;
} Particle;

typedef struct {
  float dt;
  float velocity[3];
  uint stride;
} Step;

extern "C" __global__ void particles(Particle* all, Step step_by, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  all[i].x += step_by.dt * step_by.velocity[0];
  all[i].y += step_by.dt * step_by.velocity[1];
  all[i].z += step_by.dt * step_by.velocity[2];
  all[i].id += step_by.stride * i;
}
