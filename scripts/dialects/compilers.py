"""The real compilers of the languages that Collet writes kernels in, each behind one class.

A class has `name`, which it has found out about itself when it is made, and `errors(dialect, path)`: what the compiler
says against a file, "" where it takes it. One that takes several files faster than one after another has `together`, how
many, and `takes_all(paths)`. A compiler that is not here raises Missing. scripts/dialects/worker.py makes
each in a process of its own, since a compiler may end the process.
"""

import ctypes
import glob
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Missing(Exception):
    """A sentence about a compiler that is not here."""


def cache():
    base = os.environ.get("COLLET_TEST_CACHE")
    if not base:
        base = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "collet")
    return os.path.join(base, "dialects")


def python():
    """The one with the bindings of Naga and Tint."""
    return os.path.join(cache(), "venv/bin/python")


def nvrtc():
    """The library of the CUDA toolkit, else the one that scripts/dialect-compilers fetched; "" where there is none."""
    toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), *sorted(glob.glob("/usr/local/cuda*"))]
    folders = [f"{toolkit}/{lib}" for toolkit in toolkits if toolkit for lib in ("lib64", "lib")]
    folders += glob.glob("/usr/lib/*-linux-gnu") + glob.glob(f"{cache()}/venv/lib/python*/site-packages/nvidia/*/lib")
    found = [path for folder in folders for path in sorted(glob.glob(f"{folder}/libnvrtc.so.[0-9]*"))]
    return found[0] if found else ""


class RuntimeCompiler:
    """A library that compiles C++ for a GPU: NVRTC, or hiprtc, whose functions are the same."""

    library, prefix, architectures, options = "", "", (), ()

    def __init__(self, path=""):
        try:
            self._library = ctypes.CDLL(path or self.library)
        except OSError as error:
            raise Missing(f"{self.language} has no compiler here ({error})") from error
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("Version", ctypes.byref(major), ctypes.byref(minor))
        version = f"{major.value}.{minor.value}"
        self.name = f"{self.prefix} {version} ({', '.join(self.architectures)})"

    def _call(self, function, *arguments):
        return getattr(self._library, self.prefix + function)(*arguments)

    def _compile(self, source, name, architecture):
        program = ctypes.c_void_p()
        code = self._call("CreateProgram", ctypes.byref(program), source, name, 0, None, None)
        if code != 0:
            return f"error: no program could be made (code {code})"
        options = [self.architecture_option + architecture, *self.options]
        array = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        code = self._call("CompileProgram", program, len(options), array)
        log = ""
        if code != 0:
            size = ctypes.c_size_t()
            self._call("GetProgramLogSize", program, ctypes.byref(size))
            buffer = ctypes.create_string_buffer(size.value + 1)
            self._call("GetProgramLog", program, buffer)
            log = buffer.value.decode(errors="replace").strip() or f"error: code {code} without a word"
        elif self._code_size(program) == 0:
            log = "error: it made no code"
        self._call("DestroyProgram", ctypes.byref(program))
        return log

    def _code_size(self, program):
        size = ctypes.c_size_t()
        self._call(self.code_size, program, ctypes.byref(size))
        return size.value

    def errors(self, _, path):
        return self._errors(pathlib.Path(path).read_bytes(), os.path.basename(path))

    def _errors(self, source, name):
        for architecture in self.architectures:
            log = self._compile(source, name.encode(), architecture)
            if log:
                return log
        return ""


class Nvrtc(RuntimeCompiler):
    language = "CUDA C++"
    prefix, code_size, architecture_option = "nvrtc", "GetPTXSize", "--gpu-architecture=compute_"
    architectures, options = ("75", "90"), ("--fmad=false",)

    def __init__(self, path=""):
        super().__init__(path or nvrtc() or "libnvrtc.so")


