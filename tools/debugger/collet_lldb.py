"""Shows values of Collet's types in lldb:

    (lldb) command script import /usr/share/collet/debugger/collet_lldb.py
"""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import collet_layout  # noqa: E402: it stands beside this file

sys.path.pop(0)

NEWEST_TRACE = "newest"


class LldbValue(collet_layout.Value):
    def __init__(self, value):
        self.value = value.GetNonSyntheticValue()

    def _valid(self, value, what):
        if not value.IsValid() or value.GetError().Fail():
            raise collet_layout.Unreadable(f"not readable: {value.GetError().GetCString() or what}")
        return LldbValue(value)

    def member(self, name):
        found = self.value.GetChildMemberWithName(name)
        if not found.IsValid():
            if self.value.GetError().Fail():
                raise collet_layout.Unreadable(f"not readable: {self.value.GetError().GetCString()}")
            kind = self.value.GetType().GetCanonicalType().GetUnqualifiedType()
            if not kind.IsTypeComplete() or kind.GetNumberOfFields() + kind.GetNumberOfDirectBaseClasses() == 0:
                raise self.no_debug_information(kind.GetName())
            raise self.no_member(kind.GetName(), name)
        return self._valid(found, name)

    def target(self):
        kind = self.value.GetType().GetCanonicalType().GetPointeeType().GetCanonicalType()
        if not kind.IsTypeComplete():
            raise self.no_debug_information(kind.GetUnqualifiedType().GetName())
        return self._valid(self.value.Dereference(), "a pointer to nothing")

    def element(self, index):
        if not self.value.GetType().GetCanonicalType().IsPointerType():
            return self._valid(self.value.GetChildAtIndex(index), "an element")
        kind = self.value.GetType().GetCanonicalType().GetPointeeType()
        address = self.value.GetValueAsUnsigned() + index * kind.GetByteSize()
        target = self.value.GetTarget()
        found = target.CreateValueFromAddress("element", lldb.SBAddress(address, target), kind)
        return self._valid(found, "an element")

    def number(self):
        error = lldb.SBError()
        signed = self.value.GetType().GetCanonicalType().GetTypeFlags() & lldb.eTypeIsSigned
        number = self.value.GetValueAsSigned(error) if signed else self.value.GetValueAsUnsigned(error)
        if error.Fail():
            raise collet_layout.Unreadable(f"not readable: {error.GetCString()}")
        return number

    def enumerator(self):
        self.number()
        return (self.value.GetValue() or str(self.number())).rpartition("::")[2]

    def argument(self):
        return self.value.GetType().GetCanonicalType().GetTemplateArgumentType(0).GetCanonicalType().GetName()

    def memory(self, length):
        error = lldb.SBError()
        found = self.value.GetProcess().ReadMemory(self.number(), length, error)
        if error.Fail():
            raise collet_layout.Unreadable(f"not readable: {error.GetCString()}")
        return found

    def size(self):
        return self.value.GetType().GetCanonicalType().GetPointeeType().GetByteSize()

    def shown(self):
        # Its summary, else its value, as `frame variable` would show it.
        stream = lldb.SBStream()
        self.value.GetDescription(stream)
        return self.value.GetSummary() or self.value.GetValue() or stream.GetData().partition(" = ")[2].strip()

    def newest_trace(self):
        found = self.value.GetTarget().FindGlobalVariables(NEWEST_TRACE, 100)
        for i in range(found.GetSize()):
            one = found.GetValueAtIndex(i)
            if one.GetType().GetName() == "collet::detail::Trace *":
                return LldbValue(one)
        raise self.no_debug_information("collet::detail::Trace")


def summary(function):
    return lambda value, _: collet_layout.show(function, LldbValue(value))


for _name, _pattern, _function in collet_layout.SHOWN:
    globals()[f"show_{_name}"] = summary(_function)


def __lldb_init_module(debugger, _):
    category = debugger.CreateCategory("collet")
    for name, pattern, _ in collet_layout.SHOWN:
        made = lldb.SBTypeSummary.CreateWithFunctionName(
            f"{__name__}.show_{name}", lldb.eTypeOptionCascade | lldb.eTypeOptionHideChildren)
        category.AddTypeSummary(lldb.SBTypeNameSpecifier(pattern, True), made)
    category.SetEnabled(True)
