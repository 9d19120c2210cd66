"""The tests, suite by suite: which faults each reaches, and which one notices a fault."""

import collections
import concurrent.futures
import dataclasses
import os
import re
import signal
import subprocess
import tempfile
import time

# Too slow for what they add, or about the machine and not about this code.
LEFT_OUT = re.compile(r"Scale|Stress")
PROCESSES = 2
QUICK = 0.5  # seconds that a suite takes which is run before all others of its program


@dataclasses.dataclass
class Program:
    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    suites: bool = True  # a GoogleTest program; else exit code 0 passes
    areas: tuple = ()  # whose faults are looked for with it; none: all
    left_out: str = "^$"  # suites that are not run with it


@dataclasses.dataclass
class Suite:
    program: Program
    name: str
    seconds: float = 0
    reached: set = dataclasses.field(default_factory=set)


def validated(planted):
    """Variables with which Vulkan's validation layer ends a program at its first error."""
    folder = planted.build / "validation"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vk_layer_settings.txt").write_text(
        "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_BREAK\nkhronos_validation.report_flags = error\n")
    return {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "VK_LAYER_SETTINGS_PATH": str(folder)}


def programs(planted):
    """The likeliest and quickest first. What runs above drivers is tried on them; what runs on the CPU alone is not, for a
    survivor of every suite would take ten minutes more."""
    above = ("core", "passes", "emitters", "layers", "memory", "ring", "discovery", "platform")
    folder, drivers = planted.build / "bin", str(planted.copy / "scripts" / "with-drivers")
    conformance = str(folder / "collet-conformance")
    intel, wgpu = (subprocess.run([planted.root / "scripts" / name], capture_output=True, text=True, check=True).stdout.strip()
                   for name in ("intel-opencl", "wgpu-native"))
    return [
        Program("unit", [str(folder / "collet-unit")]),
        Program("golden", [str(folder / "collet-golden")]),
        Program("conformance on cpu", [conformance, "--devices=cpu"]),
        Program("conformance on cpu, native", [conformance, "--devices=cpu", "--require=llvm"], {"COLLET_CPU_TIER": "native"}),
        Program("conformance, simulated", [conformance, "--devices=simulated"], {"COLLET_FAKE": "1"},
                areas=("core", "layers", "memory", "discovery")),
        Program("conformance on Vulkan", [drivers, conformance, "--devices=lavapipe,swiftshader"], areas=(*above, "vulkan")),
        # What drivers let pass, and others would not. The layer keeps its table of devices without a lock (issue 4391).
        Program("conformance under validation", [drivers, conformance, "--devices=lavapipe,swiftshader"], validated(planted),
                areas=("vulkan",), left_out=r"Thread$"),
        Program("fuzz on cpu", [str(folder / "collet-fuzz"), "--kernels=64", "--seed=1", "--devices=cpu", "--require=llvm"],
                suites=False),
        Program("fault: failing backend", [str(folder / "collet-fault-failing_backend_test")], suites=False),
        Program("fault: failing driver", [drivers, str(folder / "collet-fault-failing_driver_test")], suites=False),
        Program("fault: fork", [drivers, str(folder / "collet-fault-fork_test")], suites=False),
        Program("fault: exit", [drivers, str(folder / "collet-fault-exit_test")], suites=False),
        *(Program(f"fault: {name}", [drivers, str(folder / f"collet-fault-{name}_test")], suites=False)
          for name in ("trust", "files", "memory_limit")),  # threads: two at once disturb each other
        Program("quirks", [drivers, str(folder / "collet-quirks"), str(planted.copy / "tests/fuzz/reproducers")],
                suites=False),
        Program("conformance on Intel's OpenCL", [drivers, conformance, "--devices=intel"],
                {"OCL_ICD_VENDORS": intel}, areas=("emitters", "opencl")),
        Program("conformance on WebGPU", [drivers, conformance, "--devices=webgpu-lavapipe,webgpu-swiftshader"],
                {"COLLET_WEBGPU": wgpu}, areas=("emitters", "webgpu")),
        Program("conformance on OpenGL", [drivers, conformance, "--devices=opengl-llvmpipe,opengles-llvmpipe"],
                areas=("emitters", "opengl")),
        Program("conformance on CUDA's double", [conformance, "--doubles", "--devices=cuda:0"], areas=("emitters", "cuda")),
        Program("conformance on PoCL", [drivers, conformance, "--devices=pocl"], areas=(*above, "opencl")),
        Program("fault: drivers", [drivers, str(folder / "collet-fault-driver_test")], suites=False),
    ]


