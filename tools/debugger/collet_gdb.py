"""Shows values of Collet's types in gdb:

    (gdb) source /usr/share/collet/debugger/collet_gdb.py
"""

import os
import sys

import gdb
import gdb.printing
import gdb.types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import collet_layout  # noqa: E402: it stands beside this file

sys.path.pop(0)

NEWEST_TRACE = "collet::detail::(anonymous namespace)::newest"


class GdbValue(collet_layout.Value):
    def __init__(self, value):
        self.value = value

    def _try(self, call):
        try:
            return call()
        except (gdb.error, gdb.MemoryError, OverflowError) as why:
            raise collet_layout.Unreadable(f"not readable: {why}") from why

    def member(self, name):
        try:
            return GdbValue(self.value[name])
        except gdb.MemoryError as why:
            raise collet_layout.Unreadable(f"not readable: {why}") from why
        except gdb.error as why:
            kind = self.value.type.strip_typedefs().unqualified()
            if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and not kind.fields():
                raise self.no_debug_information(kind) from why
            if "optimized out" in str(why):
                raise collet_layout.Unreadable(f"not readable: {why}") from why
            raise self.no_member(kind, name) from why

    def target(self):
        return GdbValue(self._try(self.value.dereference))

    def element(self, index):
        return GdbValue(self._try(lambda: self.value[index]))

    def number(self):
        return self._try(lambda: int(self.value))

    def enumerator(self):
        number = self.number()
        for field in self.value.type.strip_typedefs().fields():
            if field.enumval == number:
                return field.name.rpartition("::")[2]
        return str(number)

    def argument(self):
        return str(self._try(lambda: gdb.types.get_basic_type(self.value.type).template_argument(0).strip_typedefs()))

    def memory(self, length):
        return self._try(lambda: gdb.selected_inferior().read_memory(int(self.value), length).tobytes())

    def size(self):
        return self._try(lambda: self.value.type.strip_typedefs().target().strip_typedefs().sizeof)

    def shown(self):
        return self._try(self.value.format_string)

    def newest_trace(self):
        symbol = self._try(lambda: gdb.lookup_static_symbol(NEWEST_TRACE))
        if symbol is None:
            raise self.no_debug_information("collet::detail::Trace")
        return GdbValue(self._try(symbol.value))


def printer(function):
    class Printer:
        def __init__(self, value):
            self.value = value

        def to_string(self):
            return collet_layout.show(function, GdbValue(self.value))

    return Printer


def make():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("collet")
    for name, pattern, function in collet_layout.SHOWN:
        printers.add_printer(name, pattern, printer(function))
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), make(), replace=True)