class Hiprtc(RuntimeCompiler):
    language, library = "HIP C++", "libamdhip64.so.5"
    prefix, code_size, architecture_option = "hiprtc", "GetCodeSize", "--offload-arch="
    architectures, options = ("gfx90a", "gfx1030"), ("-ffp-contract=off",)  # gfx1100 ends the process
    together = 16  # most of a program's time is its header's
    kernel = re.compile(r"\b__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(")

    def takes_all(self, paths):
        """Whether it takes them in one program, each in a namespace of its own."""
        source = ""
        for number, path in enumerate(paths):
            text = pathlib.Path(path).read_text()
            names = self.kernel.findall(text)
            source += "".join(f"#define {name} {name}_{number}\n" for name in names)
            source += f"namespace file{number} {{\n{text}\n}}\n" + "".join(f"#undef {name}\n" for name in names)
        return not self._errors(source.encode(), "all.hip")


class PlainHiprtc(Hiprtc):
    """Without optimisation: whether a text is HIP C++ at which the optimiser ends the process."""

    options = (*Hiprtc.options, "-O0")

    def takes_all(self, paths):
        return False


class Program:
    """A compiler that is a program."""

    def __init__(self, path):
        found = shutil.which(path)
        if not found:
            raise Missing(f"There is no program ({path}).")
        self.path = found
        done = self.run("--version")
        if done.returncode != 0:
            raise Missing(f"{found} does not say which version it is: {done.stdout.strip()}")
        self.name = done.stdout.splitlines()[0]

    def run(self, *words):
        return subprocess.run(
            [self.path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def said(self, *words):
        done = self.run(*words)
        if done.returncode == 0:
            return ""
        return done.stdout.strip() or f"error: code {done.returncode} without a word"


class Glslang(Program):
    # -l links, which is where a program without main shows; -V makes SPIR-V.
    options = {
        "glsl-vulkan": ("-V", "--target-env", "vulkan1.1", "-o", os.devnull),
        "glsl": ("-l",),
        "gles": ("-l",),
    }
    versions = {"glsl-vulkan": "450", "glsl": "430", "gles": "310 es"}

    def __init__(self, path=""):
        super().__init__(path or "glslangValidator")
        self.name = self.name.removeprefix("Glslang Version: ").strip()
        self.name = f"glslang {self.name}"

    def errors(self, dialect, path):
        text = pathlib.Path(path).read_text()
        first = text.partition("\n")[0]
        if first not in (f"#version {self.versions[dialect]}", f"#version {self.versions[dialect]} core"):
            return f"error: the first line ({first}) does not say version {self.versions[dialect]}"
        if dialect != "glsl-vulkan" and re.search(r"\blayout\([^)]*\bset\s*=", text):
            return "error: only Vulkan has descriptor sets"  # glslang lets it pass
        return self.said(*self.options[dialect], "-S", "comp", path)


# What a parameter or a kernel may be marked as in MSL; clang would ignore a misspelt one.
MSL_ATTRIBUTES = {
    "buffer", "threadgroup", "max_total_threads_per_threadgroup",
    "thread_position_in_grid", "thread_position_in_threadgroup", "threadgroup_position_in_grid",
    "threads_per_threadgroup", "threads_per_grid", "threadgroups_per_grid", "thread_index_in_threadgroup",
    "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup", "threads_per_simdgroup",
    "simdgroups_per_threadgroup", "dispatch_threads_per_threadgroup",
}  # fmt: skip


class Clang(Program):
    """OpenCL C, and MSL as OpenCL C++ with a metal_stdlib of our own: syntax and types only."""

    opencl = ("--target=spir64-unknown-unknown", "-x", "cl", "-fsyntax-only", "-w")
    newer = re.compile(r"\b(atomic_work_item_fence|sub_group_\w+|get_sub_group_\w+)\(")
    absent = ("cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_program_scope_global_variables",
              "__opencl_c_device_enqueue")  # fmt: skip
    msl = ("--target=spir64-unknown-unknown", "-x", "clcpp", "-cl-std=CLC++2021", "-cl-no-stdinc", "-fsyntax-only",
           "-w", "-Xclang", "-cl-ext=" + ",".join("-" + name for name in absent),
           "-isystem", str(ROOT / "tests/dialects"))  # fmt: skip

    def __init__(self, path=""):
        super().__init__(path or "clang-19")

    def errors(self, dialect, path):
        text = pathlib.Path(path).read_text()
        if dialect == "msl":
            for name in re.findall(r"\[\[\s*(\w+)", text):
                if name not in MSL_ATTRIBUTES:
                    return f"error: MSL has no attribute ({name})"
            return self.said(*self.msl, path)
        # Drivers compile it as the latest version that they know.
        for version in ("CL2.0", "CL3.0") if self.newer.search(text) else ("CL1.2", "CL3.0"):
            log = self.said(*self.opencl, f"-cl-std={version}", path)
            if log:
                return log
        return ""


class Naga:
    """WGSL's compiler in Firefox, by wgpu-native. Nothing beyond the standard is switched on.

    It has subgroups by a feature of the device and does not know the line that asks for them, which is taken away here.
    """

    def __init__(self, _=""):
        try:
            import wgpu
        except ImportError as error:
            raise Missing(f"Naga is not here ({error}).") from error
        adapters = [one for one in wgpu.gpu.enumerate_adapters_sync() if one.info["backend_type"] == "Vulkan"]
        if not adapters:
            raise Missing("Naga has no Vulkan device to make modules for.")
        features = [name for name in ("subgroup",) if name in adapters[0].features]
        self._device = adapters[0].request_device_sync(required_features=features)
        self.name = f"Naga of wgpu {wgpu.__version__}"

    def errors(self, _, path):
        try:
            text = pathlib.Path(path).read_text().replace("enable subgroups;", "", 1)
            self._device.create_shader_module(code=text)
        except Exception as error:  # the binding has many
            return str(error).strip() or "error: refused without a word"
        return ""


class Tint:
    """WGSL's compiler in Chromium, by Dawn."""

    def __init__(self, _=""):
        try:
            from pydawn import utils, webgpu
        except (ImportError, OSError) as error:
            raise Missing(f"Tint is not here ({error}).") from error
        self._utils, self._webgpu = utils, webgpu
        try:
            adapter = utils.request_adapter_sync(webgpu.WGPUPowerPreference_HighPerformance)
            features = [one for one in (webgpu.WGPUFeatureName_Subgroups,) if webgpu.wgpuAdapterHasFeature(adapter, one)]
            self._device = utils.request_device_sync(adapter, features)
        except (AssertionError, RuntimeError) as error:
            raise Missing(f"Tint has no Vulkan device to make modules for ({error}).") from error
        from importlib import metadata

        self.name = f"Tint of dawn-python {metadata.version('dawn-python')}"

    def errors(self, _, path):
        try:
            module = self._utils.create_shader_module(self._device, pathlib.Path(path).read_text())
        except RuntimeError as error:
            return str(error).strip() or "error: refused without a word"
        self._webgpu.wgpuShaderModuleRelease(module)
        return ""


COMPILERS = {"clang": Clang, "glslang": Glslang, "nvrtc": Nvrtc, "hiprtc": Hiprtc, "plain hiprtc": PlainHiprtc, "naga": Naga, "tint": Tint}

# Which of them take a dialect, and how its files end.
DIALECTS = {
    "opencl": (".cl", ("clang",)),
    "glsl-vulkan": (".comp", ("glslang",)),
    "glsl": (".comp", ("glslang",)),
    "gles": (".comp", ("glslang",)),
    "cuda": (".cu", ("nvrtc",)),
    "hip": (".hip", ("hiprtc",)),
    "wgsl": (".wgsl", ("naga", "tint")),
    "msl": (".metal", ("clang",)),
}
