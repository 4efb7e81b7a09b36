"""Every option of every command has its parameter in the package, and the same results, bit for bit."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from cases import SURFACES, Case, Surface
from commands import COMMANDS, WITHOUT, names_of_commands, options_of
from stores import flags, make_wordnet, without_times

import wordbreadth as wb

EXECUTION = {"device", "threads", "instruction-set"}  # change no result
ELSEWHERE = {
    ("extract", "out"): "every extraction here has it",
    ("extract", "corpus"): "every extraction here has it",
    ("extract", "resume"): "test_a_plan_is_resumed_without_the_corpus",
    ("extract", "part"): "test_parts.py",
    ("extract", "mecab-dictionary"): "needs a Japanese model and a dictionary of 150 MB",
    ("test", "null"): "test_the_null_distribution",
    ("pairs", "part"): "test_parts.py",
    ("pairs", "out"): "test_parts.py",
    ("merge", "threads"): "changes no result",
    ("pairs", "pairs"): "test_listed_pairs_are_the_program_s",
    ("compare", "force"): "test_stores_that_differ_are_compared_only_by_force",
    ("export", "out"): "every export here has it",
}


def test_every_command_has_a_function(printed):
    assert set(names_of_commands(printed.path)) == set(COMMANDS) | set(WITHOUT)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_parameter(name, printed):
    command = COMMANDS[name]
    options = options_of(printed.path, name)
    parameters = {parameter for function in command.functions for parameter in inspect.signature(function).parameters}
    wanted = options - set(command.without)
    missing = [each for each in wanted if command.renamed.get(each, each.replace("-", "_")) not in parameters]
    assert not missing, f"{name}: a parameter is missing, or a reason in commands.py"
    assert set(command.renamed) | set(command.without) <= options, f"{name}: commands.py has options that are gone"


# ---- The same results


@pytest.fixture(scope="module")
def world(store, other, model, corpus, printed, tmp_path_factory) -> SimpleNamespace:
    """What the cases refer to, and the program."""
    folder = tmp_path_factory.mktemp("world")
    lines = Path(corpus).read_text().splitlines()
    files = {
        "words": "bank\nthing\ncell\n",
        "references": "tree\nplant\n",
        "sensed": "tree\nbank\n",
        "latin1": "\n".join(line.replace("old", "\xe9") for line in lines),
        "annotated": "".join(map(annotated, lines)),
        "labelled": "".join(
            json.dumps({"text": line, "label": line.split()[0], "document": str(i % 7)}) + "\n"
            for i, line in enumerate(lines)
        ),
        "repeated": "\n".join(lines + lines[:200]),
    }
    endings = {"annotated": "conllu", "labelled": "jsonl"}
    places = {name: folder / f"{name}.{endings.get(name, 'txt')}" for name in files}
    for name, text in files.items():
        places[name].write_text(text, encoding="latin1")
    wordnet = make_wordnet(folder / "wordnet")
    cpu = next(device for device in wb.devices() if device.name == "cpu")
    places |= {"store": store.folder, "other": other.folder, "model": model, "corpus": corpus, "wordnet": wordnet}
    places["layers"] = str(folder / "layers.store")
    documents = [folder / f"{i}.txt" for i in range(4)]
    for i, document in enumerate(documents):
        document.write_text("\n".join(lines[i::4]))
    wb.extract(model, documents, places["layers"], layer=[1, 2], min_count=20, max_tokens=32)
    places["instruction_set"] = cpu.instruction_sets[-1]
    # A processor without the instructions for it computes in f32.
    rounds = wb.Encoder(model, max_tokens=32, precision="bf16").precision == "bf16"
    without_effect = EXECUTION if rounds else EXECUTION | {"dtype"}
    return SimpleNamespace(
        store=store,
        other=other,
        model=model,
        lexicon=wb.WordNet(wordnet),
        places=places,
        printed=printed,
        without_effect=without_effect,
        known={},
    )


def annotated(line: str) -> str:
    """A sentence as CoNLL-U: words ending in s have lemmas without it, and every other one is a noun."""
    rows = (
        f"{i}\t{word}\t{word.rstrip('s')}\t{'NOUN' if len(word) % 2 else 'VERB'}\t_\t_\t0\troot\t_\t_\n"
        for i, word in enumerate(line.split(), 1)
    )
    return f"# text = {line}\n{''.join(rows)}\n"


def filled(value: object, world: SimpleNamespace) -> object:
    return value.format(**world.places) if isinstance(value, str) else value


def of_the_package(world: SimpleNamespace, surface: Surface, case: Case, out: Path) -> object:
    given = {name: filled(value, world) for name, value in (surface.base | case.base | case.given).items()}
    if surface.read:
        surface.ours(world, out, **given)
        return surface.read(out)
    found = surface.ours(world, **given)
    return without_times(found if isinstance(found, dict) else found.to_dict())


def spelled(given: dict) -> dict:
    """Under the names that the program has for them."""
    names = {"precision": "dtype", "references": "reference"}
    return {names.get(name, name): value for name, value in given.items()}


def of_the_program(world: SimpleNamespace, surface: Surface, case: Case, out: Path) -> object:
    base = {name: value for name, value in (surface.base | case.base).items() if name not in case.given}
    options = flags(spelled(base)) + (case.options.split() if case.options else flags(spelled(case.given)))
    words = [filled(word, world) for word in [*surface.arguments.split(), *options]]
    if surface.read:
        world.printed.run(surface.command, *words, "--out", out)
        return surface.read(out)
    return without_times(surface.part(world.printed(surface.command, *words, check=False)))


def all_cases() -> list:
    return [
        pytest.param(surface, case, id=f"{name} {case}")
        for name, surface in SURFACES.items()
        for case in [Case({}), *surface.cases]
    ]


@pytest.mark.parametrize(("surface", "case"), all_cases())
def test_results_are_the_program_s(surface, case, world, tmp_path):
    ending = ".npz" if surface.command == "export" else ""
    theirs = of_the_program(world, surface, case, tmp_path / f"theirs{ending}")
    assert of_the_package(world, surface, case, tmp_path / f"ours{ending}") == theirs
    if case.given and not options_named(surface, case) <= world.without_effect:
        key = (id(surface), str(case.base))
        if key not in world.known:
            world.known[key] = of_the_program(world, surface, Case({}, "", case.base), tmp_path / f"base{ending}")
        assert theirs != world.known[key], "the option has no effect here"


def options_named(surface: Surface, case: Case) -> set[str]:
    given = case.options.split() if case.options else flags(spelled(case.given))
    return {option[2:] for option in given if option.startswith("--")}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_compared(name, printed):
    surfaces = [surface for surface in SURFACES.values() if surface.command == name]
    compared = {option for surface in surfaces for case in surface.cases for option in options_named(surface, case)}
    compared |= {option for surface in surfaces for option in re.findall(r"--([a-z-]+)", surface.arguments)}
    elsewhere = {option for command, option in ELSEWHERE if command == name}
    wanted = options_of(printed.path, name) - set(COMMANDS[name].without)
    assert wanted - compared == elsewhere


def test_devices_and_info_are_the_program_s(store, printed):
    assert store.info().to_dict() == printed("info", store.folder)
    theirs = {each["name"]: each for each in printed("devices")["devices"]}
    for device in wb.devices():
        assert theirs[device.name]["available"] == device.available


def test_layers_are_the_program_s(model, corpus, printed, tmp_path):
    made = wb.extract(model, corpus, tmp_path / "layers.store", layer=[1, 2], min_count=20, max_tokens=32)
    for layer in made.layers:
        store = wb.Store(made.folder, layer=layer)
        option = ("--layer", layer)
        assert without_times(store.rank().to_dict()) == without_times(printed("rank", made.folder, *option))
        theirs = printed("test", f"{made.folder}:bank", f"{made.folder}:river", *option)
        assert without_times(store.test("bank", "river").to_dict()) == without_times(theirs)
        assert without_times(wb.pairs(store).to_dict()) == without_times(
            printed("pairs", made.folder, "--all", *option)
        )


def test_listed_pairs_are_the_program_s(store, printed, tmp_path):
    (tmp_path / "pairs.tsv").write_text("bank\ttree\nthing\tbank\n")
    theirs = printed("pairs", store.folder, "--pairs", tmp_path / "pairs.tsv")
    ours = wb.pairs(store, [("bank", "tree"), ("thing", "bank")])
    assert without_times(ours.to_dict()) == without_times(theirs)
