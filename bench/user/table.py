"""Times whole commands as a user sees them, from the start of the process to its exit; writes bench/results/user.{md,json}.

Small inputs, so that what is seen is start-up, reading and writing as much as work: the clouds in examples/clouds, and a store
that `extract` makes of a part of the King James Bible (Debian package bible-kjv) with the demo's model. Planning an extraction is timed
by itself, on text that does not repeat itself (planning.py) and on several numbers of threads, each on as many cores. The fastest of
several rounds counts, the least disturbed one.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
import planning  # noqa: E402

CLOUDS = common.ROOT / "examples" / "clouds" / "clouds.npz"
VERSES = "gen1:1-exo40:38"
ROUNDS = 5


def commands(options, folder):
    """(title, arguments, rounds): later ones use what earlier ones made."""
    corpus, store = folder / "corpus.txt", folder / "corpus.store"
    corpus.write_text(common.output_of("bible", "-f", VERSES), encoding="utf-8")
    extract = ["extract", "--model", options.model, "--corpus", corpus, "--corpus-format", "lines", "--min-count", 40, "--out", store]
    return [
        ("--version", ["--version"], options.rounds),
        ("test, two clouds", ["test", f"{CLOUDS}:lord", f"{CLOUDS}:moses"], options.rounds),
        ("pairs, five pairs", ["pairs", CLOUDS, "--pairs", CLOUDS.with_name("pairs.tsv")], options.rounds),
        ("extract, Genesis and Exodus", extract, 1),
        ("rank, its words", ["rank", store], options.rounds),
    ]


def measure(options):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments, rounds in commands(options, pathlib.Path(folder)):
            common.progress(title)
            command = [str(word) for word in (options.program, *arguments)]
            seconds = [common.seconds_of(lambda: quiet(command)) for _ in range(rounds)]
            rows.append({"command": title, "seconds": seconds})
    return rows


def quiet(command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with status {done.returncode}: {done.stderr.strip()}")


def measure_planning(options):
    rows = []
    for words in options.words:
        common.progress(f"planning {words:,} words")
        with tempfile.TemporaryDirectory() as folder:
            programs = [options.program, *options.beside]
            rows += planning.measure(programs, options.model, pathlib.Path(folder), words, options.threads, options.rounds)
    return rows


def markdown(rows, plans, host):
    lines = [[row["command"], common.number(min(row["seconds"]) * 1e3), str(len(row["seconds"]))] for row in rows]
    return f"""Milliseconds of a whole command, from its start to its exit (`make bench-user`):

{common.markdown_table(["wordbreadth", "fastest", "rounds"], lines)}

{planned(plans)}

{host['cpu']}, {host['cores']} cores; {host['date']}, commit {host['commit']}.
"""


def planned(rows):
    """A table for each program."""
    return "\n\n".join(common.markdown_table(*planning.table(of_program)) for of_program in by_program(rows))


def by_program(rows):
    programs = dict.fromkeys(row["program"] for row in rows)
    return [[row for row in rows if row["program"] == program] for program in programs]


def main():
    parser = common.arguments(__doc__, common.ROOT / "build" / "wordbreadth", "build", ROUNDS)
    parser.add_argument("--model", default=common.MODEL)
    parser.add_argument("--words", default=[1_000_000], type=int, nargs="*", help="of the text that is planned")
    parser.add_argument("--threads", default=[1, 2, 4, 8, 16], type=int, nargs="*", help="as far as there are cores")
    parser.add_argument("--beside", default=[], nargs="*", help="other builds of the program, that plan in turn with it")
    parser.add_argument("--only-planning", action="store_true")
    options = parser.parse_args()
    rows = [] if options.only_planning else measure(options)
    plans, host = measure_planning(options), common.machine()
    if options.only_planning:
        print(planned(plans))
        return
    common.write_results(options.results, "user", markdown(rows, plans, host), {"machine": host, "commands": rows, "planning": plans})


if __name__ == "__main__":
    main()
