"""How much of the spread of words goes with their place in the sentence, layer by layer: python position.py STORE

Of each word with 100 rows, occurrences are put into quarters by the number of characters before them. The share of
the spread (squared distances of the unit vectors from their mean) that lies between the quarters is compared with
that of random quarters.
"""

import sys

import numpy as np

import wordbreadth as wb

ROWS, QUARTERS = 100, 4


def between(rows, order):
    """The share of the spread of centred rows that lies between quarters of them, taken in this order."""
    means = [rows[part].mean(axis=0) for part in np.array_split(order, QUARTERS)]
    return sum(mean @ mean for mean in means) * (ROWS / QUARTERS) / np.sum(rows * rows)


def shares(store, places):
    random = np.random.default_rng(0)
    found = []
    for word, place in places.items():
        rows = np.asarray(store[word], dtype=float)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        rows -= rows.mean(axis=0)
        found.append((between(rows, np.argsort(place, kind="stable")), between(rows, random.permutation(ROWS))))
    return np.mean(found, axis=0)


if __name__ == "__main__":
    folder = sys.argv[1]
    plan = wb.Store(folder)
    words = [row["word"] for row in plan.words if row["rows"] == ROWS]
    places = {word: [each["start"] for each in plan.occurrences(word)] for word in words}
    if not words:
        sys.exit(f"position: {folder}: no word has {ROWS} rows")
    print(f"{len(words)} words\nlayer  by place  at random")
    for layer in plan.layers:
        by_place, at_random = shares(wb.Store(folder, layer=layer), places)
        print(f"{layer:5}  {by_place:8.1%}  {at_random:9.1%}")
