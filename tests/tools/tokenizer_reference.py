"""What Python's `tokenizers` makes of a corpus, for tests/encoder/tokenizer_live_test.cc to compare with:

    tokenizer_reference.py TOKENIZER.JSON scripture|manuals|languages|hostile EVERY OUT

takes every EVERYth text. OUT holds, for each: its length in bytes, its bytes, its number of tokens, and four lists: ids,
begins, ends (in characters) and words (-1: none). Numbers are 32-bit, little-endian. Exit status 3: something is not installed.
"""

import struct
import sys

try:
    from demo_texts import CORPORA, Missing
    from tokenizers import Tokenizer
except ImportError as error:
    print(f"{error}: tools/parity.sh fetches it, as make test does where there is a network")
    sys.exit(3)


def packed(numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


def record(text, encoding):
    utf8 = text.encode()
    words = [-1 if word is None else word for word in encoding.word_ids]
    begins, ends = [b for b, _ in encoding.offsets], [e for _, e in encoding.offsets]
    return packed([len(utf8)]) + utf8 + packed([len(encoding.ids), *encoding.ids, *begins, *ends, *words])


def main(tokenizer_json, corpus, every, out):
    tokenizer = Tokenizer.from_file(tokenizer_json)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = CORPORA[corpus]()[:: int(every)]
    with open(out, "wb") as file:
        for start in range(0, len(texts), 1000):
            batch = texts[start : start + 1000]
            file.writelines(map(record, batch, tokenizer.encode_batch(batch)))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Missing as missing:
        print(missing)
        sys.exit(3)
