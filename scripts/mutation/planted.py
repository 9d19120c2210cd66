"""A copy of the sources with every fault planted, each behind a switch, and built."""

import json
import os
import random
import re
import subprocess

from mutation import places

# Area: which files belong to it. The first that matches counts.
AREAS = {
    "core": r"src/(core|base)/",
    "verifier": r"src/kernel/ir/(verify|uniformity)\.",
    "passes": r"src/kernel/(ir/|emit/(lower|guard|parts|watch|rewriter))",
    "emitters": r"src/kernel/emit/",
    "language": r"src/kernel/dsl/",
    "interpreter": r"src/backends/cpu/interpreter/",
    "native": r"src/backends/cpu/native/",
    "cpu": r"src/backends/cpu/",
    "vulkan": r"src/backends/vulkan/",
    "opencl": r"src/backends/opencl/",
    "cuda": r"src/backends/cuda/",
    "webgpu": r"src/backends/webgpu/",
    "opengl": r"src/backends/opengl/",
    "layers": r"src/(backends/(common|null|simulated)|layers)/",
    "memory": r"src/memory/",
    "ring": r"src/ring/",
    "discovery": r"src/(discovery|drivers)/",
    "platform": r"src/platform/",
}
# Compiled on other systems only.
ELSEWHERE = re.compile(r"_(windows|macos|android)\.|/windows\.hpp$")
MOST_IN_FILE = 1000
TARGETS = ["collet-unit", "collet-conformance", "collet-golden", "collet-fuzz", "collet-quirks",
           *(f"collet-fault-{name}_test" for name in
             ("failing_backend", "failing_driver", "fork", "exit", "trust", "files", "memory_limit", "driver"))]
HEADER = """// The switch of a planted fault: whether it is on. FAULT_NUMBER is the number of the one that is; each that is asked for is
// noted once in the file FAULT_NUMBER_REACHED.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>

inline std::atomic<bool> collet_fault_reached[{count}];

inline void collet_note_fault(int number) {{
  if (collet_fault_reached[number].exchange(true)) return;
  const char* const path = std::getenv("FAULT_NUMBER_REACHED");
  std::FILE* const file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file, "%d\\n", number);
  std::fclose(file);
}}

inline bool collet_fault(int number) {{
  static const int planted = [] {{
    const char* const text = std::getenv("FAULT_NUMBER");
    return text != nullptr ? std::atoi(text) : 0;
  }}();
  if (!collet_fault_reached[number].load(std::memory_order_relaxed)) collet_note_fault(number);
  return number == planted;
}}
"""


def area_of(name):
    """Every file of src/ that this system compiles has one; None for all others."""
    if ELSEWHERE.search(name):
        return None
    return next((area for area, pattern in AREAS.items() if re.match(pattern, name)), None)


