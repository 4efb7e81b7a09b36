"""Makes tests/data/models/all-minilm-l6-v2.safetensors: what transformers makes of some English with the demo's model.

    pip install -r model_requirements.txt
    python make_demo_model_golden.py SNAPSHOT

Run once; its output is committed. The sentences are verses of the Bible (Debian package bible-kjv), short and long ones, and
two texts of the greatest length that the model takes. The file is as make_model_goldens.py describes it, but that of each
sentence only some tokens are kept (`kept`: their numbers, counted through all sentences): the first, and one in the middle.
"""

import pathlib
import sys

import torch
from demo_texts import scripture
from make_model_goldens import save_file
from tokenizers import Tokenizer
from transformers import AutoModel

OUT = pathlib.Path(__file__).resolve().parent.parent / "data" / "models" / "all-minilm-l6-v2.safetensors"
VERSES, LONG = 22, 2


def sentences(snapshot, most):
    tokenizer = Tokenizer.from_file(f"{snapshot}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    verses = [line.split(" ", 1)[1] for line in scripture()]
    by_length = sorted(verses, key=len)
    chosen = [by_length[i * (len(verses) - 1) // (VERSES - 1)] for i in range(VERSES)]
    long = [" ".join(verses[i * 1000 : i * 1000 + 100]) for i in range(LONG)]
    return [encoding.ids for encoding in tokenizer.encode_batch(chosen + long)]


def table(rows):
    padded = torch.full((len(rows), max(map(len, rows))), -1.0)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = torch.tensor(row)
    return padded


def kept_of(rows):
    begin = 0
    for row in rows:
        yield from (begin, begin + len(row) // 2)
        begin += len(row)


@torch.no_grad()
def main(snapshot):
    model = AutoModel.from_pretrained(snapshot, attn_implementation="eager", dtype=torch.float32).eval()
    rows = sentences(snapshot, model.config.max_position_embeddings)
    kept = list(kept_of(rows))
    states = [model(torch.tensor([row]), output_hidden_states=True).hidden_states for row in rows]
    layers = {f"layer{k}": torch.cat([s[k][0] for s in states])[kept].contiguous() for k in range(len(states[0]))}
    lists = {"ids": table(rows), "types": table([[0] * len(row) for row in rows]), "kept": table([kept])}
    save_file({**lists, **layers}, OUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
