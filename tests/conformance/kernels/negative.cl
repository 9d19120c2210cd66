// A negative constant as a float.
__kernel void negative(__global float* y, uint count) {
  const uint i = get_global_id(0);
  const int constant_ = -5;
  if (i < count) y[i] = (float)constant_;
}
