"""Small corpora, models, wordnets and a MeCab dictionary in the formats of those that the paper uses.

Models have random weights; words of the corpora come in random order. Nothing but Python's own library is needed, and
libmecab, which compiles the dictionary.
"""

import ctypes
import json
import random
import string
import struct
from pathlib import Path

# The paper's words, and as many more as gaps of 100 ranks take.
PAPERS = """articulate triple mark colitis debtor ablaze accolade actuality acheson adaptability adenauer additive absentee abnormally
abstinence aberration acetate abstracted abyss abatement according acrimonious abstain accomplishment acne""".split()
MORE = [a + b for a in ("br", "cl", "dr", "fl", "gr", "pl", "st", "tr", "sw", "sp") for b in
        ("an", "ed", "ig", "ob", "ump", "ack", "ell", "int", "oat", "ush")]
ENGLISH = PAPERS + MORE
JAPANESE = ["普段", "毎年", "書物", "気管", "家電", "騒音"] + [a + b for a in "山川海空森" for b in "道手目声風雨雪花草木石火水土月日星光影夢音"]
OCCURRENCES = 110  # of each word: the commands ask for 100


def sentences(words: list, seed: int) -> list:
    """Every word OCCURRENCES times, four to a sentence."""
    chance = random.Random(seed)
    rounds = []
    for _ in range(OCCURRENCES):
        order = words[:]
        chance.shuffle(order)
        rounds += order
    return [rounds[i : i + 4] for i in range(0, len(rounds), 4)]


def write_bnc(folder: Path) -> None:
    folder.mkdir(parents=True)
    tags = [("NN1", "SUBST"), ("VVB", "VERB"), ("AJ0", "ADJ")]
    all_sentences = sentences(ENGLISH, 1)
    texts = 20
    for text in range(texts):
        lines = []
        for number, words in enumerate(all_sentences[text::texts], 1):
            marked = "".join('<w c5="%s" hw="%s" pos="%s">%s </w>' % (*tags[len(w) % 3][:1], w, tags[len(w) % 3][1], w) for w in words)
            lines.append(f'<s n="{number}">{marked}<c c5="PUN">.</c></s>')
        (folder / f"A{text:02}.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<bncDoc xml:id="A{text:02}"><teiHeader/><wtext type="FICTION"><div><p>\n'
            + "\n".join(lines) + "\n</p></div></wtext></bncDoc>\n", encoding="utf-8")


def write_bccwj(folder: Path) -> None:
    folder.mkdir(parents=True)

    def row(sample: str, first: bool, word: str, tag: str) -> str:
        fields = [""] * 25
        fields[0], fields[1], fields[9], fields[12], fields[16], fields[23] = "LB", sample, "B" if first else "I", word, tag, word
        return "\t".join(fields)

    lines = []
    for number, words in enumerate(sentences(JAPANESE, 2)):
        sample = f"LBa{number % 20:02}_00001"
        lines.append((sample, [row(sample, i == 0, w, "名詞-普通名詞-一般") for i, w in enumerate(words)] + [row(sample, False, "。", "補助記号-句点")]))
    lines.sort(key=lambda each: each[0])
    (folder / "core_SUW.txt").write_text("".join("\n".join(rows) + "\n" for _, rows in lines), encoding="utf-8")


def write_safetensors(path: Path, shapes: dict) -> None:
    chance = random.Random(str(path.parent.name))
    header, data, at = {}, [], 0
    for name, shape in shapes.items():
        count = 1
        for size in shape:
            count *= size
        is_norm = "norm" in name.lower() and name.endswith("weight")
        data.append(struct.pack(f"<{count}f", *((1.0 if is_norm else chance.gauss(0, 0.3)) for _ in range(count))))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + 4 * count]}
        at += 4 * count
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))


WIDTH, INNER, HEADS, LAYERS, POSITIONS = 16, 32, 2, 3, 128


def bert_shapes(vocabulary: int) -> dict:
    shapes = {"embeddings.word_embeddings.weight": [vocabulary, WIDTH], "embeddings.position_embeddings.weight": [POSITIONS, WIDTH],
              "embeddings.token_type_embeddings.weight": [2, WIDTH], "embeddings.LayerNorm.weight": [WIDTH], "embeddings.LayerNorm.bias": [WIDTH]}
    for layer in range(LAYERS):
        parts = {"attention.self.query": [WIDTH, WIDTH], "attention.self.key": [WIDTH, WIDTH], "attention.self.value": [WIDTH, WIDTH],
                 "attention.output.dense": [WIDTH, WIDTH], "intermediate.dense": [INNER, WIDTH], "output.dense": [WIDTH, INNER],
                 "attention.output.LayerNorm": [WIDTH], "output.LayerNorm": [WIDTH]}
        for part, shape in parts.items():
            shapes[f"encoder.layer.{layer}.{part}.weight"] = shape
            shapes[f"encoder.layer.{layer}.{part}.bias"] = shape[:1]
    return {"bert." + name: shape for name, shape in shapes.items()}


def bert_config(vocabulary: int) -> dict:
    return {"hidden_size": WIDTH, "hidden_act": "gelu", "vocab_size": vocabulary, "num_attention_heads": HEADS, "type_vocab_size": 2,
            "max_position_embeddings": POSITIONS, "num_hidden_layers": LAYERS, "intermediate_size": INNER}