def run(program, arguments, environment, seconds, silent=None):
    """The exit code, 124 where it took too long or printed nothing for `silent` seconds, and what it printed. A GoogleTest
    program prints a line when a test begins and when it ends."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([*program.command, *arguments], stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, **program.environment, **environment}, start_new_session=True)
        printed, code = 0, None
        begin = since = time.monotonic()
        while code is None:
            try:
                code = process.wait(1)
            except subprocess.TimeoutExpired:
                now, size = time.monotonic(), os.fstat(output.fileno()).st_size
                if size != printed:
                    printed, since = size, now
                if now - begin > seconds or (silent and now - since > silent):
                    code = 124
        try:
            os.killpg(process.pid, signal.SIGKILL)  # with what it started
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        return code, output.read().decode(errors="replace")


def in_order(work, items):
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return list(pool.map(work, items))


def suites_of(program):
    if not program.suites:
        return [Suite(program, "")]
    code, output = run(program, ["--gtest_list_tests"], {}, 120)
    if code != 0:
        raise SystemExit(f"scripts/mutate: {program.name} does not list its tests.\n{output[-2000:]}")
    names = re.findall(r"^(\S+)\.(?: .*)?$", output, re.MULTILINE)
    left_out = re.compile(f"{LEFT_OUT.pattern}|{program.left_out}")
    return [Suite(program, name) for name in names if not left_out.search(name)]


def arguments(suites):
    """The same with a fault and without, so that only the fault makes a difference."""
    if not suites[0].program.suites:
        return []
    return ["--gtest_fail_fast", "--gtest_filter=" + ":".join(f"{suite.name}.*" for suite in suites)]


def measured(suite):
    """Runs it without any fault; it must pass."""
    with tempfile.NamedTemporaryFile() as notes:
        begin = os.times().elapsed
        code, output = run(suite.program, arguments([suite]), {"FAULT_NUMBER_REACHED": notes.name}, 300)
        if code != 0:
            raise SystemExit(f"scripts/mutate: {suite.program.name} {suite.name} ends with {code} without any fault.\n"
                             f"{output[-4000:]}")
        suite.seconds = os.times().elapsed - begin
        suite.reached = {int(line) for line in notes.read().split()}
    return suite


def measured_suites(planted):
    return in_order(measured, [suite for program in programs(planted) for suite in suites_of(program)])


def steps(suites, number, area):
    """What is run for a fault: per program the quick suites that reach it, then the others, one process each."""
    found = collections.defaultdict(list)
    for suite in suites:
        if number in suite.reached and (not suite.program.areas or area in suite.program.areas):
            found[suite.program.name, suite.seconds > QUICK].append(suite)
    return found.values()


def caught(suites, number, area, on=True):
    """(by which program, how), or None where every test passes that reaches it. `on` is False to see that it is the fault
    that is caught, and not a test that fails now and then."""
    for step in steps(suites, number, area):
        seconds = 20 + 5 * sum(suite.seconds for suite in step)
        silent = 20 + 5 * max(suite.seconds for suite in step)
        code, output = run(step[0].program, arguments(step), {"FAULT_NUMBER": str(number if on else 0)}, seconds, silent)
        if code != 0:
            test = re.search(r"^\[  FAILED  \] (\S+?)[, ]", output, re.MULTILINE)
            how = "hangs" if code == 124 else test[1] if test else f"ends with {code}"
            return step[0].program.name, how
    return None
