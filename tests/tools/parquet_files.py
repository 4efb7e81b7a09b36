"""Parquet files as other programs write them, and what they say: for tests/importing/parquet_live_test.cc.

    parquet_files.py write FOLDER [ROWS]  a file for each writer and option, all with the rows of FOLDER/rows.jsonl
    parquet_files.py odd FOLDER           a file for each thing that few tables have, such as a column without values
    parquet_files.py read FILE TSV        whether a file of ours holds, for each reader, what the TSV does

Some of those of `write tests/data/parquet 12` are kept there, and all of `odd tests/data/parquet/odd`, for
tests/importing/odd_parquet_test.cc; tests/parquet/fuzz_test.cc spoils both.
Exit status 77: the libraries are not installed.
"""

import base64
import csv
import json
import sys
from pathlib import Path

try:
    import duckdb
    import numpy as np
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as missing:
    print(missing)
    sys.exit(77)

DIMENSION = 5
WORDS = ["bank", "naïve", "river", "水"]


def rows(number):
    random = np.random.default_rng(1)
    for i in range(number):
        word = WORDS[int(random.integers(len(WORDS)))]
        text = f"{i} … {word} is here"
        start = text.index(word)
        yield {
            "word": word,
            "vector": [float(x) for x in random.standard_normal(DIMENSION).astype(np.float16)],  # the same in all types
            "text": text,
            "start": start,
            "end": start + len(word),
            "document": None if i % 7 == 0 else f"d{i // 50}",
        }


def columns(table):
    return {key: [row[key] for row in table] for key in table[0]}


def arrow(table, vectors):
    names = columns(table)
    return pa.table({
        "word": pa.array(names["word"], pa.string()),
        "vector": pa.array(names["vector"], vectors),
        "text": pa.array(names["text"], pa.large_string()),
        "start": pa.array(names["start"], pa.int32()),
        "end": pa.array(names["end"], pa.uint16()),
        "document": pa.array(names["document"], pa.string()),
    })


def write_arrow(folder, table):
    lists = {
        "float": pa.list_(pa.float32()),
        "double": pa.list_(pa.float64()),
        "half": pa.list_(pa.float16()),
        "fixed": pa.list_(pa.float32(), DIMENSION),
        "large": pa.large_list(pa.float32()),
        "required": pa.list_(pa.field("element", pa.float32(), nullable=False)),
    }
    for name, vectors in lists.items():
        pq.write_table(arrow(table, vectors), folder / f"arrow_{name}.parquet")
    usual = arrow(table, lists["float"])
    for codec in ("none", "snappy", "gzip", "zstd", "lz4"):
        pq.write_table(usual, folder / f"arrow_{codec}.parquet", compression=codec)
        pq.write_table(usual, folder / f"arrow_{codec}_v2.parquet", compression=codec, data_page_version="2.0")
    pq.write_table(usual, folder / "arrow_plain.parquet", use_dictionary=False)
    pq.write_table(usual, folder / "arrow_pages.parquet", data_page_size=64, write_batch_size=3)
    pq.write_table(usual, folder / "arrow_groups.parquet", row_group_size=37)
    pq.write_table(usual, folder / "arrow_index.parquet", write_page_index=True, write_page_checksum=True)
    pq.write_table(usual, folder / "arrow_old.parquet", version="1.0", use_deprecated_int96_timestamps=True)
    pq.write_table(usual, folder / "arrow_split.parquet", use_dictionary=False, use_byte_stream_split=["vector.list.element"])
    delta = {"text": "DELTA_BYTE_ARRAY", "word": "DELTA_LENGTH_BYTE_ARRAY", "start": "DELTA_BINARY_PACKED", "end": "DELTA_BINARY_PACKED"}
    pq.write_table(usual, folder / "arrow_delta.parquet", use_dictionary=False, column_encoding=delta)
    names = columns(table)
    spans = [{"start": a, "end": b} for a, b in zip(names["start"], names["end"])]
    bounds = usual.drop_columns(["start", "end"])
    pq.write_table(bounds.append_column("span", pa.array(spans)), folder / "arrow_span_struct.parquet")
    pairs = [[a, b] for a, b in zip(names["start"], names["end"])]
    pq.write_table(bounds.append_column("span", pa.array(pairs)), folder / "arrow_span_list.parquet")
    texts = [f"{a}:{b}" for a, b in zip(names["start"], names["end"])]
    pq.write_table(bounds.append_column("span", pa.array(texts)), folder / "arrow_span_text.parquet")
    other = ["lemma", "embedding", "context", "start_char", "end_char", "doc_id"]
    pq.write_table(usual.rename_columns(other), folder / "arrow_names.parquet")


