"""Makes good/, one small sample per format, and tests/malformed/corpora/FORMAT/, bad files with an expect.tsv: file,
fragment of the error that it must raise when it is read as that format.

Needs nothing but Python. Run it after adding a case; its output is committed. All texts are made up.
"""

import gzip
import pathlib

HERE = pathlib.Path(__file__).parent

# good


TEXT = """\
THE RIVER BANK

Mr. Fox walked along the bank of the river on a cold
morning. He was looking for Dr. Mole, who lives near St.
Mary's church. "Are you there?" he called. Nobody answered!

The bank was closed. It opens at 9 a.m. on weekdays.
"""

LINES = """\
The bank of the river was green.

She went to the bank to pay.
川の岸は緑だった。
"""

JSONL = """\
{"text": "The bank of the river. It was green.", "label": "nature", "id": "r1"}
{"id": 2, "label": "money", "text": "The bank was closed.\\nWe waited outside.", "extra": {"a": [1, null]}}

{"text": "Caf\\u00e9 \\ud83d\\ude00", "label": "other"}
"""

BNC = """\
<?xml version="1.0" encoding="UTF-8"?>
<bncDoc xml:id="T00"><teiHeader><fileDesc><titleStmt><title> Made up </title></titleStmt></fileDesc></teiHeader>\
<wtext type="NONAC"><div level="1"><head type="MAIN">
<s n="1"><w c5="AT0" hw="the" pos="ART">The </w><w c5="NN2" hw="bank" pos="SUBST">banks</w><c c5="PUN">.</c></s></head><p>
<s n="2"><w c5="PNP" hw="he" pos="PRON">He </w><w c5="VDD" hw="do" pos="VERB">did</w><w c5="XX0" hw="not" pos="ADV">n't </w>\
<w c5="VVI" hw="bank" pos="VERB">bank </w><mw c5="AV0"><w c5="PRP" hw="of" pos="PREP">of </w><w c5="NN1" hw="course" pos="SUBST">course\
</w></mw><gap desc="picture"/><c c5="PUN">.</c></s>
<s n="3"></s>
</p></div></wtext></bncDoc>
"""

SPOKEN = """\
<bncDoc xml:id="T01"><teiHeader/><stext type="CONVRSN"><u who="PS1"><s n="1"><unclear/><w c5="ITJ" hw="yeah" pos="INTERJ">\
Yeah </w><pause dur="2"/><w c5="AJ0" hw="r&amp;b" pos="ADJ">R&amp;B</w></s></u></stext></bncDoc>
"""


def unit(sample, label, text, lexeme, part):
    fields = [""] * 25
    fields[0], fields[1], fields[9], fields[12], fields[16], fields[23] = "LB", sample, label, lexeme, part, text
    return "\t".join(fields) + "\n"


BCCWJ = (
    unit("LBa1_00001", "B", "川", "川", "名詞-普通名詞-一般")
    + unit("LBa1_00001", "I", "の", "の", "助詞-格助詞")
    + unit("LBa1_00001", "I", "岸", "岸", "名詞-普通名詞-一般")
    + unit("LBa1_00001", "I", "。", "。", "補助記号-句点")
    + unit("LBa1_00001", "B", "１９", "十", "名詞-数詞")
    + unit("LBa1_00001", "I", "", "九", "名詞-数詞")
    + unit("LBa1_00001", "I", "年", "年", "名詞-普通名詞-助数詞可能")
    + unit("LBb2_00002", "I", "銀行", "銀行", "名詞-普通名詞-一般")
)


def rows(*words):
    lines = []
    for number, form, lemma, part, *rest in words:
        lines.append("\t".join([number, form, lemma, part, "_", "_", "_", "_", "_", rest[0] if rest else "_"]))
    return "\n".join(lines) + "\n"


