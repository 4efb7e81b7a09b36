"""What table.py has measured, as tables."""

import json
import statistics

import common
from common import markdown_table, number

OURS, BEFORE, STAGES = "wordbreadth", "before", "--timing"  # who runs; all others are peers
MIB = 1 << 20

ENCODER_SHARE = 0.8  # of the rate that bench/encoder measures
ENCODER_RESULTS = common.RESULTS / "gpu_encoder.json"


class Row:
    """A job, and the runs of all who did it."""

    def __init__(self, job, contenders):
        self.job = job
        self.runs = {one.who: [self.whole(run) for run in one.runs] for one in contenders}
        self.notes = {one.who: one.note or "failed" for one in contenders if one.note or one.failure}
        self.stages = next((run["messages"].rstrip() for one in contenders if one.who == STAGES for run in one.runs), "")

    def whole(self, run):
        """Where a part of the tests was run, with the time that all would take."""
        kept = {key: value for key, value in run.items() if key not in ("results", "messages", "failure", "stopped")}
        part, tests = self.job.tested_by_peer, self.job.tests
        if "test_seconds" in run and part < tests:
            kept |= {"seconds_of_part": run["seconds"], "seconds": run["seconds"] + run["test_seconds"] * (tests - part)}
        return kept

    def best(self, who=OURS):
        """The fastest run, the least disturbed one; None where there is none."""
        return min(self.runs.get(who, []), key=lambda run: run["seconds"], default=None)

    def seconds(self, who=OURS):
        best = self.best(who)
        return best and best["seconds"]

    def median(self, who=OURS):
        return statistics.median(run["seconds"] for run in self.runs[who]) if self.runs.get(who) else None

    def memory(self, who=OURS):
        return max((run["memory"] for run in self.runs.get(who, [])), default=None)

    def call(self):
        """Seconds of the work itself, as the program tells."""
        best = self.best() or {}
        stages = [best.get(key) for key in ("call_seconds", "plan_seconds", "embed_seconds")]
        return sum(filter(None, stages)) or None

    def peer(self):
        return next((who for who in (*self.runs, *self.notes) if who not in (OURS, BEFORE, STAGES)), None)

    def data(self):
        job = self.job
        return {"name": job.name, "title": job.title, "tests": job.tests, "tested_by_peer": job.tested_by_peer, "clouds": job.clouds,
                "runs": self.runs, "notes": self.notes, "stages": self.stages}


# ---- tables


def ms(seconds):
    return "-" if seconds is None else number(seconds * 1e3)


def mib(size):
    return "-" if size is None else f"{size / MIB:,.0f}"


def main_table(rows):
    before = any(BEFORE in row.runs for row in rows)
    head = ["whole process, ms", "**wordbreadth**", "median", "in the call", "MiB", *(["before"] if before else []), "in Python", "median",
            "MiB", "times"]
    lines = []
    for row in rows:
        peer = row.peer()
        ours = [f"**{ms(row.seconds())}**", ms(row.median()), ms(row.call()), mib(row.memory())]
        theirs = [described(row, peer), ms(row.median(peer)), mib(row.memory(peer)), times(row.seconds(peer), row.seconds())]
        lines.append([row.job.title, *ours, *([ms(row.seconds(BEFORE))] if before else []), *theirs])
    return markdown_table(head, lines)


def described(row, peer):
    if peer is None:
        return "-"
    if row.seconds(peer) is None:
        return f"{peer}: {row.notes.get(peer, 'not run')}"
    job = row.job
    part = f"; extrapolated from {job.tested_by_peer:,} of {job.tests:,} tests" if (job.tested_by_peer or 0) < (job.tests or 0) else ""
    return f"{ms(row.seconds(peer))} ({peer}{part})"


def times(theirs, ours):
    return f"{number(theirs / ours)}x" if theirs and ours else "-"


