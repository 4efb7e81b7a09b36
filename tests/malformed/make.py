"""Makes the bad files below this folder, and an expect.tsv for each reader: file, fragment of the error it must raise.

Needs nothing but Python. Run it after adding a case; its output is committed.
"""

import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent


class Folder:
    """Writes bad files and remembers what each must raise."""

    def __init__(self, name):
        self.path = HERE / name
        self.path.mkdir(exist_ok=True)
        self.ending = "." + name
        self.expected = []

    def add(self, name, content, fragment):
        file = self.path / (name + self.ending)
        file.write_bytes(content)
        self.expected.append((file.name, fragment))

    def close(self):
        lines = [f"{name}\t{fragment}\n" for name, fragment in sorted(self.expected)]
        (self.path / "expect.tsv").write_text("".join(lines), encoding="utf-8")


# .npy


def npy(dictionary, values=b"", version=(1, 0), length=None):
    text = dictionary.encode("latin-1") + b"\n"
    width = "<H" if version[0] == 1 else "<I"
    return b"\x93NUMPY" + bytes(version) + struct.pack(width, len(text) if length is None else length) + text + values


def head(descr="'<f4'", order="False", shape="(2, 2)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


FOUR = struct.pack("<4f", 1, 2, 3, 4)
GOOD = npy(head(), FOUR)


def npy_cases():
    f = Folder("npy")
    f.add("empty", b"", "is empty")
    f.add("one_byte", b"\x93", "cut off in the .npy header")
    f.add("text", b"1.0 2.0\n3.0 4.0\n", "does not start as an .npy array does")
    f.add("magic_only", b"\x93NUMPY", "cut off in the .npy header")
    f.add("no_header_length", b"\x93NUMPY\x01\x00\x40", "cut off in the .npy header")
    f.add("truncated_header", GOOD[:40], "cut off in the .npy header")
    f.add("header_length_past_the_end", npy(head(), FOUR, length=60000), "cut off in the .npy header")
    f.add("header_length_too_short", npy(head(), FOUR, length=20), "where a closed string was expected")
    f.add("header_of_4_gb", npy(head(), FOUR, (2, 0), 0xFFFFFFFF), "declares an .npy header of 4294967295 bytes")
    f.add("4_gb_in_few_bytes", npy(head(shape="(1000, 1000000)")), "declares the shape (1000, 1000000), 4000000000 bytes")
    f.add("version_4", npy(head(), FOUR, (4, 0)), ".npy version 4.0 is unknown")
    f.add("version_1_1", npy(head(), FOUR, (1, 1)), ".npy version 1.1 is unknown")
    f.add("shape_wraps", npy(head(shape="(4294967296, 4294967296)"), FOUR), "which no file can hold")
    f.add("shape_wraps_to_the_size", npy(head(shape="(4611686018427387905, 4)"), FOUR), "which no file can hold")
    f.add("shape_past_64_bits", npy(head(shape="(99999999999999999999, 2)"), FOUR), "a whole number of at most 64 bits")
    f.add("shape_negative", npy(head(shape="(-2, 2)"), FOUR), "a whole number of at most 64 bits")
    f.add("shape_of_floats", npy(head(shape="(2.0, 2)"), FOUR), "found \".0, 2)")
    f.add("shape_is_a_number", npy(head(shape="4"), FOUR), "where '(' was expected")
    f.add("shape_unclosed", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2", FOUR), "where ')' was expected")
    f.add("rank_0", npy(head(shape="()"), FOUR[:4]), "has shape ()")
    f.add("rank_1", npy(head(shape="(4,)"), FOUR), "has shape (4,); a cloud has 2 dimensions")
    f.add("rank_3", npy(head(shape="(2, 2, 1)"), FOUR), "has shape (2, 2, 1)")
    f.add("rank_9", npy(head(shape="(2, 2" + ", 1" * 7 + ")"), FOUR), "has 9 dimensions; at most 8")
    f.add("too_many_rows", npy(head(shape="(1000001, 0)")), "has 1000001 rows; at most 1000000")
    f.add("too_many_columns", npy(head(shape="(0, 65537)")), "has dimension 65537; at most 65536")
    f.add("big_endian", npy(head("'>f4'"), FOUR), "holds values of type \">f4\"")
    f.add("no_byte_order", npy(head("'|f4'"), FOUR), "holds values of type \"|f4\"")
    f.add("int64", npy(head("'<i8'", shape="(1, 2)"), FOUR), "holds values of type \"<i8\"")
    f.add("object", npy(head("'|O'"), b"\x80\x04."), "holds values of type \"|O\"")
    f.add("complex", npy(head("'<c8'", shape="(1, 2)"), FOUR), "holds values of type \"<c8\"")
    f.add("float128", npy(head("'<f16'", shape="(1, 1)"), FOUR), "holds values of type \"<f16\"")
    f.add("structured", npy(head("[('a', '<f4'), ('b', '<f4')]", shape="(2,)"), FOUR), "holds records")
    f.add("type_with_newline", npy(head("'<f\n4'"), FOUR), "holds values of type \"<f\\x0a4\"")
    f.add("type_with_escape", npy(head("'\\x3cf4'"), FOUR), "a string without escapes")
    f.add("truncated_values", GOOD[:-1], "16 bytes, but holds 15 bytes of values")
    f.add("no_values", npy(head()), "16 bytes, but holds 0 bytes of values")
    f.add("trailing_garbage", GOOD + b"\0", "16 bytes, but holds 17 bytes of values")
    f.add("two_arrays", GOOD + GOOD, "bytes of values; save or copy it again")
    f.add("unclosed_dict", npy(head()[:-1], FOUR), "where a string was expected")
    f.add("unclosed_string", npy("{'descr: <f4}", FOUR), "where a closed string was expected")
    f.add("no_dict", npy("['<f4', False, (2, 2)]", FOUR), "where '{' was expected")
    f.add("empty_dict", npy("{}", FOUR), "expected the keys descr, fortran_order and shape")
    f.add("text_after_dict", npy(head() + " + {}", FOUR), "more text after its dict")
    f.add("missing_comma", npy("{'descr': '<f4' 'fortran_order': False, 'shape': (2, 2)}", FOUR), "where '}' was expected")
    f.add("missing_key", npy("{'descr': '<f4', 'shape': (2, 2)}", FOUR), "expected the keys descr")
    f.add("unknown_key", npy("{'descr': '<f4', 'endian': 'big'}", FOUR), "unknown key \"endian\"")
    f.add("repeated_key", npy("{'descr': '<f4', 'descr': '<f8'}", FOUR), "key \"descr\" is there twice")
    f.add("order_is_a_number", npy(head(order="0"), FOUR), "where True or False was expected")
    f.add("code_as_order", npy(head(order="__import__('os')"), FOUR), "where True or False was expected")
    f.add("a_zip", make_zip([member("a", GOOD)]), "says .npy but holds .npz")
    f.add("a_safetensors", safetensors({"a": tensor([0, 16])}, FOUR), "says .npy but holds .safetensors")
    f.close()


# .npz


def member(array, content, **other):
    """A zip member as it is told and as it is: `told` overrides what the directory says."""
    return {"name": array.encode() + b".npy", "content": content, "packed": content, "method": 0, "flags": 0, "told": {}} | other


def deflated(array, content, **other):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return member(array, content, **({"packed": packed, "method": 8} | other))


def make_zip(members, entries=None):
    """Written by hand, since no library writes what is wrong."""
    body, directory = b"", b""
    for m in members:
        told = {
            "crc": zlib.crc32(m["content"]),
            "packed": len(m["packed"]),
            "size": len(m["content"]),
            "offset": len(body),
        } | m["told"]
        common = struct.pack("<HHHHIIIHH", m["flags"], m["method"], 0, 33, told["crc"], told["packed"], told["size"],
                             len(m["name"]), 0)
        directory += b"PK\x01\x02" + struct.pack("<HH", 20, 20) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0, told["offset"]) + m["name"]
        body += b"PK\x03\x04" + struct.pack("<H", 20) + common + m["name"] + m["packed"]
    count = len(members) if entries is None else entries
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def zip64_with_entries(entries):
    whole = make_zip([member("a", GOOD)])
    at = len(whole) - 22
    size, offset = struct.unpack("<II", whole[at + 12:at + 20])
    end64 = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, entries, entries, size, offset)
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, at, 1)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return whole[:at] + end64 + locator + end


