[Kernel "together"] needs subgroups, which GLSL lacks.