def write_bert(folder: Path, pieces: list, config: dict, tokenizer: dict) -> None:
    """`config` and `tokenizer`: what config.json has beside the sizes, and tokenizer_config.json; without it, there is none."""
    folder.mkdir(parents=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + pieces
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(bert_config(len(vocabulary)) | config))
    if tokenizer:
        (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    write_safetensors(folder / "model.safetensors", bert_shapes(len(vocabulary)))


def write_modernbert(folder: Path) -> None:
    folder.mkdir(parents=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = special + list(string.ascii_letters) + ["Ġ", ".", ","]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    added = [{"id": numbers[t], "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
             for t in special]
    template = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": {"type": "TemplateProcessing", "single": template, "pair": template,
                           "special_tokens": {t: {"id": t, "ids": [numbers[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}},
        "decoder": None,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": numbers, "merges": []}}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    config = {"model_type": "modernbert", "hidden_size": WIDTH, "intermediate_size": INNER, "num_attention_heads": HEADS,
              "num_hidden_layers": LAYERS, "vocab_size": len(pieces), "max_position_embeddings": POSITIONS, "norm_eps": 1e-5,
              "norm_bias": False, "attention_bias": False, "mlp_bias": False, "hidden_activation": "gelu",
              "global_attn_every_n_layers": 3, "local_attention": 10, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
              "pad_token_id": 0, "cls_token_id": 2, "sep_token_id": 3}
    (folder / "config.json").write_text(json.dumps(config))
    shapes = {"embeddings.tok_embeddings.weight": [len(pieces), WIDTH], "embeddings.norm.weight": [WIDTH], "final_norm.weight": [WIDTH]}
    for layer in range(LAYERS):
        at = f"layers.{layer}."
        if layer > 0:
            shapes[at + "attn_norm.weight"] = [WIDTH]
        shapes |= {at + "attn.Wqkv.weight": [3 * WIDTH, WIDTH], at + "attn.Wo.weight": [WIDTH, WIDTH], at + "mlp_norm.weight": [WIDTH],
                   at + "mlp.Wi.weight": [2 * INNER, WIDTH], at + "mlp.Wo.weight": [WIDTH, INNER]}
    write_safetensors(folder / "model.safetensors", {"model." + name: shape for name, shape in shapes.items()})


def write_models(folder: Path) -> None:
    letters = list(string.ascii_lowercase)
    # As it was uploaded: no model_type, no tokenizer_config.json.
    write_bert(folder / "bert-tiny", letters + ["##" + c for c in letters] + [".", ","], {}, {})
    write_modernbert(folder / "ModernBERT-base")
    characters = sorted(set("".join(JAPANESE)))
    write_bert(folder / "bert-large-japanese-v2", characters + ["##" + c for c in characters] + ["。"], {"model_type": "bert"},
               {"tokenizer_class": "BertJapaneseTokenizer", "do_lower_case": False, "word_tokenizer_type": "mecab",
                "subword_tokenizer_type": "wordpiece", "mecab_kwargs": {"mecab_dic": "unidic_lite"}})


def write_dictionary(folder: Path) -> None:
    """A MeCab dictionary of the Japanese words, compiled by libmecab itself."""
    source = folder.parent / "dictionary-source"
    source.mkdir(parents=True)
    folder.mkdir(parents=True)
    files = {"words.csv": "".join(f"{w},0,0,1000,名詞,{w}\n" for w in [*JAPANESE, "。"]),
             "char.def": "DEFAULT 0 1 0\nSPACE 0 1 0\n0x0020 SPACE\n", "unk.def": "DEFAULT,0,0,5000,名詞\nSPACE,0,0,5000,空白\n",
             "matrix.def": "1 1\n0 0 0\n", "feature.def": "\n", "rewrite.def": "[unigram rewrite]\n* $1\n[left rewrite]\n* $1\n[right rewrite]\n* $1\n",
             "left-id.def": "0 BOS/EOS\n", "right-id.def": "0 BOS/EOS\n", "dicrc": "cost-factor = 800\nbos-feature = BOS/EOS\neval-size = 1\n"}
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    arguments = ["mecab-dict-index", "-d", str(source), "-o", str(folder), "-f", "utf-8", "-t", "utf-8"]
    argv = (ctypes.c_char_p * len(arguments))(*(a.encode() for a in arguments))
    if ctypes.CDLL("libmecab.so.2").mecab_dict_index(len(arguments), argv) != 0:
        raise RuntimeError("libmecab did not compile the dictionary")
    (folder / "dicrc").write_text(files["dicrc"])


def write_wordnets(folder: Path) -> None:
    english = folder / "wordnet"
    english.mkdir(parents=True)
    index, synset = {"noun": [], "verb": [], "adj": [], "adv": []}, 10000000
    letters = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
    for number, word in enumerate(sorted(ENGLISH)):
        for part in ("noun", ("verb", "adj", "adv")[number % 3]):
            senses = 1 + number % 4
            places = " ".join(str(synset + i) for i in range(senses))
            synset += senses
            index[part].append(f"{word} {letters[part]} {senses} 1 @ {senses} 0 {places}  ")
    for part, lines in index.items():
        (english / f"index.{part}").write_text("".join(line + "\n" for line in lines))
        (english / f"{part}.exc").write_text("")
    rows = [f"{10000000 + number * 10 + i:08}-n\t{word}\thand" for number, word in enumerate(JAPANESE) for i in range(1 + number % 3)]
    (folder / "wnjpn-ok.tab").write_text("\n".join(rows) + "\n", encoding="utf-8")


def write_all(folder: Path) -> dict:
    """What the variables of docs/reproduce.md are here."""
    write_bnc(folder / "bnc")
    write_bccwj(folder / "bccwj")
    write_models(folder / "models")
    write_dictionary(folder / "dictionary")
    write_wordnets(folder / "wordnets")
    return {"BNC": folder / "bnc", "BCCWJ": folder / "bccwj", "MODELS": folder / "models", "DICTIONARY": folder / "dictionary",
            "WORDNET": folder / "wordnets/wordnet", "WNJPN": folder / "wordnets/wnjpn-ok.tab", "STORES": folder / "stores"}
