"""C++ as far as the checks need it: tokens, and the names that a file declares at namespace scope."""

import re
from collections import namedtuple

Token = namedtuple("Token", "kind text line")
# namespace: ("wordbreadth", "base"), where "" is an anonymous one; name: as it is written, `Store::size` of a member;
# has_body: a function or a type is defined here.
Declaration = namedtuple("Declaration", "namespace name line has_body")

TOKEN = re.compile(
    r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
      | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark_>::|->|\[\[|\]\]|[^\s\w])""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
OPEN, CLOSE = {"(": ")", "{": "}", "[": "]", "[[": "]]"}, {")", "}", "]", "]]"}
CALLS = {"alignas", "decltype", "noexcept", "explicit", "requires", "__attribute__", "__launch_bounds__", "__align__", "declspec"}
QUALIFIERS = {"inline", "constexpr", "static", "extern", "const", "volatile", "virtual", "explicit", "consteval", "constinit"}


def tokens(text: str):
    line, end = 1, 0
    for found in TOKEN.finditer(text):
        line += text.count("\n", end, found.start())
        end = found.start()
        yield Token(found.lastgroup.rstrip("_") if found.lastgroup != "mark" else "string", found.group(), line)


def code(text: str) -> list:
    """The tokens that the compiler sees: no comments, no directives."""
    return [token for token in tokens(text) if token.kind not in {"comment", "directive"}]


def after_group(row: list, at: int) -> int:
    """The place behind the bracket that closes the one at `at`."""
    closing, at = [OPEN[row[at].text]], at + 1
    while at < len(row) and closing:
        text = row[at].text if row[at].kind == "mark" else ""
        if text in OPEN:
            closing.append(OPEN[text])
        elif text == closing[-1]:
            closing.pop()
        elif text in {"[[", "]]"} or (text in CLOSE and closing[-1] == "]]"):  # a[b[0]]: two brackets, no attribute
            closing[-1:] = ["]"] if text == "[[" else []
            if text == "]]" and closing and closing[-1] == "]":
                closing.pop()
        at += 1
    return at


def after_angles(row: list, at: int) -> int:
    """The place behind the > that closes the < at `at`; `at` + 1 where it is a comparison."""
    depth, place = 0, at
    while place < len(row):
        text = row[place].text
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return place + 1
        elif text in {";", "{"}:
            break
        elif text in OPEN:
            place = after_group(row, place)
            continue
        place += 1
    return at + 1


def name_before(row: list) -> str:
    """The name that `row` ends with, with its qualification: Store::size of `int Store::size`."""
    parts, at = [], len(row)
    while at and row[at - 1].kind == "name":
        parts.insert(0, row[at - 1].text)
        at -= 1
        if at and row[at - 1].text == "~":
            at -= 1
        if not (at and row[at - 1].text == "::"):
            break
        at -= 1
    while len(parts) > 1 and parts[0] == "wordbreadth":
        parts.pop(0)
    return "::".join(parts)


def flat(statement: list) -> list:
    """A statement without attributes, template arguments and the brackets of alignas(...) and the like."""
    out, at = [], 0
    while at < len(statement):
        token = statement[at]
        if token.text == "[[" and token.kind == "mark":
            at = after_group(statement, at)
        elif token.text in CALLS and at + 1 < len(statement) and statement[at + 1].text == "(":
            at = after_group(statement, at + 1)
        elif token.text == "<" and out and out[-1].kind == "name" and out[-1].text != "operator":
            at = after_angles(statement, at)
        else:
            out.append(token)
            at += 1
    return out


def declared(statement: list) -> str:
    """The name that a statement at namespace scope declares, or "" where it declares none."""
    row = flat(statement)
    while row and row[0].text in QUALIFIERS | {"template"}:
        row = row[1:]
    if row and row[0].kind == "string":  # extern "C"
        row = row[1:]
    if not row or row[0].text in {"static_assert", "friend"} or row[0].kind != "name" and row[0].text != "::":
        return ""
    first, rest = row[0].text, [token for token in row[1:] if token.text not in {"final"}]
    if first == "using" or first == "namespace":
        if rest and rest[0].text == "namespace":
            return ""
        if len(rest) > 1 and rest[1].text == "=":
            return rest[0].text
        return rest[-1].text if rest else ""
    if first in {"struct", "class", "union", "enum", "concept"}:
        names = [token for token in rest if token.text not in {"class", "struct"}]
        end = next((at for at, token in enumerate(names) if token.kind != "name" and token.text != "::"), len(names))
        if not any(token.text == "(" for token in names[: end + 1]):
            qualified = next((at for at in range(1, end, 2) if names[at].text != "::"), end)
            return name_before(names[:qualified])
    for at, token in enumerate(row):
        if token.text == "operator":
            qualified = name_before(row[: at - 1]) if at and row[at - 1].text == "::" else ""
            symbol = "".join(part.text for part in row[at + 1 : at + 4] if part.text not in {"(", ")"} or part is row[at + 1])
            return qualified or "operator" + re.match(r"\W*|\w+", symbol).group()
        if token.text in {"(", "=", "{", "["} or token.text == ":" and token.kind == "mark":
            return name_before(row[:at])
    return name_before(row)


def statement_end(row: list, at: int) -> tuple:
    """(end, next) of the statement at `at`: its tokens end before a body, and the next statement begins at `next`."""
    start = at
    while at < len(row):
        text = row[at].text if row[at].kind == "mark" else ""
        if text == ";":
            return at, at + 1
        if text == "{":
            close = after_group(row, at)
            if close < len(row) and row[close].text == ";":  # a type, or a variable with its value
                return at, close + 1
            if close < len(row) and row[close].text in {"{", ","}:  # a member's value in a constructor's list
                at = close
                continue
            while close < len(row) and row[close].text == "catch":
                close = after_group(row, after_group(row, close + 1))
            return at, close
        at = after_group(row, at) if text in OPEN else at + 1
    return at, max(at, start + 1)


def declarations(text: str):
    """Every Declaration at namespace scope, in order."""
    row, at, spaces = code(text), 0, []
    while at < len(row):
        token = row[at]
        if token.text == "}" and spaces:
            spaces.pop()
            at += 1
            continue
        if token.text == "inline" and at + 1 < len(row) and row[at + 1].text == "namespace":
            at += 1
            token = row[at]
        if token.text == "namespace":
            opening = next((place for place in range(at, len(row)) if row[place].text in {"{", ";"}), len(row) - 1)
            if row[opening].text == "{":
                names = [part.text for part in row[at + 1 : opening] if part.kind == "name"]
                spaces.append(tuple(names) or ("",))
                at = opening + 1
                continue
        if token.text == "extern" and at + 2 < len(row) and row[at + 1].kind == "string" and row[at + 2].text == "{":
            spaces.append(())
            at += 3
            continue
        end, following = statement_end(row, at)
        name = declared(row[at:end])
        if name:
            has_body = end < len(row) and row[end].text == "{"
            yield Declaration(tuple(part for space in spaces for part in space), name, token.line, has_body)
        at = following
