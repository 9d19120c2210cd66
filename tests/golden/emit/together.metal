[Kernel "together"] needs subgroups of 64-bit integers, which MSL lacks.