CONLLU = (
    "# newdoc id = weblog-1\n# sent_id = 1\n# text = The banks (cannot) wait.\n"
    + rows(
        ("1", "The", "the", "DET"),
        ("2", "banks", "bank", "NOUN"),
        ("3", "(", "(", "PUNCT"),
        ("4-5", "cannot", "_", "_"),
        ("4", "can", "can", "AUX"),
        ("5", "not", "not", "PART"),
        ("6", ")", ")", "PUNCT"),
        ("6.1", "really", "really", "ADV"),
        ("7", "wait", "wait", "VERB"),
        ("8", ".", ".", "PUNCT"),
    )
    + "\n# newdoc id = weblog-2\n"
    + rows(
        ("1", "Bord", "bord", "NOUN"),
        ("2-3", "du", "_", "_", "_"),
        ("2", "de", "de", "ADP"),
        ("3", "le", "le", "DET"),
        ("4", "fleuve", "fleuve", "NOUN", "Gloss=river|SpaceAfter=No"),
        ("5", ".", ".", "PUNCT"),
    )
    + "\n"
)

VERTICAL = """\
<doc id="d1" title="A &quot;quoted&quot; title">
<s>
The	the	DT
bank	bank	NN
's	's	POS
R&amp;D	r&amp;d	NN
<	<	SYM
5	5	CD
,	,	,
</s>
</doc>
<doc id="d2">
<p>
<s>
e	e	NN
<g/>
-	-	SYM
<g/>
mail	mail	NN
</s>
No	no	UH
.	.	SENT
Tag	tag	NN
</p>
</doc>
"""

DWUG = """\
lemma	pos	date	grouping	identifier	context	indexes_target_token
bank	nn	1850	1	b-1	He said: "the bank" is — closed.	14:18
bank	nn	1990	2	b-2	 Über die Bank: bank	16:20
"""

BROWN = """\


\tThe/at Fulton/np-tl bank/nn said/vbd Friday/nr ``/`` 1/2/cd of/in it/ppo ''/'' ./.


\tIt/pps closed/vbd (/( again/rb )/) ./.
"""


def good():
    folder = HERE / "good"
    folder.mkdir(exist_ok=True)
    samples = {
        "plain.txt": TEXT,
        "lines.txt": LINES,
        "records.jsonl": JSONL,
        "T00.xml": BNC,
        "T01.xml": SPOKEN,
        "bccwj.tsv": BCCWJ,
        "sample.conllu": CONLLU,
        "sample.vert": VERTICAL,
        "uses.csv": DWUG,
        "ca01": BROWN,
    }
    for name, text in samples.items():
        (folder / name).write_bytes(text.encode("utf-8"))
    half = len(TEXT) // 2
    members = [gzip.compress(part.encode("utf-8"), mtime=0) for part in (TEXT[:half], TEXT[half:])]
    (folder / "plain.txt.gz").write_bytes(b"".join(members))
    (folder / "T00.xml.gz").write_bytes(gzip.compress(BNC.encode("utf-8"), mtime=0))


# malformed


class Folder:
    """Writes bad files of one format and remembers what each must raise."""

    def __init__(self, name):
        self.path = HERE.parent.parent / "malformed" / "corpora" / name
        self.path.mkdir(parents=True, exist_ok=True)
        for old in self.path.iterdir():
            old.unlink()
        self.expected = []

    def add(self, name, content, fragment):
        content = content if isinstance(content, bytes) else content.encode("utf-8")
        (self.path / name).write_bytes(content)
        self.expected.append(f"{name}\t{fragment}\n")

    def close(self):
        (self.path / "expect.tsv").write_text("".join(sorted(self.expected)), encoding="utf-8")


