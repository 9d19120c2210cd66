// result[i] = words[i]: a block of 256 bytes of constants.
typedef struct {
  uint words[64];
} Block;

__kernel void block(__global uint* result, Block constants) {
  const uint i = get_global_id(0);
  if (i < 64) result[i] = constants.words[i];
}
