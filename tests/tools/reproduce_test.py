"""Runs every command of docs/reproduce.md, on stand-ins in the formats of the corpora and models that it names.

reproduce_test.py PROGRAM DOCUMENT FOLDER
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import stand_ins

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`([a-z_-]+(?:/[a-z_]+)?(?:\.svg)?)`")


def script(document: str) -> str:
    return "\n".join(BLOCK.findall(document))


def run(commands: str, variables: dict, program: Path, folder: Path) -> str:
    programs = folder / "bin"
    programs.mkdir()
    (programs / "wordbreadth").symlink_to(program)
    environment = os.environ | {name: str(value) for name, value in variables.items()}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], env=environment, cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"a command of the document fails:\n{done.stdout[-3000:]}")
    return done.stdout


def expect(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(f"docs/reproduce.md: {what}")


def results(path: Path) -> list:
    return json.loads(path.read_text(encoding="utf-8"))["results"]


def check_files(document: str, study: Path) -> None:
    """Each file that the table of tables and figures names."""
    table = document[document.index("| paper | files |") :]
    rows = [row.split("|")[2] for row in table[: table.index("\n\n")].splitlines()[2:]]
    names = [name for row in rows for name in FILE.findall(row)]
    expect(len(names) > 10, "no table of files was found")
    for name in names:
        for file in [name] if "." in name else [f"{name}.tsv", f"{name}.json"]:
            expect((study / file).is_file(), f"{file} is not written")


def check_results(output: str, stores: Path) -> None:
    study = stores / "study"
    words = len(stand_ins.ENGLISH)
    for name, own in (("", words), ("bnc-bert-tiny", words), ("bccwj-bert-large", len(stand_ins.JAPANESE))):
        settings = json.loads((study / name / "settings.json").read_text(encoding="utf-8"))
        expect(settings["words"] == str(own), f"{name} has {settings['words']} words instead of {own}")
        expect(settings["alternative"] == "greater" and settings["additional ranking"] == "frequency", "settings are not the paper's")
        others = re.sub(r"The (main|additional) experiment has as few as \d+ pairs at a gap, [^.]*\. ?", "", settings["deviations from the paper"])
        expect(others == "", others)
        expect("precision_householder" in results(study / name / "main.json")[0], f"{name} has no precision")
        expect([row["gap"] for row in results(study / name / "main.json")] == list(range(1, 11)), "not ten gaps")
    additional = results(study / "additional.json")
    stores_in = {row["corpus"].split(" / ")[0] for row in additional if not row["corpus"].startswith("paper")}
    expect(stores_in == {"bnc-modernbert", "bnc-bert-tiny", "bccwj-bert-large"}, f"wide gaps are of {stores_in}")
    expect({row["paper_reading"] for row in additional} == {"Type-I error", "power"}, "rates are not named as in the paper")
    expect({row["store"] for row in results(study / "additional_pairs.json")} == stores_in, "not all pairs are listed")
    halves = results(study / "split_half_words.json")
    expect(len(halves) == 20 and all(row["none_greater"] is not None for row in halves), "not all of the paper's words are halved")
    expect(halves[0]["total"] == stand_ins.OCCURRENCES and halves[0]["paper_total"] == 160, "halves are not of all rows")
    plane = json.loads((study / "tsne.json").read_text(encoding="utf-8"))
    expect(plane["pair"] == ["articulate", "triple"], f"the pair is {plane['pair']}")
    other = json.loads((stores / "other-words/tsne.json").read_text(encoding="utf-8"))
    expect(other["pair"] == ["mark", "debtor"], f"the other pair is {other['pair']}")
    expect([row["word"] for row in results(stores / "other-words/split_half_words.json")] == ["mark", "triple", "debtor"], "other words")
    # Four words and a full stop to a sentence.
    for corpus in (stand_ins.ENGLISH, stand_ins.JAPANESE):
        count = len(corpus) * stand_ins.OCCURRENCES
        sentences = -(-count // 4)
        expect(re.search(rf"corpus tokens\s+{count + sentences}\b", output) is not None, f"no line of {count + sentences} tokens")
        expect(re.search(rf"corpus types\s+{len(corpus)}\b", output) is not None, f"no line of {len(corpus)} types")


def main() -> None:
    program, document, folder = (Path(argument).resolve() for argument in sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    variables = stand_ins.write_all(folder)
    text = document.read_text(encoding="utf-8")
    commands = script(text)
    expect(commands.count("wordbreadth ") >= 7, "has fewer commands than expected")
    output = run(commands, variables, program, folder)
    check_files(text, folder / "stores/study")
    check_results(output, folder / "stores")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