def npz_cases():
    f = Folder("npz")
    whole = make_zip([member("a", GOOD), deflated("b", GOOD)])
    zeros = npy(head(shape="(1, 16)"), bytes(64))
    bomb = npy(head(shape="(257, 65536)"), bytes(257 * 65536 * 4))
    f.add("empty", b"", "is empty")
    f.add("no_members", make_zip([]), "holds no arrays")
    f.add("truncated", whole[:-30], "is not a whole zip archive")
    f.add("first_half", whole[: len(whole) // 2], "is not a whole zip archive")
    f.add("end_record_only_begun", whole[:-10], "is not a whole zip archive")
    f.add("front_cut_off", whole[50:], "is not a whole zip archive")
    f.add("text", b"no archive at all, only a line of text\n", "is not a whole zip archive")
    f.add("more_entries_than_there_are", make_zip([member("a", GOOD)], 60000), "is not a whole zip archive")
    f.add("billions_of_entries", zip64_with_entries(1 << 33), "is not a whole zip archive")
    f.add("an_npy", GOOD, "says .npz but holds .npy")
    f.add("a_safetensors", safetensors({"a": tensor([0, 16])}, FOUR), "says .npz but holds .safetensors")
    f.add("member_not_npy", make_zip([member("a", GOOD, name=b"readme.txt")]), "holds \"readme.txt\", which is not an .npy array")
    f.add("member_is_a_folder", make_zip([member("a", b"", name=b"a/")]), "holds \"a/\", which is not an .npy array")
    f.add("member_without_name", make_zip([member("", GOOD)]), "holds an array without a name")
    f.add("member_name_with_newline", make_zip([member("a\nb", GOOD)]), "with a control character")
    f.add("member_is_text", make_zip([member("a", b"hello, world")]), "a: does not start as an .npy array does")
    f.add("member_is_empty", make_zip([member("a", b"")]), "cut off in the .npy header")
    f.add("member_header_truncated", make_zip([deflated("a", GOOD[:40])]), "cut off in the .npy header")
    f.add("member_values_truncated", make_zip([deflated("a", GOOD[:-4])]), "16 bytes, but holds 12 bytes of values")
    f.add("member_trailing_garbage", make_zip([deflated("a", GOOD + b"0")]), "16 bytes, but holds 17 bytes of values")
    f.add("member_of_int64", make_zip([member("a", npy(head("'<i8'"), bytes(32)))]), "a: holds values of type \"<i8\"")
    f.add("member_of_rank_3", make_zip([member("a", npy(head(shape="(1, 2, 2)"), FOUR))]), "a: has shape (1, 2, 2)")
    f.add("duplicate_names", make_zip([member("a", GOOD), member("a", GOOD)]), "holds the array \"a\" twice")
    f.add("wrong_checksum", make_zip([member("a", GOOD, told={"crc": 1})]), "a: cannot be unpacked (CRC error)")
    f.add("wrong_checksum_deflated", make_zip([deflated("a", GOOD, told={"crc": 1})]), "a: cannot be unpacked (CRC error)")
    f.add("encrypted", make_zip([member("a", GOOD, flags=1)]), "is encrypted")
    f.add("bzip2", make_zip([member("a", GOOD, method=12)]), "is packed with zip method 12")
    f.add("unknown_method", make_zip([member("a", GOOD, method=77)]), "is packed with zip method 77")
    f.add("damaged_deflate", make_zip([deflated("a", GOOD, packed=b"\xff" * 60)]), "a: cannot be unpacked (Zlib error")
    f.add("stored_size_lies", make_zip([member("a", GOOD, told={"size": 4000})]), "bytes but declares 4000")
    f.add("deflated_size_too_large", make_zip([deflated("a", GOOD, told={"size": len(GOOD) + 9})]), "holds 25 bytes of values")
    f.add("deflated_size_too_small", make_zip([deflated("a", GOOD, told={"size": len(GOOD) - 8})]), "holds 8 bytes of values")
    short = npy(head(shape="(2, 2)"), FOUR + FOUR)
    f.add("unpacks_to_more", make_zip([deflated("a", short, told={"size": len(short) - 16})]), "unpacks to more")
    long = npy(head(shape="(10, 65536)"), FOUR)
    f.add("unpacks_to_less", make_zip([deflated("a", long, told={"size": len(long) - 16 + 2621440})]), "bytes but unpacks to ")
    f.add("offset_past_the_end", make_zip([member("a", GOOD, told={"offset": 100000})]), "a: cannot be unpacked")
    f.add("packed_size_past_the_end", make_zip([deflated("a", GOOD, told={"packed": 100000})]), "do not fit the file")
    overlapping = [deflated("a", GOOD)] + [deflated(f"a{i}", GOOD, packed=b"", told={"packed": 70, "offset": 0}) for i in range(9)]
    f.add("overlapping_members", make_zip([m | {"told": m["told"] | {"packed": 300}} for m in overlapping]), "do not fit the file")
    f.add("zip_bomb", make_zip([deflated("a", bomb)]), "more than 250 times as many")
    f.add("bomb_by_announcement", make_zip([deflated("a", zeros, told={"size": 0xFFFFFFF0})]), "more than 250 times as many")
    f.close()


# .safetensors


def safetensors(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(offsets, shape=(2, 2), dtype="F32"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def entry(text):
    return b'{"a":' + text.encode() + b"}"


def safetensors_cases():
    f = Folder("safetensors")
    one = {"a": tensor([0, 16])}
    good = safetensors(one, FOUR)
    f.add("empty", b"", "is empty")
    f.add("no_length", b"\x10\0\0", "cut off in the length of the .safetensors header")
    f.add("length_only", good[:8], "but only 0 follow")
    f.add("truncated_header", good[:30], "but only 22 follow")
    f.add("length_past_the_end", safetensors(one, FOUR, 5000), "declares a .safetensors header of 5000 bytes, but only")
    f.add("length_past_the_limit", safetensors(one, FOUR, 100000001), "at most 100000000 are accepted")
    f.add("length_all_ones", safetensors(one, FOUR, 2**64 - 1), "at most 100000000 are accepted")
    f.add("length_too_short", safetensors(one, FOUR, 20), "is not JSON")
    f.add("length_zero", safetensors(b"", FOUR), "does not start with '{'")
    f.add("byte_order_mark", safetensors(b"\xef\xbb\xbf" + json.dumps(one).encode(), FOUR), "does not start with '{'")
    f.add("a_list", safetensors(b"[1, 2]", FOUR), "does not start with '{'")
    f.add("an_npy", GOOD, "says .safetensors but holds .npy")
    f.add("a_zip", make_zip([member("a", GOOD)]), "says .safetensors but holds .npz")
    f.add("unclosed_object", safetensors(json.dumps(one).encode()[:-1], FOUR), "is not JSON")
    f.add("text_after_object", safetensors(json.dumps(one).encode() + b"{}", FOUR), "is not JSON")
    f.add("not_utf8", safetensors(b'{"\xff": 1}', FOUR), "is not JSON")
    f.add("deep_lists", safetensors(b'{"__metadata__":{"a":' + b"[" * 3000 + b"]" * 3000 + b"}}"), "deeper than the 64 levels")
    f.add("deep_objects", safetensors(b'{"__metadata__":' + b'{"a":' * 2000), "deeper than the 64 levels")
    f.add("no_tensors", safetensors({}), "holds no arrays")
    f.add("metadata_only", safetensors({"__metadata__": {"a": "b"}}), "holds no arrays")
    f.add("metadata_is_text", safetensors({"__metadata__": "a"}), "where an object was expected")
    f.add("metadata_is_a_list", safetensors({"__metadata__": ["a"]}), "where an object was expected")
    f.add("metadata_twice", safetensors(b'{"__metadata__":{},"__metadata__":{}}'), "\"__metadata__\" twice")
    f.add("tensor_is_a_number", safetensors(entry("5")), "found 5 where an object was expected")
    f.add("tensor_is_null", safetensors(entry("null")), "found null where an object was expected")
    f.add("duplicate_names", safetensors(b'{"a":%b,"a":%b}' % ((json.dumps(tensor([0, 16])).encode(),) * 2), FOUR), "\"a\" twice")
    f.add("duplicate_keys", safetensors(entry('{"dtype":"F32","dtype":"F64","shape":[2,2],"data_offsets":[0,16]}'), FOUR),
          "has the key \"dtype\" twice")
    f.add("no_name", safetensors({"": tensor([0, 16])}, FOUR), "holds an array without a name")
    f.add("name_with_newline", safetensors({"a\nb": tensor([0, 16])}, FOUR), "\"a\\x0ab\" with a control character")
    f.add("name_too_long", safetensors({"a" * 4097: tensor([0, 16])}, FOUR), "holds a name of 4097 bytes")
    f.add("no_dtype", safetensors(entry('{"shape":[2,2],"data_offsets":[0,16]}'), FOUR), "expected the keys dtype, shape and")
    f.add("no_shape", safetensors(entry('{"dtype":"F32","data_offsets":[0,16]}'), FOUR), "expected the keys dtype, shape and")
    f.add("no_offsets", safetensors(entry('{"dtype":"F32","shape":[2,2]}'), FOUR), "expected the keys dtype, shape and")
    f.add("unknown_key", safetensors({"a": tensor([0, 16]) | {"order": "F"}}, FOUR), "unexpected \"F\" under \"order\"")
    f.add("dtype_is_a_number", safetensors({"a": tensor([0, 16], dtype=32)}, FOUR), "unexpected 32 under \"dtype\"")
    f.add("dtype_unknown", safetensors({"a": tensor([0, 16], dtype="F31")}, FOUR), "has the type \"F31\"")
    f.add("dtype_int", safetensors({"a": tensor([0, 16], (1, 2), "I64")}, FOUR), "holds values of type \"I64\"")
    f.add("dtype_wrong_size", safetensors({"a": tensor([0, 16], dtype="F16")}, FOUR), "does not fill its data_offsets [0, 16]")
    f.add("half_bytes", safetensors({"a": tensor([0, 2], (1, 5), "F4")}, b"ab"), "does not fill its data_offsets [0, 2]")
    f.add("shape_negative", safetensors({"a": tensor([0, 16], (-2, -2))}, FOUR), "unexpected -2 under \"shape\"")
    f.add("shape_of_floats", safetensors({"a": tensor([0, 16], (2.0, 2))}, FOUR), "unexpected \"2.0\" under \"shape\"")
    f.add("shape_past_64_bits", safetensors({"a": tensor([0, 16], (2**64, 2))}, FOUR), "unexpected \"18446744073709551616\"")
    f.add("shape_nested", safetensors({"a": tensor([0, 16], ([2, 2],))}, FOUR), "unexpected a list under \"shape\"")
    f.add("shape_is_an_object", safetensors({"a": tensor([0, 16]) | {"shape": {}}}, FOUR), "unexpected an object under \"shape\"")
    f.add("shape_wraps", safetensors({"a": tensor([0, 16], (2**32, 2**32))}, FOUR), "which no file can hold")
    f.add("shape_wraps_to_the_size", safetensors({"a": tensor([0, 16], (2**62 + 1, 4))}, FOUR), "which no file can hold")
    f.add("shape_too_large", safetensors({"a": tensor([0, 16], (1000, 1000000))}, FOUR), "does not fill its data_offsets")
    f.add("shape_too_small", safetensors({"a": tensor([0, 16], (2, 1))}, FOUR), "does not fill its data_offsets")
    f.add("rank_0", safetensors({"a": tensor([0, 4], ())}, FOUR[:4]), "has shape ()")
    f.add("rank_1", safetensors({"a": tensor([0, 16], (4,))}, FOUR), "has shape (4,)")
    f.add("rank_3", safetensors({"a": tensor([0, 16], (1, 2, 2))}, FOUR), "has shape (1, 2, 2)")
    f.add("rank_9", safetensors({"a": tensor([0, 16], (2, 2) + (1,) * 7)}, FOUR), "has 9 dimensions; at most 8")
    f.add("offsets_of_three", safetensors({"a": tensor([0, 8, 16])}, FOUR), "data_offsets has more than 2 numbers")
    f.add("offsets_of_one", safetensors({"a": tensor([16])}, FOUR), "data_offsets has 1 numbers; expected 2")
    f.add("offsets_backwards", safetensors({"a": tensor([16, 0])}, FOUR), "[16, 0] are not within the 16 bytes of data")
    f.add("offsets_past_the_end", safetensors({"a": tensor([0, 17])}, FOUR), "[0, 17] are not within the 16 bytes of data")
    f.add("offsets_past_64_bits", safetensors({"a": tensor([0, 2**64])}, FOUR), "under \"data_offsets\"")
    f.add("truncated_values", good[:-1], "[0, 16] are not within the 15 bytes of data")
    f.add("trailing_garbage", good + b"\0", "17 bytes of data, but its tensors end at 16")
    f.add("overlap", safetensors({"a": tensor([0, 16]), "b": tensor([8, 24])}, FOUR + FOUR), "b: its data start at byte 8")
    f.add("same_place_twice", safetensors({"a": tensor([0, 16]), "b": tensor([0, 16])}, FOUR), "they overlap")
    f.add("hole_between", safetensors({"a": tensor([0, 16]), "b": tensor([20, 36])}, FOUR * 3), "there is a hole")
    f.add("hole_at_the_start", safetensors({"a": tensor([4, 20])}, FOUR + FOUR), "there is a hole")
    f.close()


if __name__ == "__main__":
    npy_cases()
    npz_cases()
    safetensors_cases()
