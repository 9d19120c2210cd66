[Kernel "mixed"] needs 64-bit floats, which MSL lacks.
