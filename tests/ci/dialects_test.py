#!/usr/bin/env python3
"""scripts/check-dialects refuses what each compiler refuses, refusals that nobody listed, and a missing compiler.

usage: dialects_test.py SOURCE_FOLDER REQUIRED [unittest arguments]

REQUIRED names the compilers that must be here, between commas, or is "all". What needs another one is skipped where
scripts/dialect-compilers did not fetch it.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, REQUIRED = pathlib.Path(sys.argv[1]), sys.argv[2].split(",")
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts/dialects"))

from compilers import DIALECTS  # noqa: E402

GLSL = """#version {version}
{precision}layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Block0 {{ uint x[]; }};
shared uint items[64];
void main() {{
  items[gl_LocalInvocationID.x] = x[gl_GlobalInvocationID.x];
  barrier();
  x[gl_GlobalInvocationID.x] = items[63u - gl_LocalInvocationID.x];
}}
"""
C = """extern "C" __global__ void __launch_bounds__(64) collet_k(unsigned* x) {
  __shared__ unsigned all[64];
  all[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * 64 + threadIdx.x] = all[63 - threadIdx.x] + __popc(all[0]);
}
"""
# A kernel that is right, and what makes it wrong: (text, replacement) each.
KERNELS = {
    "opencl": (
        """__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void collet_k(__global uint* x) {
  __local uint all[64];
  all[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = all[63 - get_local_id(0)] + popcount(all[0]);
}
""",
        [("popcount", "popcnt"), ("__local uint all[64]", "__global uint all[64]"), ("uint* x", "uint x")],
    ),
    "glsl-vulkan": (
        GLSL.format(version="450", precision="").replace("(std430,", "(std430, set = 0,"),
        [("63u", "63.5"), ("void main", "void start"), ("450", "430"), ("uint x[]", "int64_t x[]")],
    ),
    "glsl": (
        GLSL.format(version="430", precision=""),
        [("63u", "63.5"), ("void main", "void start"), ("430", "450"), ("uint x[]", "int64_t x[]"), ("(std430,", "(std430, set = 0,")],
    ),
    "gles": (
        GLSL.format(version="310 es", precision="precision highp float;\n"),
        [("63u", "63.5"), ("63u -", "63 -"), ("void main", "void start"), ("310 es", "430"), ("uint x[]", "double x[]")],
    ),
    "cuda": (C, [("__popc", "__popcount"), ("unsigned* x", "unsigned x"), ("threadIdx.x", "get_local_id(0)")]),
    "hip": (C, [("__popc", "__popcount"), ("unsigned* x", "unsigned x"), ("threadIdx.x", "get_local_id(0)")]),
    "wgsl": (
        """@group(0) @binding(0) var<storage, read_write> x: array<u32>;
var<workgroup> all_of_group: array<u32, 64>;
@compute @workgroup_size(64)
fn collet_k(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) {
  all_of_group[l.x] = x[g.x];
  workgroupBarrier();
  x[g.x] = all_of_group[63u - l.x] + countOneBits(all_of_group[0]);
}
""",
        [("63u", "63.5f"), ("countOneBits", "popcount"), ("read_write", "read"), ("array<u32>", "array<u64>")],
    ),
    "msl": (
        """#include <metal_stdlib>
using namespace metal;
constant uint table[2] = { 1u, 2u };
kernel void collet_k(device uint* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                     uint g [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup uint all[64];
  all[l] = x[g] + n;
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  uint seen = 0;
  device atomic_uint* p = (device atomic_uint*)&x[0];
  atomic_compare_exchange_weak_explicit(p, &seen, 1u, memory_order_relaxed, memory_order_relaxed);
  x[g] = simd_sum(all[63u - l]) + popcount(seen) + table[1] + as_type<uint>(precise::sqrt(2.0f));
}
""",
        [
            ("popcount", "popcnt"),
            ("simd_sum(", "simd_sum((ulong)"),
            ("(device atomic_uint*)", "(threadgroup atomic_uint*)"),
            ("thread_position_in_grid", "thread_position_in_the_grid"),
            ("constant uint table", "uint table"),
            ("uint seen = 0", "double seen = 0"),
            ("[[thread_position_in_grid]], uint l", "[[thread_position_in_grid]], uint g"),
            ("as_type<uint>", "as_uint"),
            ("uint g ", "size_t g = get_global_id(0) "),
        ],
    ),
}


class Dialects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="collet-dialects-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.refusals = self.root / "refusals.txt"
        self.refusals.write_text("# none\n")

    def write(self, dialect, texts, refused=""):
        (self.root / dialect).mkdir(exist_ok=True)
        for name, text in texts.items():
            (self.root / dialect / (name + DIALECTS[dialect][0])).write_text(text)
        (self.root / dialect / "refused.txt").write_text(refused)

    def check(self, *words):
        command = [sys.executable, SOURCE / "scripts/check-dialects", self.root, "--refusals", self.refusals, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def assert_says(self, code, words, *options):
        done = self.check(*options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(words, done.stdout + done.stderr)
        return done.stdout

    def skip_without(self, dialect):
        """Where a compiler is not here that need not be."""
        for name in DIALECTS[dialect][1]:
            if name in REQUIRED or "all" in REQUIRED:
                continue
            done = self.check("--to", dialect)
            if f"the compiler {name} is missing" in done.stdout:
                self.skipTest(f"{name} is not here; scripts/dialect-compilers fetches it")

    def refuses_what_is_broken(self, dialect):
        right, faults = KERNELS[dialect]
        self.write(dialect, {"right": right})
        self.skip_without(dialect)
        self.assert_says(0, ": 1 files, 0 errors, 0 refused", "--to", dialect)
        for number, (before, after) in enumerate(faults):
            self.assertIn(before, right)
            self.write(dialect, {f"wrong{number}": right.replace(before, after, 1)})
        said = self.assert_says(1, f": {1 + len(faults)} files, {len(faults)} errors, 0 refused", "--to", dialect)
        for compiler in DIALECTS[dialect][1]:
            for number in range(len(faults)):
                self.assertIn(f"{dialect}/wrong{number}{DIALECTS[dialect][0]}: {compiler}: ", said)
        self.assertEqual(said.count(f" {len(faults)} errors"), len(DIALECTS[dialect][1]), said)

    def test_a_refusal_that_is_not_listed_fails(self):
        self.write("opencl", {"right": KERNELS["opencl"][0]}, "a kernel\tIt needs a bigger boat.\n")
        self.assert_says(1, "opencl/a kernel: refused, and")
        self.refusals.write_text("msl | bigger boat | there is none\n")
        self.assert_says(1, "opencl/a kernel: refused, and")
        self.refusals.write_text("opencl | bigger boat | there is none\n")
        self.assert_says(0, "1 files, 0 errors, 1 refused", "--all-refusals")

    def test_a_listed_refusal_that_nobody_met_fails_the_full_run(self):
        self.write("opencl", {"right": KERNELS["opencl"][0]})
        self.refusals.write_text("opencl | a bigger boat | there is none\nmsl | another one | not asked for\n")
        self.assert_says(0, "1 files, 0 errors, 0 refused")
        said = self.assert_says(1, "no refusal of (opencl) says (a bigger boat)", "--all-refusals")
        self.assertNotIn("another one", said)

    def test_a_line_of_the_list_without_a_reason_fails(self):
        self.write("opencl", {"right": KERNELS["opencl"][0]})
        self.refusals.write_text("opencl | a bigger boat\n")
        self.assert_says(1, "is not (dialect | part of the message | why)")

    def test_a_dialect_without_files_fails(self):
        self.assert_says(1, "has no dialect")
        self.write("opencl", {})
        self.assert_says(1, "nothing is proven")
        self.assert_says(1, "nothing is proven", "--to", "glsl")

    def test_a_dialect_that_says_nothing_about_refusals_fails(self):
        self.write("opencl", {"right": KERNELS["opencl"][0]})
        (self.root / "opencl/refused.txt").unlink()
        self.assert_says(1, "nobody knows what was refused")

    def test_a_missing_compiler_fails(self):
        for dialect, (_, compilers) in DIALECTS.items():
            self.write(dialect, {"right": KERNELS[dialect][0]})
            for compiler in compilers:
                with self.subTest(dialect=dialect, compiler=compiler):
                    words = f"{dialect}: the compiler {compiler} is missing"
                    self.assert_says(1, words, "--to", dialect, "--with", f"{compiler}=/nonexistent/compiler")

    def test_a_python_without_the_bindings_is_a_missing_compiler(self):
        self.write("wgsl", {"right": KERNELS["wgsl"][0]})
        plain = ("--with", "naga=/usr/bin/python3", "--with", "tint=/usr/bin/python3")
        said = self.assert_says(1, "the compiler naga is missing: Naga is not here", *plain)
        self.assertIn("the compiler tint is missing: Tint is not here", said)

    def test_what_ends_the_optimiser_of_hiprtc_is_taken_without_it(self):
        text = (SOURCE / "tests/dialects/ends_hiprtc.hip").read_text()
        self.write("hip", {"a": KERNELS["hip"][0], "ends": text})
        self.skip_without("hip")
        self.assert_says(0, "hip: hiprtc ended its process at 1 files, and took them without optimisation.")
        self.write("hip", {"ends": text.replace("marks[21u] = 40", "marks[21u] = nothing")})
        self.assert_says(1, "hip/ends.hip: hiprtc: ")

    def test_a_compiler_that_ends_its_process_is_an_error_of_that_file(self):
        program = self.root / "crashes"
        program.write_text('#!/bin/sh\ncase "$*" in *version*) echo crashes 1.0;; *bad*) kill -9 $PPID;; esac\n')
        program.chmod(0o755)
        self.write("opencl", {name: "" for name in ("a", "bad", "c")})
        said = self.assert_says(1, "3 files, 1 errors", "--with", f"clang={program}")
        self.assertIn("opencl/bad.cl: clang: error: the compiler ended with code -9", said)


def add(dialect):
    name = f"test_a_broken_text_of_{dialect.replace('-', '_')}_fails"
    setattr(Dialects, name, lambda self: self.refuses_what_is_broken(dialect))


for each in DIALECTS:
    add(each)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
