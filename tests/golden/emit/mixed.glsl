[Kernel "mixed"] needs a fused multiply-add of f32, which GLSL lacks.
