[Kernel "together"] needs 64-bit integers, which WGSL lacks.
