"""Tokens per second, ours and those of Python's `tokenizers`, on the same texts in the same run with the same threads; prints the
table, and writes bench/results/tokenizer.{md,json}:

    table.py [THREADS] [PROGRAM]

The texts are the demo corpora. WordPiece is the demo model's; byte-level BPE is trained here with ModernBERT's components and
number of tokens, again with Llama 3's, and Unigram with sentencepiece's. Runs alternate, and the best of three counts. Python's is timed twice: as it comes, with offsets, and by
encode_batch_fast, which leaves them out.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402

sys.path.append(str(common.ROOT / "tests" / "tools"))

ROUNDS = 3
THREADS = sys.argv[1] if len(sys.argv) > 1 else "2"
TIMING = sys.argv[2] if len(sys.argv) > 2 else common.program("wordbreadth_tokenizer_bench")
os.environ |= {"RAYON_NUM_THREADS": THREADS, "TOKENIZERS_PARALLELISM": "true"}

from demo_texts import manuals, scripture  # noqa: E402  (the library reads the environment once)
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402


LLAMA_3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def llama_words():
    words = pre_tokenizers.Split(Regex(LLAMA_3), "isolated")
    return pre_tokenizers.Sequence([words, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def unigram(texts):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=32000, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return tokenizer


def byte_pair(texts, words=None):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = words or pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["[CLS]", "[SEP]"]
    trainer = trainers.BpeTrainer(vocab_size=50368, initial_alphabet=alphabet, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)])
    return tokenizer


def ours(folder, file):
    out = subprocess.run([TIMING, folder, file, THREADS], capture_output=True, text=True, check=True).stdout.split()
    return int(out[0]), float(out[1])


def python(encode, texts):
    encodings = []
    seconds = common.seconds_of(lambda: encodings.extend(encode(texts)))
    return sum(len(encoding.ids) for encoding in encodings), seconds


def compare(name, folder, texts, file):
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    runs = {"ours": [], "python": [], "fast": []}
    for _ in range(ROUNDS):
        runs["ours"].append(ours(folder, file))
        runs["python"].append(python(tokenizer.encode_batch, texts))
        runs["fast"].append(python(tokenizer.encode_batch_fast, texts))
    counts = {tokens for timed in runs.values() for tokens, _ in timed}
    assert len(counts) == 1, "the tokens differ"
    tokens = counts.pop()
    seconds = {who: [seconds for _, seconds in timed] for who, timed in runs.items()}
    return {"tokenizer": name, "tokens": tokens, "seconds": seconds, "rates": {who: tokens / min(all_seconds) for who, all_seconds in seconds.items()}}


def measure():
    """Row by row."""
    texts = [text for text in [*scripture(), *manuals()] if text]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "texts.txt"
        file.write_text("".join(text.replace("\n", " ") + "\n" for text in texts), encoding="utf-8")
        yield compare("WordPiece, MiniLM's", common.MODEL, texts, str(file))
        splitters = {"BPE, as ModernBERT's": None, "BPE, as Llama 3's": llama_words()}
        for name, words in splitters.items():
            byte_pair(texts, words).save(f"{folder}/tokenizer.json")
            yield compare(name, folder, texts, str(file))
        unigram(texts).save(f"{folder}/tokenizer.json")
        yield compare("Unigram", folder, texts, str(file))


HEAD = ["", "tokens", "`tokenizers`", "without offsets", "**wordbreadth**", "ratio"]


def line(row):
    rates = {who: f"{rate / 1e6:.2f}" for who, rate in row["rates"].items()}
    ratio = f"{row['rates']['ours'] / row['rates']['python']:.1f}"
    return [row["tokenizer"], f"{row['tokens']:,}", rates["python"], rates["fast"], f"**{rates['ours']}**", ratio]


def markdown(rows, host):
    return f"""Million tokens per second, {THREADS} threads each (`make bench-tokenizer`):

{common.markdown_table(HEAD, [line(row) for row in rows])}

{host['cpu']}, {host['cores']} cores; {host['date']}, commit {host['commit']}; {common.versions_line(host)}.

- The texts are the demo corpora, line by line. Rounds alternate, and the fastest of {ROUNDS} counts; loading is not counted.
- `tokenizers`: encode_batch, with the places of tokens in the text, which wordbreadth gives as well; without offsets:
  encode_batch_fast, which leaves them out. The ratio is to the former.
"""


def main():
    rows = []
    for row in measure():
        rows.append(row)
        common.progress(" | ".join(line(row)))
    host = common.machine(common.versions("tokenizers"))
    common.write_results(common.RESULTS, "tokenizer", markdown(rows, host), {"machine": host, "rows": rows})


if __name__ == "__main__":
    main()