def text_cases():
    f = Folder("text")
    packed = gzip.compress(TEXT.encode("utf-8") * 3, mtime=0)
    f.add("latin_1.txt", "A line.\nThe caf\u00e9 was closed.\n".encode("latin-1"), ":2: byte 8 of the line, 0xE9, is not UTF-8")
    f.add("cut_character.txt", "A line.\ncaf\u00e9".encode("utf-8")[:-1], ":2: byte 4 of the line, 0xC3, is not UTF-8")
    f.add("surrogate.txt", b"A \xed\xa0\x80 line.\n", ":1: byte 3 of the line, 0xED")
    f.add("overlong.txt", b"A \xc0\xaf line.\n", ":1: byte 3 of the line, 0xC0")
    f.add("past_unicode.txt", b"A \xf4\x90\x80\x80 line.\n", ":1: byte 3 of the line, 0xF4")
    f.add("utf_16_cut.txt", "A line.\n".encode("utf-16")[:-1], ":1: byte 17 of the line, 0x0A, is not UTF-16LE")
    f.add("utf_16_without_mark.txt", "A line.\n".encode("utf-16-le"), "is a binary file, or UTF-16LE text")
    f.add("nul_far_in.txt.gz", gzip.compress(b"A line.\n" * 9000 + b"A\0B\n", mtime=0), ":9001: byte 2 of the line is NUL")
    f.add("cut_off.txt.gz", packed[:-20], "gzip data end after")
    f.add("without_checksum.txt.gz", packed[:-8], "gzip data end after")
    f.add("only_header.txt.gz", packed[:10], "gzip data end after 10 bytes")
    f.add("wrong_checksum.txt.gz", packed[:-8] + b"1234" + packed[-4:], "gzip data are damaged at byte")
    f.add("wrong_length.txt.gz", packed[:-4] + b"1234", "gzip data are damaged at byte")
    f.add("flipped.txt.gz", packed[:60] + bytes([packed[60] ^ 255]) + packed[61:], "gzip data are damaged at byte")
    f.add("garbage_after.txt.gz", packed + b"garbage", "gzip data are damaged at byte")
    f.add("not_deflate.txt.gz", b"\x1f\x8b\x07" + packed[3:], "gzip data are damaged at byte")
    f.add("packed_by_xz.txt", b"\xfd7zXZ\0\0\4", "is packed with xz")
    f.add("packed_by_bzip2.txt", b"BZh91AY&SY", "is packed with bzip2")
    f.add("packed_by_zstd.txt", b"\x28\xb5\x2f\xfd\0\0", "is packed with zstd")
    f.add("zip.txt", b"PK\x03\x04\x14\0", "is a zip archive")
    f.add("a.pdf", b"%PDF-1.4\n", "is a PDF file")
    f.add("tar.txt.gz", gzip.compress(b"a" * 257 + b"ustar" + b"b" * 300, mtime=0), "is a tar archive")
    f.close()


def auto_cases():
    f = Folder("auto")
    f.add("empty.txt", "", "is empty")
    f.add("empty.txt.gz", gzip.compress(b"", mtime=0), "is empty")
    f.add("white_space.txt", " \n\t\n", "holds only white space")
    f.add("page.html", "<!DOCTYPE HTML>\n<html><body>A page.</body></html>", "is HTML; save it as text first")
    f.add("page.xhtml", '<?xml version="1.0"?>\n<html xmlns="x"><body/></html>', "is HTML; save it as text first")
    f.add("other.xml", '<?xml version="1.0"?>\n<TEI><text/></TEI>', "is XML, but not the BNC's")
    f.add("doctype.xml", "<!DOCTYPE x>\n<x/>", "is XML, but not the BNC's")
    f.add("list.json", '[{"text": "One."}]\n', "is JSON, but not one object per line")
    f.add("pretty.json", '{\n "text": "One."\n}\n', "is JSON, but not one object per line")
    f.add("picture.svg", '<?xml version="1.0"?>\n<svg/>', "is a picture (SVG)")
    f.add("binary", b"\x7fELF\x02\x01\x01\0\0\0", "is a binary file")
    f.close()