class Planted:
    """Threads: one at a time."""

    def __init__(self, root, folder, areas):
        self.areas = areas  # where faults are planted
        self.root, self.copy, self.notes = root, folder / "source", folder / "faults.json"
        self.build = self.copy / "build" / "mutate"
        self.faults = []

    def make(self):
        """Plants and builds; the number of faults that do not compile. What did not change is not compiled again."""
        names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=self.root,
                               capture_output=True, text=True, check=True).stdout.split("\n")
        names = [name for name in names if name and (self.root / name).is_file()]
        texts = {name: (self.root / name).read_text() for name in names if area_of(name) in self.areas and name.endswith("pp")}
        every = [fault for index, name in enumerate(sorted(texts)) for fault in chosen(name, texts[name], index)]
        dropped = self.earlier_drops(texts)
        self.write("collet_fault.hpp", HEADER.format(count=MOST_IN_FILE * len(texts)).encode())
        for name in names:
            if name not in texts:
                self.write(name, (self.root / name).read_bytes())
        for path in self.copy.glob("tests/**/*_test.cpp"):
            if str(path.relative_to(self.copy)) not in names:
                path.unlink()  # deleted since
        self.plant_all(texts, every, dropped)  # CMake wants sources
        subprocess.run(["cmake", "--preset", "dev", "-B", str(self.build), "-DCOLLET_PACKAGING_TESTS=OFF",
                        "-DCOLLET_WERROR=OFF", "-DCOLLET_BENCH=OFF", "-DCOLLET_EXAMPLES=OFF",
                        "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -w -D_GLIBCXX_ASSERTIONS",
                        f"-DCMAKE_CXX_FLAGS=-include {self.copy}/collet_fault.hpp"],
                       cwd=self.copy, check=True, stdout=subprocess.DEVNULL)
        self.build_without_errors(["collet"], texts, every, dropped)
        self.build_without_errors(TARGETS, texts, every, dropped)
        self.faults = [fault for fault in every if fault.number not in dropped]
        return len(dropped)

    def build_without_errors(self, targets, texts, every, dropped):
        """Drops what the compiler complains of, until it does not."""
        while True:
            spans = self.plant_all(texts, every, dropped)
            built = subprocess.run(["cmake", "--build", str(self.build), "-j2", "--target", *targets, "--", "-k", "0"],
                                   capture_output=True, text=True, check=False)
            wrong = self.blamed(built.stdout + built.stderr, spans)
            if built.returncode == 0 or not wrong:
                break
            dropped |= wrong
            self.notes.write_text(json.dumps({"texts": texts, "dropped": sorted(dropped)}))
        if built.returncode != 0:
            raise SystemExit(f"scripts/mutate: the copy does not build.\n{built.stdout[-4000:]}")

    def earlier_drops(self, texts):
        """Those of files that did not change; a new file gives the others new numbers."""
        earlier = json.loads(self.notes.read_text()) if self.notes.exists() else {"texts": {}, "dropped": []}
        if sorted(earlier["texts"]) != sorted(texts):
            return set()
        same = {index for index, name in enumerate(sorted(texts)) if earlier["texts"][name] == texts[name]}
        return {number for number in earlier["dropped"] if number // MOST_IN_FILE in same}

    def write(self, name, content):
        """Keeps the time of a file that stays as it was, so that nothing is compiled for it."""
        path = self.copy / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if (self.root / name).exists():
            os.chmod(path, (self.root / name).stat().st_mode)

    def plant_all(self, texts, every, dropped):
        """Writes all files that have faults; their spans by file."""
        return {name: self.plant(name, text, every, dropped) for name, text in texts.items()}

    def plant(self, name, text, every, dropped):
        """Writes one file; the spans that its faults have there: (begin, end, number)."""
        made, at, spans = "", 0, []
        for fault in every:
            if fault.file != name or fault.number in dropped:
                continue
            made += text[at : fault.begin]
            begin = len(made)
            made += fault.rewritten(text[fault.begin : fault.end])
            spans.append((begin, len(made), fault.number))
            at = fault.end
        self.write(name, (made + text[at:]).encode())
        return spans

    def blamed(self, output, spans):
        """The faults in which the compiler sees errors; where it sees none there, the nearest ones."""
        inside, nearest = set(), set()
        for match in re.finditer(r"^\S*?\b(src/\S+?):(\d+):(\d+): +(error|note|required)", output, re.MULTILINE):
            name, line, column = match[1], int(match[2]), int(match[3])
            if not spans.get(name):
                continue
            lines = (self.copy / name).read_bytes().split(b"\n")
            at = len(b"\n".join([*lines[: line - 1], lines[line - 1][: column - 1]]).decode())
            distance, number = min((max(begin - at, at - end + 1, 0), number) for begin, end, number in spans[name])
            if distance == 0 and match[4] == "error":
                inside.add(number)
            nearest.add(number)
        return inside or nearest


def chosen(name, text, index):
    """All faults of a file that do not overlap, the same ones whatever the seed of the run."""
    faults = places.faults_of(name, text)
    random.Random(name).shuffle(faults)
    found = []
    for fault in faults:
        if all(fault.end <= other.begin or other.end <= fault.begin for other in found):
            found.append(fault)
    found.sort(key=lambda fault: fault.begin)
    for number, fault in enumerate(found[: MOST_IN_FILE - 1], 1):
        fault.number = MOST_IN_FILE * index + number
    return found[: MOST_IN_FILE - 1]