def extraction_table(rows):
    head = ["extraction, s", "tokens", "whole", "before the model runs", "in the model", "tokens/s, whole", "tokens/s, in the model"]
    lines = []
    for row in rows:
        for who in (OURS, BEFORE, row.peer()):
            run = row.best(who)
            if run is None:
                continue
            tokens = run.get("tokens_now") or run["tokens"]
            lines.append([f"{row.job.title}: {who}", f"{tokens:,}", number(run["seconds"]), number(run["seconds"] - run["embed_seconds"]),
                          number(run["embed_seconds"]), f"{tokens / run['seconds']:,.0f}", f"{tokens / run['embed_seconds']:,.0f}"])
    return markdown_table(head, lines)


def planning_table(rows):
    head = ["planning", "ms", "median", "ms of processors", "M words/s", "speed-up", "before, ms"]
    first = rows[0].seconds()
    return markdown_table(head, [
        [row.job.title, ms(row.seconds()), ms(row.median()), ms(row.best()["processor"]),
         f"{row.best()['occurrences'] / row.seconds() / 1e6:.2f}", times(first, row.seconds()), ms(row.seconds(BEFORE))]
        for row in rows])


# ---- goals


class Goals:
    """(goal, what was reached, pass or MISS), of the rows that were run."""

    def __init__(self, rows):
        self.rows = {row.job.name: row for row in rows if row.best()}
        self.lines = []

    def has(self, *names):
        return all(name in self.rows for name in names)

    def seconds(self, name):
        return self.rows[name].seconds()

    def add(self, goal, reached, good):
        self.lines.append([goal, reached, "pass" if good else "MISS"])

    def at_most(self, name, bound, goal):
        if name in self.rows:
            self.add(goal, f"{ms(self.seconds(name))} ms", self.seconds(name) <= bound)

    def at_most_after(self, name, start, more, goal):
        if self.has(name, start):
            extra = self.seconds(name) - self.seconds(start)
            self.add(f"{goal}: at most {more} ms more", f"{extra * 1e3:+.0f} ms", extra <= more / 1e3)


def goals(rows, encoder_rate):
    found = Goals(rows)
    found.at_most_after("pairs-cuda", "devices", 150, "300 pairs, cuda, than `devices`")
    found.at_most_after("pairs-robust-cuda", "pairs-cuda", 20, "the same, robust, than plain")
    if found.has("pairs-cpu"):
        extra = found.seconds("pairs-cpu") - found.rows["pairs-cpu"].call()
        found.add("300 pairs, cpu, than the call: at most 300 ms more", f"{extra * 1e3:+.0f} ms", extra <= 0.3)
    found.at_most("all-cuda", 2.5, "499,500 tests in 2.5 s")
    found.at_most("all-robust-cuda", 5, "499,500 tests, robust, in 5 s")
    found.at_most("all-10000-cuda", 180, "5 x 10^7 tests in 3 minutes")
    found.at_most_after("test-cuda", "devices", 30, "one test, cuda, than `devices`")
    found.at_most("test-cpu", 0.04, "one test, cpu, in 40 ms")
    extraction_goal(found, encoder_rate)
    planning_goals(found)
    memory_goals(found)
    return found.lines


def encoder_rate():
    """Tokens per second through 16 of BERT-large's 24 layers, by bench/encoder's last run through all; None where it is not known."""
    rows = json.loads(ENCODER_RESULTS.read_text())["rows"] if ENCODER_RESULTS.exists() else []
    return next((row["bf16"]["tokens_per_second"] * 24 / 16 for row in rows if (row["model"], row["layer"]) == ("BERT-large", 24)), None)


def extraction_goal(found, rate):
    if found.has("extract-cuda") and rate:
        run = found.rows["extract-cuda"].best()
        reached = run["tokens_now"] / run["embed_seconds"] / rate
        goal = f"embedding at {ENCODER_SHARE:.0%} of the encoder benchmark's {rate:,.0f} tokens/s"
        found.add(goal, f"{reached:.0%}", reached >= ENCODER_SHARE)


def planning_goals(found):
    if found.has("planning-2"):
        rate = found.rows["planning-2"].best()["occurrences"] / found.seconds("planning-2") / 1e6
        found.add("planning 1 M words/s on 2 cores", f"{rate:.2f} M words/s", rate >= 1)
    if found.has("planning-1", "planning-8"):
        efficiency = found.seconds("planning-1") / found.seconds("planning-8") / 8
        found.add("planning on 8 cores at 70%", f"{efficiency:.0%}", efficiency >= 0.7)


