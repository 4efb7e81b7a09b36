"""Docs: every C++ snippet stands in a file that is compiled, every link leads somewhere, every stage of --timing is explained.

A snippet is a ```cpp block right after `<!-- from: examples/FILE -->`; it must occur in FILE as it is, apart from a common
indentation. A ```cpp block without such a line is a fault.
"""

import re
import textwrap
from pathlib import Path

import project

SNIPPET = re.compile(r"(?:<!-- from: (\S+) -->\n)?```cpp\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```.*?```", re.DOTALL)  # where [](x) is a lambda, not a link
STAGE = re.compile(r'(?:Timing::Stage \w+\(|\btimed\()[^";]*?,\s*"([^"]+)"')
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)[^)]*\)")


def code(text: str) -> list:
    return [line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines()]


def stands_in(snippet: list, source: Path) -> bool:
    body = source.read_text(encoding="utf-8").splitlines()
    return any(code("\n".join(body[i : i + len(snippet)])) == snippet for i in range(len(body)))


def snippet_faults(root: Path, page: Path, text: str):
    for source, snippet in SNIPPET.findall(text):
        first = snippet.strip().splitlines()[0]
        if not source:
            yield f"{page}: the snippet that begins with `{first}` does not say which file it is from"
        elif not (root / source).is_file():
            yield f"{page}: a snippet is from {source}, which does not exist"
        elif not stands_in(code(snippet), root / source):
            yield f"{page}: the snippet that begins with `{first}` is not in {source} as it stands here"


def stage_faults(root: Path):
    page = root / "docs" / "timing.md"
    known = page.read_text(encoding="utf-8") if page.is_file() else ""
    for path in project.files(root / "src"):
        if path.suffix in {".h", ".cc", ".cu"}:
            for stage in STAGE.findall(path.read_text(encoding="utf-8")):
                if stage not in known:
                    yield f"docs/timing.md: lacks the stage `{stage}` of {path.relative_to(root)}"


def faults(root: Path):
    yield from stage_faults(root)
    for path in project.files(root):
        if path.suffix != ".md":
            continue
        page, text = path.relative_to(root), path.read_text(encoding="utf-8")
        yield from snippet_faults(root, page, text)
        for target in LINK.findall(BLOCK.sub("", text)):
            if not (path.parent / target).exists():
                yield f"{page}: links to {target}, which does not exist"


if __name__ == "__main__":
    project.run("docs", faults)