def jsonl_cases():
    f = Folder("jsonl")
    f.add("broken_off.jsonl", '{"text": "One."}\n{"text": "Tw', ":2: is not JSON from byte 13 on")
    f.add("no_text.jsonl", '{"content": "One.", "id": 1}\n', ':1: has no "text"; expected {"text": "..."}, found the keys "content", "id"')
    f.add("empty_object.jsonl", "{}\n", "found the keys none")
    f.add("list.jsonl", '[{"text": "One."}]\n', ":1: holds a list; expected an object")
    f.add("string.jsonl", '"One."\n', ":1: holds a string; expected an object")
    f.add("number.jsonl", "17\n", ":1: holds 17; expected an object")
    f.add("null.jsonl", "null\n", ":1: holds null; expected an object")
    f.add("text_is_a_number.jsonl", '{"text": 5}\n', ':1: its "text" is 5; expected a string')
    f.add("text_is_null.jsonl", '{"text": null}\n', ':1: its "text" is null')
    f.add("text_is_a_list.jsonl", '{"text": ["One."]}\n', ':1: its "text" is a list')
    f.add("text_is_an_object.jsonl", '{"text": {"a": 1}}\n', ':1: its "text" is an object')
    f.add("label_is_a_list.jsonl", '{"text": "One.", "label": [1]}\n', ':1: its "label" is a list')
    f.add("text_twice.jsonl", '{"text": "One.", "text": "Two."}\n', ':1: has the key "text" twice')
    f.add("label_twice.jsonl", '{"label": 1, "text": "One.", "label": 2}\n', ':1: has the key "label" twice')
    f.add("two_objects.jsonl", '{"text": "One."} {"text": "Two."}\n', ":1: is not JSON from byte 18 on")
    f.add("pretty.jsonl", '{\n  "text": "One."\n}\n', ":1: is not JSON from byte")
    f.add("lone_surrogate.jsonl", '{"text": "\\ud83d"}\n', ":1: is not JSON from byte")
    f.add("control_character.jsonl", '{"text": "a\tb"}\n', ":1: is not JSON from byte")
    f.add("deep.jsonl", '{"text": "One.", "x": ' + "[" * 5000 + "\n", ":1: nests deeper than the 64 levels")
    f.add("latin_1.jsonl", '{"text": "caf\u00e9"}\n'.encode("latin-1"), ":1: byte 14 of the line, 0xE9, is not UTF-8")
    f.add("number_past_all.jsonl", '{"text": "One.", "x": 1e999999}\n', ":1: is not JSON from byte")
    f.close()


def bnc_cases():
    f = Folder("bnc")
    head = '<bncDoc xml:id="T00">\n<wtext>\n'
    f.add("cut_off.xml", BNC[:-20], "the file ends here; expected the end of its root element")
    f.add("cut_in_tag.xml", BNC[: BNC.index("VVI") + 1], "the file ends here")
    f.add("cut_in_word.xml", BNC[: BNC.index("banks") + 3], "the file ends here")
    f.add("empty.xml", "", "the file ends here")
    f.add("cut_off.xml.gz", gzip.compress(BNC.encode("utf-8"), mtime=0)[:-30], "gzip data end after")
    f.add("wrong_end.xml", head + "<s><w hw='a' pos='b'>c</s></wtext></bncDoc>", ":3: is not well-formed XML: mismatched tag")
    f.add("two_roots.xml", BNC + BNC[BNC.index("<bncDoc") :], ": is not well-formed XML: junk after document element")
    f.add("latin_1.xml", BNC.replace("Made", "Caf\u00e9").encode("latin-1"), ":2: character 65 of the line is not UTF-8")
    f.add("nul.xml", BNC.replace("Made", "Ma\0de"), "is a binary file")
    f.add("other_root.xml", "<TEI><text/></TEI>", "holds no <bncDoc>; expected the BNC's XML edition")
    f.add("sentence_outside.xml", "<TEI>\n<s/></TEI>", ":2: found <s> outside <bncDoc>")
    f.add("sentence_in_sentence.xml", head + "<s><s></s></s></wtext></bncDoc>", ":3: found <s> within <s>")
    f.add("word_outside.xml", head + "<w hw='a' pos='b'>c</w></wtext></bncDoc>", ":3: found <w> outside <s>")
    f.add("word_in_word.xml", head + "<s><w hw='a' pos='b'><w/></w></s></wtext></bncDoc>", ":3: found <w> outside <s>, or within a word")
    f.add("no_lemma.xml", head + "<s><w pos='b' lemma='a'>c</w></s></wtext></bncDoc>", ":3: found <w> without hw")
    f.add("no_part_of_speech.xml", head + "<s><w hw='a'>c</w></s></wtext></bncDoc>", ":3: found <w> without pos")
    f.add("punctuation_without_c5.xml", head + "<s><c>,</c></s></wtext></bncDoc>", ":3: found <c> without c5")
    f.add("unknown_entity.xml", head + "<s>&eacute;</s></wtext></bncDoc>", ":3: is not well-formed XML: undefined entity")
    f.add("unknown_encoding.xml", "<?xml version='1.0' encoding='KLINGON'?>" + head, ": is not well-formed XML: unknown encoding")
    f.add("doctype.xml", "<!DOCTYPE bncDoc SYSTEM 'bnc.dtd'>\n" + head, ":1: has the document type declaration <!DOCTYPE bncDoc>, which is refused")
    external = "<!DOCTYPE bncDoc [<!ENTITY f SYSTEM 'file:///etc/passwd'>]>\n" + head + "<s>&f;</s></wtext></bncDoc>"
    f.add("external_entity.xml", external, ":1: has the document type declaration <!DOCTYPE bncDoc>, which is refused")
    levels = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 10))
    bomb = f"<!DOCTYPE bncDoc [<!ENTITY l0 'lol'>{levels}]>\n{head}<s>&l9;</s></wtext></bncDoc>"
    f.add("entity_bomb.xml", bomb, ":1: has the document type declaration <!DOCTYPE bncDoc>, which is refused")
    f.add("parameter_entity.xml", "<!DOCTYPE bncDoc [<!ENTITY % p SYSTEM 'http://example.org/'> %p;]>" + head, "which is refused")
    f.add("deep.xml", head + "<div>" * 100, ":3: nests deeper than the 64 levels accepted")
    f.close()


