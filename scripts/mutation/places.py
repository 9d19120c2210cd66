"""Where a fault can be planted in C++ that clang-format wrote: binary operators are those with space on both sides."""

import collections
import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<hash>^[ \t]*\#(?:[^\n\\]|\\.)*)
    |(?P<text>R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
    |(?P<number>\d(?:'?[\w.])*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|<=>|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
RANK = {"*": 9, "/": 9, "%": 9, "+": 8, "-": 8, "<<": 7, ">>": 7, "<": 6, "<=": 6, ">": 6, ">=": 6, "==": 5, "!=": 5,
        "&": 4, "^": 3, "|": 2, "&&": 1, "||": 0}
INSTEAD = {"*": "+", "/": "*", "%": "/", "+": "-", "-": "+", "<<": ">>", ">>": "<<", "<": "<=", "<=": "<", ">": ">=",
           ">=": ">", "==": "!=", "!=": "==", "&": "|", "^": "|", "|": "&", "&&": "||", "||": "&&"}
OPENED = {")": "(", "]": "[", "}": "{", ">": "<"}
CLOSED = {opened: closed for closed, opened in OPENED.items()}
ENDS = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "return", "co_return"}
# A statement with one of these has nothing that could be decided when the program runs, or declares.
# Not here: no x86-64 Linux has them.
ELSEWHERE = {"_WIN32", "__APPLE__", "__ANDROID__", "__aarch64__", "_M_ARM64"}
FIXED = {"constexpr", "static_assert", "case", "template", "enum", "using", "operator", "assert", "static", "thread_local"}


def labels(text):
    """Macros of this file with a case in them: a switch jumps into the middle, whatever stands before."""
    macros = re.finditer(r"^[ \t]*#define (\w+)((?:[^\n\\]|\\.|\\\n)*)", text, re.MULTILINE)
    return {macro[1] for macro in macros if re.search(r"\bcase\b", macro[2])}


def left_out(text):
    """(begin, end) of what this system does not compile, as far as single names say so."""
    spans, opened = [], []  # of each #if: [whether one of its parts is compiled for sure, where a part began that is not]
    for line in re.finditer(r"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)$", text, re.MULTILINE):
        word, rest = line[1], line[2].strip()
        if word.startswith("if"):
            opened.append([False, None])
        if not opened:
            continue
        if opened[-1][1] is not None:
            spans.append((opened[-1][1], line.start()))
            opened[-1][1] = None
        name = re.fullmatch(r"(!?)(?:defined\(?)?(\w+)\)?", rest)
        absent = word in ("ifdef", "if", "elif") and name and not name[1] and name[2] in ELSEWHERE
        present = name and name[2] in ELSEWHERE and (word == "ifndef" or name[1] == "!")
        if word == "endif":
            opened.pop()
        elif absent or (word in ("elif", "else") and opened[-1][0]):
            opened[-1][1] = line.end()
        elif present:
            opened[-1][0] = True
    return spans


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    begin: int
    end: int
    spaced: bool = False  # on both sides


@dataclasses.dataclass
class Fault:
    file: str
    begin: int
    end: int
    kind: str  # "expression", "condition" or "statement"
    what: str
    planted: str  # what stands there when the fault is on, of an expression
    line: int
    shown: str  # the line
    number: int = 0
    place: str = ""  # ", 2 of 3" where the same change is possible three times in lines that read the same

    def key(self):
        """Of this fault and no other of the file."""
        return f"{self.file} | {self.shown} | {self.what}{self.place}"

    def rewritten(self, original):
        if self.kind == "statement":
            return f"{{ if (!collet_fault({self.number})) {{ {original} }} }}"
        if self.kind == "condition":
            return f"collet_fault({self.number}) != static_cast<bool>({original})"
        return f"(collet_fault({self.number}) ? ({self.planted}) : ({original}))"


def tokens_of(text):
    tokens = []
    for match in TOKEN.finditer(text):
        if match.lastgroup not in ("space", "hash"):
            before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end(),
                                before.isspace() and after.isspace()))
    return tokens


