"""Namespaces: what src/ROOM declares is in wordbreadth::ROOM, in an anonymous namespace, or in a public header.

A file that defines public functions opens `namespace wordbreadth`, and there defines only what a header in include/ declares.
"""

from pathlib import Path

import cpp
import project
import rooms


def public_names(root: Path) -> set:
    """(namespace, name) of all that the public headers declare."""
    return {
        (found.namespace, found.name)
        for path in rooms.sources(root / "include")
        for found in cpp.declarations(path.read_text(encoding="utf-8"))
    }


def is_fault(found: cpp.Declaration, room: str, public: set) -> bool:
    space, name = found.namespace, found.name.split("::")[0]  # the class of a member, or the room of a function
    full = (*space, name) if name != found.name else space
    if "" in space or ("wordbreadth", room) in (space[:2], full[:2]) or (space, name) in public:
        return False
    if not space:  # other libraries' types may be declared, and the program has its main
        return found.has_body and found.name != "main"
    return space[0] == "wordbreadth"


def faults(root: Path):
    public = public_names(root)
    for path in rooms.sources(root / "src"):
        name = path.relative_to(root)
        room = name.parts[1]
        for found in cpp.declarations(path.read_text(encoding="utf-8")):
            if is_fault(found, room, public):
                full = "::".join((*found.namespace, found.name))
                yield f"{name}:{found.line}: {full} is neither public nor in wordbreadth::{room}"


if __name__ == "__main__":
    project.run("namespaces", faults)
