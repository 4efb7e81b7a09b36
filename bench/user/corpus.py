"""Text that does not repeat itself, which caches would flatter; as large as the Brown corpus, or of any other size.

Words are drawn one by one, by Zipf's law, from a vocabulary of 60,000. Its 20,000 or so frequent words are those of the model, in the
model's order, which is about that of their frequency; the others are made of two of them, and so of several tokens. It is one file of
wrapped paragraphs, the format `text`.
"""

import bisect
import itertools
import pathlib
import random
import re
import textwrap

TYPES = 60_000
OFFSET = 2.7  # Mandelbrot's, of English: the share of rank r goes with 1 / (r + 2.7)
LENGTHS = range(4, 40)  # words in a sentence


def write(path, tokenizer, words, seed=1):
    """About that many words, the same ones for the same seed; those of the folder's vocab.txt."""
    generator = random.Random(seed)
    types = vocabulary(tokenizer, generator)
    totals = list(itertools.accumulate(1 / (rank + OFFSET) for rank in range(1, len(types) + 1)))
    with open(path, "w", encoding="utf-8") as corpus:
        while words > 0:
            paragraph = [sentence(generator, types, totals) for _ in range(generator.randint(2, 8))]
            words -= sum(map(len, paragraph))
            corpus.write(textwrap.fill(" ".join(map(written, paragraph)), 78) + "\n\n")


def vocabulary(tokenizer, generator):
    tokens = pathlib.Path(tokenizer, "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = [token for token in tokens if token.isascii() and token.isalpha() and (len(token) > 1 or token in "ai")]
    seen, made = set(words), []
    while len(words) + len(made) < TYPES:
        word = generator.choice(words) + generator.choice(words)
        if word not in seen:
            seen.add(word)
            made.append(word)
    return words + made


def sentence(generator, types, totals):
    return [types[bisect.bisect(totals, generator.random() * totals[-1])] for _ in range(generator.choice(LENGTHS))]


def written(words):
    commas = [word + "," if at % 11 == 10 else word for at, word in enumerate(words[:-1])]
    return " ".join([*commas, words[-1]]).capitalize() + "."


def sentences(path):
    """Of such a file: all end with a full stop, and nothing else has one."""
    return [found.replace("\n", " ") for found in re.findall(r"[^.\s][^.]*\.", pathlib.Path(path).read_text(encoding="utf-8"))]


def count_words(path):
    return sum(len(line.split()) for line in open(path, encoding="utf-8"))
