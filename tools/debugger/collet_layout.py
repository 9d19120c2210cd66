"""How values of Collet's types are shown in a debugger, for collet_gdb.py and collet_lldb.py, which load it.

Both hand over values as subclasses of Value. Names of private members, Collet's and those of libstdc++, are in this file only; one
that is not there is told in place of the value.
"""

import struct

LONGEST_TEXT = 4096  # bytes of a string; memory that nobody has written yet may claim any length
MOST_LINES = 64  # of an error's While chain
MOST_TRACES = 1024

STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
LONG_NAMES = ((STRING, "std::string"),)


class Unreadable(Exception):
    """Why a value can't be shown, in words."""


class Value:
    """A value of the program, by one debugger's means. Each method raises Unreadable where it can't."""

    def member(self, name):
        """One of a struct, or of what it derives from."""
        raise NotImplementedError

    def target(self):
        """What a pointer points at."""
        raise NotImplementedError

    def element(self, index):
        """Of an array, or of the array that a pointer points at."""
        raise NotImplementedError

    def number(self):
        """A number, an address or a bool as an int."""
        raise NotImplementedError

    def enumerator(self):
        """The name without its scope, or the number where it has none."""
        raise NotImplementedError

    def argument(self):
        """The name of the first template argument of its type."""
        raise NotImplementedError

    def memory(self, length):
        """Bytes from where a pointer points."""
        raise NotImplementedError

    def size(self):
        """Of what a pointer points at, in bytes."""
        raise NotImplementedError

    def shown(self):
        """As the debugger shows it."""
        raise NotImplementedError

    def newest_trace(self):
        """The pointer collet::detail::(anonymous namespace)::newest."""
        raise NotImplementedError

    def no_member(self, type_name, name):
        return Unreadable(f"not readable: {type_name} has no member {name}; these printers are for another version of Collet")

    def no_debug_information(self, type_name):
        return Unreadable(f"not readable: libcollet has no debug information of {type_name}; build Collet with -g")


# ---- libstdc++


def text(string):
    length = string.member("_M_string_length").number()
    start = string.member("_M_dataplus").member("_M_p")
    if length == 0:
        return ""
    taken = min(length, LONGEST_TEXT)
    return start.memory(taken).decode("utf-8", "replace") + ("..." if length > taken else "")


def vector(values):
    """The number of elements, and a pointer to the first."""
    start = values.member("_M_impl").member("_M_start")
    end = values.member("_M_impl").member("_M_finish")
    size = max(start.size(), 1)
    return (end.number() - start.number()) // size, start


def shared(pointer):
    return pointer.member("_M_ptr")


def alternative(variant, index):
    place = variant.member("_M_u")
    for _ in range(index):
        place = place.member("_M_rest")
    return place.member("_M_first").member("_M_storage")


def optional(value):
    """What it holds, or None."""
    payload = value.member("_M_payload")
    if payload.member("_M_engaged").number() == 0:
        return None
    return payload.member("_M_payload").member("_M_value")


def argument(value):
    """The first template argument of its type, as a program writes it."""
    name = value.argument()
    for longer, shorter in LONG_NAMES:
        name = name.replace(longer, shorter)
    while "> >" in name:
        name = name.replace("> >", ">>")
    return name


# ---- Error and Result


def error(value):
    """(code, lines): the lines are those of Error::describe()."""
    body = shared(value.member("body_"))
    if body.number() == 0:
        raise Unreadable("no error: not constructed yet")
    body = body.target()
    lines = [text(body.member("message"))]
    name = text(body.member("native_name"))
    if name:
        lines.append(f"  Native code: {name} ({body.member('native_code').number()})")
    count, first = vector(body.member("context"))
    for i in range(min(count, MOST_LINES)):
        lines.append("  While " + text(first.element(i)))
    hint = text(body.member("hint"))
    if hint:
        lines.append("  Hint: " + hint)
    return body.member("code").enumerator(), lines


def show_error(value):
    code, lines = error(value)
    return f"{code}: " + "\n".join(lines)


def show_result(value):
    of = argument(value)
    if of == "void":
        failure = optional(value.member("error_"))
    else:
        state = value.member("state_")
        index = state.member("_M_index").number()
        if index > 1:
            raise Unreadable("neither a value nor an error: not constructed yet")
        if index == 0:
            return f"value of type {of}: {alternative(state, 0).shown()}"
        failure = alternative(state, 1)
    if failure is None:
        return "value of type void"
    code, lines = error(failure)
    return f"error ({code}): {lines[0]}"


# ---- Buffer, Device and Event


def state(handle):
    object_ = handle.member("state_").member("object_")
    if object_.number() == 0:
        raise Unreadable("no state: not constructed yet")
    return object_.target()