def write_polars(folder, table):
    kinds = {"list": pl.List(pl.Float32), "array": pl.Array(pl.Float32, DIMENSION), "double": pl.List(pl.Float64)}
    for name, vectors in kinds.items():
        frame = pl.DataFrame(columns(table), schema_overrides={"vector": vectors})
        frame.write_parquet(folder / f"polars_{name}.parquet")
    for codec in ("uncompressed", "snappy", "gzip", "zstd", "lz4"):
        frame.write_parquet(folder / f"polars_{codec}.parquet", compression=codec, row_group_size=200, data_page_size=512)
    frame.with_columns(pl.col("word").cast(pl.Categorical)).write_parquet(folder / "polars_categorical.parquet")


def write_duckdb(folder, table):
    rows = arrow(table, pa.list_(pa.float32()))
    database = duckdb.connect()
    database.register("rows", rows)
    for codec in ("uncompressed", "snappy", "gzip", "zstd", "lz4_raw"):
        for version in ("V1", "V2"):
            path = folder / f"duckdb_{codec}_{version}.parquet"
            database.execute(f"COPY rows TO '{path}' (FORMAT parquet, CODEC '{codec}', PARQUET_VERSION {version})")
    array = f"SELECT * REPLACE (vector::FLOAT[{DIMENSION}] AS vector) FROM rows"
    database.execute(f"COPY ({array}) TO '{folder}/duckdb_array.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048)")


def write(folder, number):
    table = list(rows(number))
    with open(folder / "rows.jsonl", "w", encoding="utf-8") as lines:
        for row in table:
            lines.write(json.dumps(row, ensure_ascii=len(row["text"]) % 2 == 0) + "\n")
    write_arrow(folder, table)
    write_polars(folder, table)
    write_duckdb(folder, table)


# Two rows of "a" and two of "b", in two row groups of one of each, with further columns.
def few(**further):
    vectors = pa.array([[1.0, 2.0], [2.0, 1.0], [1.0, 3.0], [3.0, 1.0]], pa.list_(pa.float32()))
    return pa.table({"word": ["a", "b", "a", "b"], "vector": vectors, **further})


# The texts, but not what the file says of its columns.
def write_encrypted(table, path):
    from pyarrow.parquet import encryption  # not everywhere

    class Keys(encryption.KmsClient):
        def __init__(self, _):
            encryption.KmsClient.__init__(self)

        def wrap_key(self, key, _):
            return base64.b64encode(key)

    settings = encryption.EncryptionConfiguration(footer_key="a", plaintext_footer=True, column_keys={"b": ["text"]})
    properties = encryption.CryptoFactory(Keys).file_encryption_properties(encryption.KmsConnectionConfig(), settings)
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as file:
        file.write_table(table)


