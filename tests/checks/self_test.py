"""The checks can fail: each finds the faults of a small bad project, and none in a small good one."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import docs
import flags
import front_ends
import namespaces
import paths
import rooms

HERE = Path(__file__).resolve().parent
SUMMARY = HERE.parents[1] / "tools" / "ctest_summary.py"
DISCOVER = HERE.parent / "tools" / "discover.py"
GOOD = {
    "include/wordbreadth/a.h": "#pragma once\n#include <vector>\n#include \"wordbreadth/b.h\"\nnamespace wordbreadth {\nint open(int flags = 0);\n}\n",
    "src/store/a.cc": '#include "store/a.h"\n#include "wordbreadth/a.h"\nnamespace wordbreadth::store {\nint a() { return 1; }  // no printf here\n}\n',
    "src/study/b.cc": '#include <zip.h>\n\n#include "store/a.h"\nstruct zip;\nnamespace wordbreadth {\nnamespace { int b() { return 2; } }\n'
    "int open(int flags) try { return b() - --flags; } catch (...) { return 0; }\n}\n",
    "src/cli/main.cc": '#include <iostream>\n#include "wordbreadth/a.h"\nint main() { std::cout << "--help"; }\n',
    "python/bindings/module.cc": '#include <nanobind/nanobind.h>\n#include "bindings/a.h"\n#include "report/a.h"\n',
    "docs/page.md": "[up](page.md#top) <!-- -->\n<!-- from: src/store/a.cc -->\n```cpp\nint a() { return 1; }  // no printf here\n```\n",
}


class Project:
    """GOOD with some files changed, in a folder of its own."""

    def __init__(self, changes=None):
        self.changes = changes or {}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        for name, text in {**GOOD, **self.changes}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return root

    def __exit__(self, *_):
        self.folder.cleanup()


def compiled(root: Path, body: str, name: str) -> Path:
    """An archive of one object made from `body`."""
    (root / "object.cc").write_text(body)
    subprocess.run(["g++", "-c", "object.cc", "-o", name], cwd=root, check=True)
    subprocess.run(["ar", "cr", "library.a", name], cwd=root, check=True)
    return root / "library.a"


class Checks(unittest.TestCase):
    def finds(self, check, changes, count=1):
        with Project(changes) as root:
            self.assertEqual(len(list(check.faults(root))), count)

    def test_a_good_project_has_no_faults(self):
        for check in (rooms, front_ends, namespaces, flags, paths, docs):
            self.finds(check, {}, 0)

    def test_docs_finds_a_stage_that_no_page_explains(self):
        stages = {"src/store/a.cc": 'const Timing::Stage in(execution.timing, "reading");\nreturn timed(timing, "writing", [&] { f("x"); });\n'}
        stages["docs/page.md"] = ""
        self.finds(docs, stages, 2)
        self.finds(docs, {**stages, "docs/timing.md": "| reading, writing |\n"}, 0)

    def test_rooms_finds_a_lower_room_that_includes_a_higher_one(self):
        self.finds(rooms, {"src/store/a.cc": '#include "study/b.h"\n'})

    def test_rooms_looks_at_device_code(self):
        self.finds(rooms, {"src/engine/a.cu": '#include "study/b.h"\n', "src/engine/a.cuh": '#include "study/b.h"\n'}, 2)

    def test_rooms_finds_an_include_of_no_room(self):
        self.finds(rooms, {"src/store/a.cc": '#include "a.h"\n'})

    def test_rooms_finds_an_unknown_room(self):
        self.finds(rooms, {"src/attic/a.cc": ""})

    def test_rooms_finds_third_party_and_conditional_public_headers(self):
        self.finds(rooms, {"include/wordbreadth/a.h": "#include <zip.h>\n#ifdef FAST\n#endif\n"}, 2)

    def test_front_ends_finds_an_internal_header_in_the_program(self):
        self.finds(front_ends, {"src/cli/main.cc": '#include "report/a.h"\n#include "cli/a.h"\n#include "store/a.h"\n#include <zip.h>\n'})
        self.finds(front_ends, {"python/bindings/module.cc": '#include "store/a.h"\n#include "cli/a.h"\n'}, 2)

    def test_namespaces_finds_names_that_are_not_public(self):
        for line in (
            "int hidden();",
            "struct Hidden { int open; };",
            "class Hidden;",
            "enum class Hidden { open };",
            "using Hidden = int;",
            "constexpr int hidden = 3;",
            "const std::map<int, std::vector<int>> hidden{{1, {2}}};",
            "template <typename T, typename U = std::vector<int>> T hidden(T a, U b) { return a; }",
            "template <typename T> concept Hidden = requires(T t) { t.open(); };",
            "[[nodiscard]] inline std::vector<int> hidden(int open = 2) { return {open}; }",
            "Hidden::Hidden(int a) : open_{a}, b_(a) {}",
            "std::string Hidden::open() const { return R\"(})\"; }",
            "bool operator==(const Open& a, const Open& b);",
        ):
            self.finds(namespaces, {"src/study/a.h": "namespace wordbreadth {\n" + line + "\n}  // namespace\n"})
            self.finds(namespaces, {"src/study/a.h": "namespace wordbreadth::study::page {\n" + line + "\n}\n"}, 0)
            self.finds(namespaces, {"src/study/a.cc": "namespace wordbreadth {\nnamespace {\n" + line + "\n}\n}\n"}, 0)

    def test_namespaces_finds_another_rooms_namespace_and_none_at_all(self):
        self.finds(namespaces, {"src/study/a.h": "namespace wordbreadth::store {\nint hidden();\n}\n"})
        self.finds(namespaces, {"src/study/a.h": "namespace wordbreadth { namespace detail {\nint open(int);\n} }\n"})
        self.finds(namespaces, {"src/study/a.h": "int hidden() { return 1; }\n"})

    def test_namespaces_lets_names_be_qualified_by_their_room(self):
        self.finds(namespaces, {"src/study/b.cc": "namespace wordbreadth {\nint study::f() { return 1; }\nstruct study::G { int a; };\n}\n"}, 0)
        self.finds(namespaces, {"src/study/b.cc": "namespace wordbreadth {\nint store::f() { return 1; }\nint study() { return 1; }\n}\n"}, 2)

    def test_namespaces_lets_members_of_public_types_be_defined(self):
        header = "namespace wordbreadth {\nclass Store final : Base { public: Store(); struct Inner; };\n}\n"
        source = "namespace wordbreadth {\nstruct Store::Inner { int a; };\nStore::Store() : a_{1} { int hidden = 2; }\nStore::~Store() = default;\n}\n"
        self.finds(namespaces, {"include/wordbreadth/a.h": header, "src/study/b.cc": source}, 0)

    def test_flags_finds_an_option_of_the_command_line_in_the_library(self):
        for line in ('fail("use --resume");', "// what --resume does", "/* --resume */", 'R"(\n--resume)"'):
            self.finds(flags, {"src/store/a.cc": line + "\n"})
            self.finds(flags, {"include/wordbreadth/b.h": line + "\n"})
            self.finds(flags, {"src/cli/a.cc": line + "\n"}, 0)

    def test_flags_lets_decrements_and_styles_be(self):
        self.finds(flags, {"src/report/a.cc": 'a = b - --c; s = "fill:var(--ink)"; t = ":root{--ink:#000}"; u = "a -- b";\n'}, 0)

    def test_paths_finds_a_private_folder(self):
        self.finds(paths, {"tools/x.sh": "cd /home/someone/project\n"})

    def test_paths_looks_into_files_that_are_not_text(self):
        with Project() as root:
            (root / "model.bin").write_bytes(b"\xff\xfe26/home/someone/rules.tsv")
            self.assertEqual(len(list(paths.faults(root))), 1)

    def test_docs_finds_a_changed_snippet_and_one_without_a_file(self):
        self.finds(docs, {"docs/page.md": "<!-- from: src/store/a.cc -->\n```cpp\nint c();\n```\n```cpp\nint a();\n```\n"}, 2)

    def test_docs_finds_a_dead_link(self):
        self.finds(docs, {"docs/page.md": "[gone](gone.md)\n"})

    def no_output(self, body, changes=None, name="object.cc.o") -> int:
        with Project(changes) as root:
            command = [HERE / "no_output.sh", compiled(root, body, name), root]
            return subprocess.run(command, capture_output=True).returncode

    def test_no_output_passes_a_quiet_library(self):
        self.assertEqual(self.no_output("#include <cstdio>\nint f(char* b) { return snprintf(b, 9, \"x\"); }\n"), 0)

    def test_no_output_finds_calls_in_objects(self):
        for body in (
            '#include <cstdio>\nvoid f() { printf("x %d", 1); }\n',
            "#include <cstdio>\nvoid f(int x) { std::fprintf(stderr, \"%d\", x); }\n",
            "#include <iostream>\nvoid f() { std::cerr << 1; }\n",
            "#include <cstdlib>\nvoid f() { std::exit(1); }\n",
            "#include <cstdlib>\nvoid f() { std::abort(); }\n",
            "#include <cassert>\nvoid f(int x) { assert(x); }\n",
        ):
            self.assertEqual(self.no_output(body), 1, body)

    def test_no_output_lets_nvcc_call_exit_and_nothing_else(self):
        leave = "#include <cstdlib>\nvoid f() { std::exit(1); }\n"
        self.assertEqual(self.no_output(leave, name="object.cu.o"), 0)
        self.assertEqual(self.no_output("#include <cstdlib>\nvoid f() { std::abort(); }\n", name="object.cu.o"), 1)
        self.assertEqual(self.no_output(leave, {"src/engine/f.cu": "  exit(1);\n"}, name="object.cu.o"), 1)

    def test_no_output_finds_words_in_sources(self):
        for line in ("std::terminate();", "  exit(1);", "if (bad) std::abort();", "std::clog << 1;"):
            self.assertEqual(self.no_output("", {"src/study/b.cc": line + "\n"}), 1, line)

    def test_the_summary_of_ctest_counts_what_was_skipped_and_says_why(self):
        skipped = "<testcase><skipped/><system-out>[ RUN ]\na_test.cc:7: Skipped\nno GPU: why\n\n</system-out></testcase>"
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "ctest-release.xml"
            report.write_text(f"<testsuite><testcase/>{skipped}<testcase><failure/></testcase>{skipped}</testsuite>")
            line = subprocess.run([sys.executable, SUMMARY, report], capture_output=True, text=True, check=True).stdout
        self.assertEqual(line, "ctest, release: 1 tests passed, 1 failed, 2 skipped: no GPU: why (2)\n")

    def discovered(self, *options) -> str:
        """What CTest learns about a program with three tests in two files."""
        suites = [("Help", "cli/help_test.cc", ["Fits", "IsLong"]), ("All/Sum", "base/sum_test.cc", ["IsExact/0"])]
        listed = {"testsuites": [{"name": s, "testsuite": [{"name": t, "file": f"../tests/{f}"} for t in tests]} for s, f, tests in suites]}
        with tempfile.TemporaryDirectory() as folder:
            program, output = Path(folder) / "program", Path(folder) / "tests.cmake"
            program.write_text(f"#!/bin/bash\ncat >\"${{2#*json:}}\" <<'END'\n{json.dumps(listed)}\nEND\n")
            program.chmod(0o755)
            subprocess.run([sys.executable, DISCOVER, program, output, *options, "program=^cli/", "long=:Help\\.IsLong"], check=True)
            return output.read_text().replace(str(program), "program")

    def test_discover_labels_tests_by_file_and_name(self):
        lines = self.discovered().splitlines()
        self.assertEqual(lines[0::2], [f"add_test([=[{t}]=] [=[program]=] [=[--gtest_filter={t}]=])" for t in ("Help.Fits", "Help.IsLong", "All/Sum.IsExact/0")])
        self.assertEqual([line.split("LABELS ")[1] for line in lines[1::2]], ["[=[program]=])", "[=[program;long]=])", "[=[unit]=])"])

    def test_discover_puts_tests_of_a_suite_with_the_same_labels_into_one_process(self):
        names = [line.split("]=]")[0] for line in self.discovered("--suites").splitlines()[0::2]]
        self.assertEqual(names, ["add_test([=[Help", "add_test([=[Help (program long)", "add_test([=[All/Sum"])

    def test_needs_finds_a_program_that_cuda_is_linked_to(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, expected in (("quiet", 0), ("cudart", 1)):
                (root / "f.cc").write_text("int f() { return 0; }\n")
                (root / "main.cc").write_text("int f();\nint main() { return f(); }\n")
                subprocess.run(["g++", "-shared", "-fPIC", "f.cc", "-o", f"lib{name}.so"], cwd=root, check=True)
                subprocess.run(["g++", "main.cc", f"lib{name}.so", "-o", "program"], cwd=root, check=True)
                found = subprocess.run([HERE / "needs.sh", root / "program"], capture_output=True).returncode
                self.assertEqual(found, expected, name)


if __name__ == "__main__":
    unittest.main()