def bccwj_cases():
    f = Folder("bccwj")
    f.add("24_fields.tsv", BCCWJ + "\t".join(["x"] * 24) + "\n", ":9: 24 fields; expected the 25 of BCCWJ's short unit words")
    f.add("26_fields.tsv", "\t".join(["x"] * 26) + "\n", ":1: 26 fields")
    f.add("text.tsv", "Some text.\n", ":1: 1 field; expected the 25")
    f.add("wrong_label.tsv", BCCWJ.replace("\tI\t", "\tO\t", 1), ':2: the sentence label (field 10) is "O"; expected B or I')
    f.add("header.tsv", "\t".join(f"f{i}" for i in range(25)) + "\n" + BCCWJ, ':1: the sentence label (field 10) is "f9"')
    f.add("cut_off.tsv", BCCWJ[:-4], ":8: 2")
    f.add("shift_jis.tsv", BCCWJ.encode("shift_jis"), ":1: byte")
    f.close()


def conllu_cases():
    f = Folder("conllu")
    f.add("9_fields.conllu", "1\ta\ta\tDET\t_\t_\t_\t_\t_\n", ":1: 9 fields; expected 10 with tabs between them")
    f.add("11_fields.conllu", "1\ta\ta\tDET\t_\t_\t_\t_\t_\t_\t_\n", ":1: 11 fields")
    f.add("spaces.conllu", "1 a a DET _ _ _ _ _ _\n", ":1: 1 field;")
    f.add("no_number.conllu", rows(("x", "a", "a", "DET")), ':1: its ID is "x"; expected a number')
    f.add("number_and_more.conllu", rows(("1x", "a", "a", "DET")), ':1: its ID is "1x"')
    f.add("number_past_all.conllu", rows(("99999999999", "a", "a", "DET")), ':1: its ID is "99999999999"')
    f.add("negative.conllu", rows(("-1", "a", "a", "DET")), ':1: its ID is "-1"')
    f.add("starts_at_2.conllu", rows(("2", "a", "a", "DET")), ":1: its ID starts with 2; expected 1")
    f.add("number_twice.conllu", rows(("1", "a", "a", "DET"), ("1", "b", "b", "DET")), ":2: its ID starts with 1; expected 2")
    f.add("empty_form.conllu", rows(("1", "", "a", "DET")), ":1: its FORM is empty")
    f.add("range_backwards.conllu", rows(("1", "a", "a", "X"), ("2-1", "a", "_", "_")), ":2: the range 2-1 is not a multiword token")
    f.add("range_too_long.conllu", rows(("1-4000000000", "a", "_", "_")), ":1: the range 1-4000000000 is not a multiword token")
    f.add("range_in_range.conllu", rows(("1-3", "a", "_", "_"), ("1", "a", "a", "X"), ("2-3", "a", "_", "_")), ":3: the range 2-3")
    f.add("range_unfinished.conllu", rows(("1-2", "du", "_", "_"), ("1", "de", "de", "ADP")) + "\n", ':3: the sentence ends within the multiword token "du"; expected its word 2')
    f.add("range_at_the_end.conllu", rows(("1-2", "du", "_", "_"), ("1", "de", "de", "ADP")), 'the sentence ends within the multiword token "du"')
    f.add("cut_off.conllu", CONLLU[:-12], ":21: 5 fields")
    f.close()