def write_odd(folder):
    folder.mkdir(exist_ok=True)
    texts = ["a one", "b two", "a three", "b four"]
    half = few(text=pa.array([None, None, *texts[2:]], pa.string()))
    pq.write_table(half, folder / "gzip_nulls.parquet", compression="gzip", row_group_size=2)
    nothing = pa.nulls(4)
    pq.write_table(few(text=nothing, context=pa.array(texts), document=nothing, span=nothing), folder / "null_arrow.parquet")
    pl.from_arrow(few(text=nothing, document=nothing)).write_parquet(folder / "null_polars.parquet")
    rows = few()
    duckdb.sql(f"COPY (SELECT *, NULL AS text, NULL AS document FROM rows) TO '{folder}/null_duckdb.parquet' (FORMAT parquet)")
    documents = few(document=pa.array([1, None, 2, 2], pa.int64()))
    pq.write_table(documents, folder / "split_nulls.parquet", use_dictionary=False, column_encoding={"document": "BYTE_STREAM_SPLIT"})
    places = pa.array([{"start": 2, "end": 3 + i} for i in range(4)])
    named = few(target=pa.array(texts), label=pa.array(["d", "e", "d", "e"]), where=places)
    pq.write_table(named, folder / "named.parquet")
    ends = {"start": pa.array([0.0, 0.0, None, float("nan")]), "end": pa.array([5.0, 1.0, None, float("nan")])}
    pq.write_table(few(text=pa.array(texts), **ends), folder / "real_spans.parquet")
    pq.write_table(few(text=pa.array(texts), span=pa.array([[0, 1], [0, None], [0, 1], [0, 1]])), folder / "null_in_span.parquet")
    number = 30_000  # beside one value each; not among the .parquet, of which tests/parquet/fuzz_test.cc makes many
    short = pa.table({"word": ["a"] * number, "vector": pa.array([[1.0]] * number, pa.list_(pa.float32())), "text": ["a"] * number})
    pq.write_table(short, folder / "short_vectors.pq", compression="zstd")
    large = pa.array([2**63, 2**64 - 1, 7, None], pa.uint64())
    pq.write_table(few(document=large), folder / "unsigned_documents.parquet")
    pq.write_table(few(text=pa.array(texts), offsets=places), folder / "struct_of_offsets.parquet")
    tokens = pa.array([[{"form": "a", "tag": "DET"}]] * 4)
    tags = pa.array([[("a", "DET")]] * 4, pa.map_(pa.string(), pa.string()))
    structs = few(context=tokens, sentence=tags).append_column("text", pa.array(texts))
    pq.write_table(structs, folder / "lists_of_structs.parquet")
    days = pa.array([18262, 18263, 18264, None], pa.date32())
    pq.write_table(few(day=days, matrix=pa.array([[[1.0, 2.0]]] * 4)), folder / "other_types.parquet")
    write_encrypted(few(text=pa.array(texts)), folder / "encrypted_texts.pq")  # not among the .parquet that can be read
    latin = pa.array([text.encode("latin-1") for text in ("a", "café", "a", "b")])
    pq.write_table(few(latin=latin), folder / "latin_words.parquet")


def same(text, value):
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    return type(value)(text) == value


def read(path, tsv):
    with open(tsv, encoding="utf-8", newline="") as lines:
        keys, *expected = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    relation = duckdb.sql(f"SELECT * FROM '{path}'")
    tables = {
        "pyarrow": [list(row.values()) for row in pq.read_table(path).to_pylist()],
        "polars": [list(row) for row in pl.read_parquet(path).rows()],
        "duckdb": [list(row) for row in relation.fetchall()],
    }
    assert pq.read_table(path).column_names == keys, (pq.read_table(path).column_names, keys)
    assert pl.read_parquet(path).columns == keys
    assert "null" not in {str(field.type) for field in pq.read_schema(path)}, pq.read_schema(path)
    for reader, found in tables.items():
        assert len(found) == len(expected), (reader, len(found), len(expected))
        for number, (line, row) in enumerate(zip(expected, found)):
            for key, text, value in zip(keys, line, row, strict=True):
                assert key == "seconds" or same(text, value), (reader, number, key, text, value)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 700)
    elif sys.argv[1] == "odd":
        write_odd(Path(sys.argv[2]))
    else:
        read(sys.argv[2], sys.argv[3])