def facts(device):
    """Of a DeviceState: the id and the name."""
    facts_ = shared(device.member("facts"))
    if facts_.number() == 0:
        return "", ""
    return text(facts_.target().member("id")), text(facts_.target().member("name"))


def show_buffer(value):
    count = value.member("count_").number()
    buffer = state(value)
    label = text(buffer.member("label"))
    device = buffer.member("device").member("object_")
    of = f"Buffer<{argument(value)}>"
    if device.number() == 0:
        return f"{of} of no device: it was made without one, or moved from"
    elements = "1 element" if count == 1 else f"{count} elements"
    return f"{of} " + (f'"{label}", ' if label else "of ") + f"{elements} on {facts(device.target())[0]}"


def show_device(value):
    device = state(value)
    name = facts(device)
    if name[0].startswith(":"):  # of no backend
        return "Device that was moved from"
    return f"Device {name[0]}, {name[1]}"


def show_event(value):
    event = state(value)
    point = event.member("value").number()
    failure = optional(event.member("failure"))
    if failure is not None:
        code, lines = error(failure)
        return f"Event {point}, failed ({code}): {lines[0]}"
    stream = event.member("stream").member("object_")
    if stream.number() == 0:
        return f"Event {point} of no stream"
    label = text(stream.target().member("options").member("label"))
    done = point <= stream.target().member("completed_").number()
    return f"Event {point} of [Stream \"{label}\"], " + ("done" if done else "not known to be done")


# ---- The kernel language

FORMATS = {"f32": "<f", "f64": "<d", "f16": "<e", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q"}


def type_text(kind):
    scalar = kind.member("scalar").enumerator()
    width = kind.member("width").number()
    name = "bool" if scalar == "boolean" else scalar
    return name + (f"x{width}" if width > 1 else "")


def constant(kind, bits):
    if kind == "bool":
        return "true" if bits else "false"
    form = FORMATS.get(kind)
    if form is None:
        return str(bits)
    number = struct.unpack(form, bits.to_bytes(8, "little")[: struct.calcsize(form)])[0]
    return f"{number:.9g}" if kind == "f32" else str(number)


def immediate(op, kind, bits, kernel):
    """What an operation has besides its arguments, where that says something."""
    if op == "constant":
        return " " + constant(kind, bits)
    if op in ("global_id", "local_id", "group_id", "group_size", "group_count", "element_count", "result", "argument"):
        return f" {bits}"
    if op == "extract":
        return f", {bits}"
    if op in ("parameter", "length"):
        where = "parameters" if op == "parameter" else "memories"
        return " " + named(kernel.member(where), bits & 0xFFFFFFFF)
    return ""


def named(values, index):
    count, first = vector(values)
    return text(first.element(index).member("name")) if index < count else "?"


def node_text(node, kernel):
    op = node.member("op").enumerator().rstrip("_")
    elements = node.member("arguments").member("_M_elems")
    arguments = [f"%{elements.element(i).number()}" for i in range(min(node.member("count").number(), 4))]
    bits = node.member("immediate").number()
    words = " "
    if op in ("load", "store") or op.startswith("atomic_"):
        words = f" {named(kernel.member('memories'), bits & 0xFFFFFFFF)}[{arguments.pop(0)}]" + (", " if arguments else "")
    kind = type_text(node.member("type"))
    return f"{op}{words}{', '.join(arguments)}".rstrip() + immediate(op, kind, bits, kernel)


def traced(value, member):
    """The node that it stands for, in words."""
    held = value.member(member)
    node, serial = held.member("id").number(), held.member("trace").number()
    trace = held.newest_trace()
    for _ in range(MOST_TRACES):
        if trace.number() == 0:
            break
        now = trace.target()
        if now.member("serial_").number() == serial:
            kernel = now.member("kernel_")
            count, first = vector(kernel.member("nodes"))
            if node >= count:  # not constructed yet
                return f"%{node}, which its kernel does not have"
            return f"%{node} = {node_text(first.element(node), kernel)}"
        trace = now.member("older_")
    return f"%{node} of a kernel that is not traced now"


def show_expr(value):
    return f"Expr<{argument(value)}> {traced(value, 'value_')}"


def show_var(value):
    return f"Var<{argument(value)}> {traced(value, 'variable_')}"


# By regular expressions of the names that types have.
SHOWN = (
    ("Result", r"^collet::Result<.*>$", show_result),
    ("Error", r"^collet::Error$", show_error),
    ("Buffer", r"^collet::Buffer<.*>$", show_buffer),
    ("Device", r"^collet::Device$", show_device),
    ("Event", r"^collet::Event$", show_event),
    ("Expr", r"^collet::Expr<.*>$", show_expr),
    ("Var", r"^collet::Var<.*>$", show_var),
)


def show(function, value):
    try:
        return function(value)
    except Unreadable as why:
        return f"<{why}>"
