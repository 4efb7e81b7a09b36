"""Writes a large corpus that does not repeat itself: python3 bench/scale/plan_corpus.py FOLDER [MILLIONS_OF_WORDS [FILES]]

Words are drawn one by one by the law of Zipf and Mandelbrot, 1 / (rank + 30)^1.3 without a last rank, so that their number grows without end,
as in real text: 100 million words have 4.9 million different ones, several times as many as English. Their letters are those of the rank. Needs numpy.
"""

import pathlib
import sys

import numpy as np

LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


def name(rank):
    letters, rank = "", rank + 26 * 26
    while True:
        rank, letter = divmod(rank, 26)
        letters += LETTERS[letter]
        if rank == 0:
            return letters


def main():
    folder = pathlib.Path(sys.argv[1])
    millions, files = (int(argument) for argument in [*sys.argv[2:], "100", "8"][:2])
    folder.mkdir(parents=True, exist_ok=True)
    frequent = np.array([name(rank) for rank in range(1 << 16)], dtype=object)
    for number in range(files):
        random = np.random.default_rng(number)
        left = millions * 1_000_000 // files
        with open(folder / f"{number:02}.txt", "w", encoding="ascii") as corpus:
            while left > 0:
                ranks = np.floor(30 * (random.random(min(left, 1_000_000)) ** (-1 / 0.3) - 1)).clip(max=2.0**62).astype(np.int64)
                words = frequent[np.minimum(ranks, len(frequent) - 1)]
                for at in np.flatnonzero(ranks >= len(frequent)):
                    words[at] = name(int(ranks[at]))
                ends = np.cumsum(random.integers(4, 40, 60_000))
                for begin, end in zip(np.append(0, ends), ends):
                    if begin >= len(words):
                        break
                    corpus.write(" ".join(words[begin:end]).capitalize() + ".\n")
                left -= len(words)


if __name__ == "__main__":
    main()