def memory_goals(found):
    for row in found.rows.values():
        if row.job.clouds:
            bound = 1.5 * row.job.clouds + 200 * MIB
            goal = f"{row.job.name}: memory at most 1.5 times the clouds' {mib(row.job.clouds)} MiB plus 200 MiB = {mib(bound)} MiB"
            found.add(goal, f"{mib(row.memory())} MiB", row.memory() <= bound)
    if found.has("all-10000-cuda"):
        used = found.rows["all-10000-cuda"].memory()
        found.add("5 x 10^7 tests in 16 GiB of host memory", f"{mib(used)} MiB", used <= 16 * 1024 * MIB)


# ---- the page


def markdown(rows, skipped, wrong, host, options):
    skipped = skipped | {row.job.title: row.notes.get(OURS, "no time was left") for row in rows if not row.best()}
    rows = [row for row in rows if row.best()]
    planning = [row for row in rows if row.job.threads]
    extraction = [row for row in rows if row.job.family == "extract"]
    whole = [row for row in rows if not row.job.threads]
    parts = [
        "Whole processes, from start to exit, files in the cache; the fastest round, and the median (`make bench-user`):",
        main_table(whole) if whole else "",
        extraction_table(extraction) if extraction else "",
        planning_table(planning) if planning else "",
        "**Small inputs, to try the program: the figures mean nothing.**" if options.small else goals_part(rows),
        machine_line(host, options),
        stages_part(rows),
        NOTES.format(rounds=options.rounds, peer_rounds=options.peer_rounds),
        skipped_part(skipped),
        "\n".join(f"- **Failed**: {line}" for line in wrong),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def stages_part(rows):
    parts = [f"{row.job.title}:\n\n{indented(row.stages)}" for row in rows if row.stages]
    return "\n\n".join(["Where the time goes, by one more run of each with `--timing`:", *parts]) if parts else ""


def indented(text):
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def goals_part(rows):
    lines = goals(rows, encoder_rate())
    return markdown_table(["goal", "reached", "verdict"], lines) if lines else ""


def skipped_part(skipped):
    titles = {reason: [title for title, other in skipped.items() if other == reason] for reason in skipped.values()}
    return "\n".join(f"- Skipped ({reason}): {'; '.join(those)}." for reason, those in titles.items())


def machine_line(host, options):
    gpu = "no GPU" if host["gpu"] == "unknown" else f"{host['gpu']}, {host['memory']}, driver {host['driver']}, CUDA {host['cuda']}"
    limit = "" if options.limit == float("inf") else f" Limited to {options.limit:.0f} s: some rows may have fewer rounds."
    busy = f" Other work took {host['cores_busy']:.1f} cores when it began." if host["cores_busy"] > 0.2 else ""
    measured = f"{host['date']}, commit {host['commit']}; {common.versions_line(host)}"
    return f"{gpu}; {host['cpu']}, {host['cores']} cores; {measured}.{limit}{busy}"


NOTES = """- Rounds, in which all take turns: {rounds}, in Python {peer_rounds}. The JSON beside this file has every run.
- In the call: what the program itself counts as its work (`seconds` in its TSV; `plan_seconds` and `embed_seconds` of `extract`).
- MiB: the most host memory in any round, pages of mapped files included.
- Clouds resemble those of words, as in `make bench`; all tests have 20,000 permutations. The TSV is written to a file.
- torch: a script that loads the same file and runs the paper's Algorithm 2 on one pair after the other, in half precision on a GPU and in
  float32 on a CPU. It has no robust statistic. Where it runs a part of the tests, the others count as much as those after the first.
- transformers: a script that tokenizes the same text, draws 100 occurrences of every word that has as many, and runs their sentences
  through the same model and layers, sorted by length and without padding. Models that were not given have random weights.
- The text does not repeat itself. Planning ends with the plan on disk, which has to be the same for every number of cores."""
