// Fences in a loop that every item leaves at its own time.
__kernel void fences(__global uint* rounds, uint count) {
  const uint i = get_global_id(0);
  if (i >= count) return;
  uint done = 0;
  for (uint k = 0; k <= i; ++k) {
    mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    ++done;
  }
  rounds[i] = done;
}
