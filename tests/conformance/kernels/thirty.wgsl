// 20 buffers, 9 scalars and the count: result[i] = the sum of (b + 1) * in_b[i] and (1000 + s) * scalar_s.
@id(0) override group_x: u32 = 1;
@id(1) override group_y: u32 = 1;
@id(2) override group_z: u32 = 1;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@group(0) @binding(1) var<storage, read> in0: array<u32>;
@group(0) @binding(2) var<storage, read> in1: array<u32>;
@group(0) @binding(3) var<storage, read> in2: array<u32>;
@group(0) @binding(4) var<storage, read> in3: array<u32>;
@group(0) @binding(5) var<storage, read> in4: array<u32>;
@group(0) @binding(6) var<storage, read> in5: array<u32>;
@group(0) @binding(7) var<storage, read> in6: array<u32>;
@group(0) @binding(8) var<storage, read> in7: array<u32>;
@group(0) @binding(9) var<storage, read> in8: array<u32>;
@group(0) @binding(10) var<storage, read> in9: array<u32>;
@group(0) @binding(11) var<storage, read> in10: array<u32>;
@group(0) @binding(12) var<storage, read> in11: array<u32>;
@group(0) @binding(13) var<storage, read> in12: array<u32>;
@group(0) @binding(14) var<storage, read> in13: array<u32>;
@group(0) @binding(15) var<storage, read> in14: array<u32>;
@group(0) @binding(16) var<storage, read> in15: array<u32>;
@group(0) @binding(17) var<storage, read> in16: array<u32>;
@group(0) @binding(18) var<storage, read> in17: array<u32>;
@group(0) @binding(19) var<storage, read> in18: array<u32>;
struct Constants { s0: u32, s1: u32, s2: u32, s3: u32, s4: u32, s5: u32, s6: u32, s7: u32, s8: u32, count: u32 }
@group(0) @binding(20) var<uniform> constants: Constants;

@compute @workgroup_size(group_x, group_y, group_z)
fn thirty(@builtin(global_invocation_id) item: vec3<u32>) {
  let i = item.x;
  if (i >= constants.count) { return; }
  var sum = 0u;
  sum += 1u * in0[i];
  sum += 2u * in1[i];
  sum += 3u * in2[i];
  sum += 4u * in3[i];
  sum += 5u * in4[i];
  sum += 6u * in5[i];
  sum += 7u * in6[i];
  sum += 8u * in7[i];
  sum += 9u * in8[i];
  sum += 10u * in9[i];
  sum += 11u * in10[i];
  sum += 12u * in11[i];
  sum += 13u * in12[i];
  sum += 14u * in13[i];
  sum += 15u * in14[i];
  sum += 16u * in15[i];
  sum += 17u * in16[i];
  sum += 18u * in17[i];
  sum += 19u * in18[i];
  sum += 1000u * constants.s0;
  sum += 1001u * constants.s1;
  sum += 1002u * constants.s2;
  sum += 1003u * constants.s3;
  sum += 1004u * constants.s4;
  sum += 1005u * constants.s5;
  sum += 1006u * constants.s6;
  sum += 1007u * constants.s7;
  sum += 1008u * constants.s8;
  result[i] = sum;
}
