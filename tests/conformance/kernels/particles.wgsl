// Moves particles by one step: structs in a buffer, and a struct by value.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
struct Particle { x: f32, y: f32, z: f32, id: u32 }
@group(0) @binding(0) var<storage, read_write> particles_: array<Particle>;
struct Constants { dt: f32, vx: f32, vy: f32, vz: f32, stride: u32, count: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn particles(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i >= constants.count) { return; }
  particles_[i].x += constants.dt * constants.vx;
  particles_[i].y += constants.dt * constants.vy;
  particles_[i].z += constants.dt * constants.vz;
  particles_[i].id += constants.stride * i;
}
