"""One compiler in a process of its own, for scripts/check-dialects.

    worker.py COMPILER [PATH]

Says a line of JSON first: {"name": …}, or {"missing": …}. Then, for each line "DIALECT<tab>FILE<tab>FILE…" that it
reads, what the compiler says against each of the files, as JSON strings.
"""

import json
import os
import sys

from compilers import COMPILERS, Missing

# What a compiler itself prints must not get between the answers.
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

try:
    compiler = COMPILERS[sys.argv[1]](*sys.argv[2:])
except Missing as missing:
    print(json.dumps({"missing": str(missing)}), file=answers)
    sys.exit(1)
print(json.dumps({"name": compiler.name}), file=answers)
for line in sys.stdin:
    dialect, *paths = line.rstrip("\n").split("\t")
    said = [""] * len(paths) if len(paths) > 1 and compiler.takes_all(paths) else None
    print(json.dumps(said or [compiler.errors(dialect, path) for path in paths]), file=answers)
# The libraries' own ends are not our business, and one of them hangs or crashes there now and then.
os._exit(0)