class Source:
    """The tokens of one file, and the extents of expressions and statements in it."""

    def __init__(self, name, text):
        self.name, self.text, self.tokens = name, text, tokens_of(text)
        self.labels = labels(text)
        self.partner = {}
        self.around = []  # the opening brace around each token, or -1
        open_ones, braces = [], [-1]
        for i, token in enumerate(self.tokens):
            if token.text == "}" and len(braces) > 1:
                braces.pop()
            self.around.append(braces[-1])
            if token.text == "{":
                braces.append(i)
            if token.spaced and token.text in "<>":
                continue
            if token.text in CLOSED:
                open_ones.append(i)
            elif token.text in OPENED:
                while open_ones and self.tokens[open_ones[-1]].text == "<" and token.text != ">":
                    open_ones.pop()  # no bracket after all
                if open_ones and self.tokens[open_ones[-1]].text == OPENED[token.text]:
                    self.partner[i] = open_ones.pop()
                    self.partner[self.partner[i]] = i

    def is_operator(self, i):
        return self.tokens[i].spaced and self.tokens[i].text in RANK

    def left(self, i):
        """The first token of what stands left of operator i."""
        rank, at = RANK[self.tokens[i].text], i
        while at > 0:
            before, text = at - 1, self.tokens[at - 1].text
            if text in ENDS or (text in CLOSED and not self.is_operator(before)):
                break
            if self.is_operator(before) and RANK[text] < rank:
                break
            # What follows a block or a condition is a statement of its own.
            if text in ")}" and self.tokens[at].kind != "sign":
                break
            at = self.partner.get(before, before) if text in OPENED and not self.is_operator(before) else before
        return at

    def right(self, i):
        """The last token of what stands right of operator i."""
        rank, at = RANK[self.tokens[i].text], i
        while at + 1 < len(self.tokens):
            after, text = at + 1, self.tokens[at + 1].text
            if text in ENDS or (text in OPENED and not self.is_operator(after)):
                break
            if self.is_operator(after) and RANK[text] <= rank:
                break
            at = self.partner.get(after, after) if text in CLOSED and not self.is_operator(after) else after
        return at

    def head(self, i):
        """The words of the statement of token i, up to it."""
        words = set()
        while i >= 0 and self.tokens[i].text not in (";", "{", "}"):
            if self.tokens[i].text != "constexpr" or self.tokens[i - 1].text != "if":
                words.add(self.tokens[i].text)
            i -= 1
        return words

    def is_fixed(self, i):
        """Whether nothing at token i is decided when the program runs: declarations, members, constexpr functions."""
        if self.head(i) & FIXED:
            return True
        around = self.around[i]
        if around >= 0 and self.head(around - 1) & {"struct", "class", "union", "enum", "namespace"}:
            return True
        while around >= 0:
            if self.head(around - 1) & {"constexpr", "enum"}:
                return True
            around = self.around[around]
        return False

    def fault(self, begin, end, kind, what, planted):
        line_begin = self.text.rfind("\n", 0, begin) + 1
        line = self.text[line_begin : self.text.find("\n", begin)].strip()
        return Fault(self.name, begin, end, kind, what, planted, self.text.count("\n", 0, begin) + 1, line)

    def operators(self):
        for i, token in enumerate(self.tokens):
            if self.is_operator(i) and not self.is_fixed(i):
                left, right = self.left(i), self.right(i)
                if token.text == "+" and any(one.kind == "text" for one in self.tokens[left : right + 1]):
                    continue  # strings are joined, and have no other operator
                first, last = self.tokens[left], self.tokens[right]
                instead = INSTEAD[token.text]
                planted = self.text[first.begin : token.begin] + instead + self.text[token.end : last.end]
                yield self.fault(first.begin, last.end, "expression", f"{token.text} becomes {instead}", planted)

    def constants(self):
        for i, token in enumerate(self.tokens):
            match = re.fullmatch(r"(\d+)(u?)", token.text)
            instead = {"true": "false", "false": "true"}.get(token.text)
            if match and not (len(match[1]) > 1 and match[1][0] == "0"):
                instead = str(int(match[1]) + 1) + match[2]
            if instead and not self.is_fixed(i):
                yield self.fault(token.begin, token.end, "expression", f"{token.text} becomes {instead}", instead)

    def conditions(self):
        for i, token in enumerate(self.tokens):
            if token.text != "if" or self.tokens[i + 1].text != "(" or i + 1 not in self.partner:
                continue
            inside = self.tokens[i + 2 : self.partner[i + 1]]
            if not inside or inside[0].text in ("const", "auto") or any(one.text in (";", "=") for one in inside):
                continue
            begin, end = inside[0].begin, inside[-1].end
            if not self.is_fixed(i):
                yield self.fault(begin, end, "condition", "a condition is negated", "")

    def statements(self):
        for i, token in enumerate(self.tokens[:-1]):
            before, begin = self.tokens[i - 1].text if i else "", token.begin
            if before == ")" and self.tokens[i - 2].text == "void":
                before, begin = self.tokens[i - 4].text, self.tokens[i - 3].begin  # (void)f();
            if before not in (";", "{", "}", ")", "else") or token.kind != "word" and token.text not in ("++", "--"):
                continue
            at = i
            while self.tokens[at].text in ("++", "--"):
                at += 1
            while self.tokens[at + 1].text in ("::", ".", "->", "["):
                at = self.partner.get(at + 1, at + 1) if self.tokens[at + 1].text == "[" else at + 2
            follows = self.tokens[at + 1].text
            if token.text in ("return", "if", "for", "while", "switch", "const", "COLLET_TRY") or self.is_fixed(i):
                continue
            if token.text in self.labels:
                continue
            if follows not in ("(", "++", "--", ";") and (follows not in ENDS or not follows.endswith("=")):
                continue
            if follows == ";" and at == i:
                continue  # break, continue
            while at < len(self.tokens) and self.tokens[at].text not in (";", ")", "]", "}"):
                at = self.partner.get(at, at) if self.tokens[at].text in CLOSED else at
                at += 1
            if at < len(self.tokens) and self.tokens[at].text == ";":
                yield self.fault(begin, self.tokens[at].end, "statement", "a statement is left out", "")


def faults_of(name, text):
    source = Source(name, text)
    elsewhere = left_out(text)
    faults = [fault for fault in (*source.operators(), *source.constants(), *source.conditions(), *source.statements())
              if not any(begin <= fault.begin < end for begin, end in elsewhere)]
    alike = collections.defaultdict(list)
    for fault in faults:
        alike[fault.key()].append(fault)
    for some in alike.values():
        some.sort(key=lambda fault: (fault.begin, fault.end))
        for at, fault in enumerate(some, 1):
            fault.place = f", {at} of {len(some)}" if len(some) > 1 else ""
    return faults
