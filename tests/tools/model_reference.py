"""What transformers makes of some English, for tests/encoder/model_live_test.cc to compare with:

    model_reference.py SNAPSHOT OUT

takes the paragraphs of this project's documentation, short and long ones, up to what the model takes at once. OUT is a
.safetensors file as tests/tools/make_model_goldens.py describes it. Exit status 3: something is not installed.
"""

import pathlib
import sys

try:
    import torch
    from safetensors.torch import save_file
    from tokenizers import Tokenizer
    from transformers import AutoModel
except ImportError as error:
    print(f"{error}: pip install -r tests/tools/model_requirements.txt")
    sys.exit(3)

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
PARAGRAPHS, LONG = 60, 2  # a sentence each; and so many of the greatest length


def sentences(snapshot, most):
    tokenizer = Tokenizer.from_file(f"{snapshot}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    text = "\n\n".join(path.read_text() for path in sorted(DOCS.glob("*.md")))
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]
    step = max(1, len(paragraphs) // PARAGRAPHS)
    long = [text[i * len(text) // LONG :] for i in range(LONG)]
    return [encoding.ids for encoding in tokenizer.encode_batch(paragraphs[::step] + long)]


def table(rows):
    padded = torch.full((len(rows), max(map(len, rows))), -1.0)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = torch.tensor(row)
    return padded


@torch.no_grad()
def main(snapshot, out):
    model = AutoModel.from_pretrained(snapshot, attn_implementation="eager", dtype=torch.float32).eval()
    rows = sentences(snapshot, model.config.max_position_embeddings)
    states = [model(torch.tensor([row]), output_hidden_states=True).hidden_states for row in rows]
    layers = {f"layer{k}": torch.cat([s[k][0] for s in states]).contiguous() for k in range(len(states[0]))}
    save_file({"ids": table(rows), "types": table([[0] * len(row) for row in rows]), **layers}, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