def vertical_cases():
    f = Folder("vertical")
    f.add("2_fields.vert", "<s>\na\ta\tDT\nb\tb\n</s>\n", ":3: 2 fields; expected 3 as in line 2")
    f.add("text.vert", "Some text.\n", ":1: 1 field; expected a tag, or word, lemma and part of speech")
    f.add("empty_word.vert", "<s>\n\ta\tDT\n</s>\n", ":2: its word is empty")
    f.add("cut_in_sentence.vert", VERTICAL[: VERTICAL.index("5\t5")], "the file ends; expected </s> for <s> of line 2")
    f.add("cut_in_document.vert", VERTICAL[: VERTICAL.rindex("</p>")], "the file ends; expected the end of the document of line 12")
    f.add("cut_in_line.vert", VERTICAL[: VERTICAL.index("\t,\n")], ":9: 2 fields; expected 3 as in line 3")
    f.add("sentence_in_sentence.vert", "<s>\na\ta\tDT\n<s>\n", ":3: found <s>; expected </s> for <s> of line 1")
    f.add("end_without_start.vert", "a\ta\tDT\n</s>\n", ":2: found </s>; expected <s> before it")
    f.add("document_in_sentence.vert", "<s>\na\ta\tDT\n</doc>\n", ':3: found "</doc>"; expected </s> for <s> of line 1')
    f.close()


def dwug_cases():
    f = Folder("dwug")
    head, row = "lemma\tcontext\tindexes_target_token\n", "bank\tThe bank.\t{}\n"
    f.add("empty.csv", "", "is empty; expected a header")
    f.add("no_target.csv", "lemma\tcontext\nbank\tThe bank.\n", ':1: no column "indexes_target_token" among "lemma\\x09context"')
    f.add("commas.csv", "lemma,context,indexes_target_token\n", ':1: no column "lemma" among "lemma,context,indexes_target_token"')
    f.add("column_twice.csv", "lemma\tcontext\tcontext\tindexes_target_token\n", ':1: has the column "context" twice')
    f.add("2_fields.csv", head + "bank\tThe bank.\n", ":2: 2 fields; expected 3 as in the header")
    f.add("4_fields.csv", head + "bank\tThe\tbank.\t0:3\n", ":2: 4 fields; expected 3 as in the header")
    f.add("no_colon.csv", head + row.format("4"), ':2: indexes_target_token is "4"; expected start:end')
    f.add("no_number.csv", head + row.format("a:b"), ':2: indexes_target_token is "a:b"; expected start:end')
    f.add("negative.csv", head + row.format("-4:8"), ':2: indexes_target_token is "-4:8"; expected start:end')
    f.add("number_past_all.csv", head + row.format("0:99999999999999999999999"), "; expected start:end")
    f.add("past_the_end.csv", head + row.format("4:10"), ':2: indexes_target_token is "4:10"; expected a word within the 9 characters')
    f.add("backwards.csv", head + row.format("8:4"), ":2: indexes_target_token is \"8:4\"; expected a word")
    f.add("nothing.csv", head + row.format("4:4"), ":2: indexes_target_token is \"4:4\"; expected a word")
    f.add("only_a_space.csv", head + row.format("3:4"), ":2: indexes_target_token is \"3:4\"; expected a word")
    f.add("empty_lemma.csv", head + "\tThe bank.\t4:8\n", ":2: its lemma is empty")
    f.close()


def brown_cases():
    f = Folder("brown")
    f.add("no_slash", "The/at bank/nn\nof the/at\n", ':2: found "of"; expected word/tag')
    f.add("no_tag", "The/at bank/ closed/vbd\n", ':1: found "bank/"; expected word/tag')
    f.add("no_word", "The/at /nn\n", ':1: found "/nn"; expected word/tag')
    f.add("cut_off", "The/at ban", ':1: found "ban"; expected word/tag')
    f.close()


if __name__ == "__main__":
    good()
    for cases in (text_cases, auto_cases, jsonl_cases, bnc_cases, bccwj_cases, conllu_cases, vertical_cases, dwug_cases, brown_cases):
        cases()
