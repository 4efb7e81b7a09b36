"""Opens the pages that rank, triage, compare and experiment write in Chromium and uses them as a reader would.

study_pages_browser_test.py PROGRAM SPECIMEN FOLDER: SPECIMEN writes two stores into FOLDER, PROGRAM the pages.
Exit status 77, with the reason, where there is no browser.
"""

import subprocess
import sys
import unittest
from pathlib import Path

from report_browser_test import By, Downloads, check_figures_fit, open_browser, open_page, set_colours, set_size


def write_wordnet(folder: Path):
    """A WordNet that has every made-up word, with one to five senses."""
    folder.mkdir(exist_ok=True)
    for part, letter in {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}.items():
        numbers = range(100, 1000) if part == "noun" else [1]
        (folder / f"{part}.exc").write_text("")
        (folder / f"index.{part}").write_text("".join(
            f"word{number} {letter} {number % 5 + 1} 1 @ {number % 5 + 1} 0" +
            "".join(f" {10 * number + sense:08}" for sense in range(number % 5 + 1)) + "  \n" for number in numbers))


def write_pages(program: str, specimen: str, folder: Path):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([specimen, folder], check=True)
    (folder / "references.txt").write_text("word110\nword150\nword190\nmissing\n")
    first, second = folder / "first", folder / "second"
    calls = {"rank": [first], "triage": [first, "--reference", folder / "references.txt"], "compare": [first, second]}
    for name, arguments in calls.items():
        subprocess.run([program, name, *arguments, "--html", folder / f"{name}.html"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "compare", first, second, "--center", "none", "--html", folder / "equal.html"], check=True,
                   stdout=subprocess.DEVNULL)
    write_wordnet(folder / "wordnet")
    subprocess.run([program, "experiment", first, "--out", folder / "study", "--wordnet", folder / "wordnet", "--permutations",
                    "500", "--count", "60", "--additional-count", "60", "--additional-permutations", "500"],
                   check=True, stdout=subprocess.DEVNULL)


def setUpModule():
    global BROWSER
    BROWSER = open_browser()
    BROWSER.set_page_load_timeout(30)


def tearDownModule():
    BROWSER.quit()


class StudyPage:
    """What holds of every page; its name, the column of its words and one of numbers."""

    name, words, numbers = "", 0, 0

    def setUp(self):
        set_size(BROWSER, 1200, 900)
        set_colours(BROWSER, "light")
        open_page(BROWSER, FOLDER / f"{self.name}.html")

    def tearDown(self):
        self.assertEqual(BROWSER.get_log("browser"), [], "the console has to stay empty")

    def js(self, code: str, *arguments):
        return BROWSER.execute_script(code, *arguments)

    def column(self, number: int):
        return self.js("return [...document.querySelector('.data tbody').rows].map((row) => "
                       "row.cells[arguments[0]].dataset.value ?? row.cells[arguments[0]].textContent)", number)

    def test_it_stands_alone_and_hostile_words_stay_words(self):
        self.assertEqual(self.js("return performance.getEntriesByType('resource').length"), 0)
        self.assertNotEqual(BROWSER.title, "owned")
        self.assertEqual(BROWSER.find_elements(By.CSS_SELECTOR, "img"), [])
        self.assertIn("Again with", BROWSER.find_element(By.CSS_SELECTOR, "footer").text)

    def test_the_table_sorts_and_searches(self):
        self.js("document.querySelectorAll('.data thead button')[arguments[0]].click()", self.numbers)
        values = [float(value.replace(",", "")) for value in self.column(self.numbers)]
        self.assertEqual(values, sorted(values))
        BROWSER.find_element(By.CSS_SELECTOR, ".data input").send_keys("WORD123")
        self.assertEqual(self.column(self.words), ["word123"])

    def test_a_word_opens_to_usages_that_sort_by_influence(self):
        self.js("document.querySelector('.data tbody .evidence').click()")
        self.js("document.querySelector('tr.detail button[data-order=influence]').click()")
        shown = self.js("return [...document.querySelectorAll('tr.detail td.influence')].map((cell) => cell.textContent)")
        values = [float(text.rstrip("%").replace("\u2212", "-")) for text in shown]
        self.assertGreater(len(values), 5)
        self.assertEqual(values, sorted(values, reverse=True))

    def test_every_word_is_a_point(self):
        points = self.js("return [...document.querySelectorAll('figure.picture svg')].map((svg) => "
                         "svg.querySelectorAll('.point').length)")
        self.assertEqual(max(points), 301)

    def test_every_word_in_a_picture_leads_somewhere(self):
        inert = self.js("return [...document.querySelectorAll('figure svg:first-of-type .point.dot')].filter(({dataset}) => "
                        "!(concordances.has(dataset.concordance) || dataset.row && findRow(dataset.row))).length")
        self.assertEqual(inert, 0)

    def test_figures_fit_phones_and_their_labels_do_not_collide(self):
        check_figures_fit(self, BROWSER)

    def test_the_table_can_be_downloaded(self):
        button = BROWSER.find_element(By.CSS_SELECTOR, ".data .tsv")
        lines = Downloads(BROWSER, FOLDER / "downloads").of(button, f"{self.name}.tsv").split("\n")
        self.assertEqual(lines[0].split("\t"), self.columns)
        self.assertEqual(len(lines), self.rows + 2)

    def test_a_phone_needs_no_sideways_scrolling(self):
        set_size(BROWSER, 360, 740)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360)


class Rank(StudyPage, unittest.TestCase):
    name, words, numbers, rows = "rank", 1, 2, 301
    columns = ["rank", "word", "rank_low", "rank_high", "marginal_rank_low", "marginal_rank_high", "group", "breadth", "breadth_low",
               "breadth_high", "log_v_standard_error", "given_frequency", "given_frequency_low", "given_frequency_high", "v", "r",
               "kappa", "frequency", "rows"]


class Triage(StudyPage, unittest.TestCase):
    name, words, numbers, rows = "triage", 1, 4, 298
    columns = ["rank", "word", "attention", "broader_than_words", "v", "ratio_to_median", "frequency"]

    def test_searching_finds_words_before_what_else_has_them(self):
        BROWSER.find_element(By.CSS_SELECTOR, ".data input").send_keys("word11")
        starts = [word.startswith("word11") for word in self.column(self.words)]
        self.assertGreater(len(starts), starts.count(True), "references are named in other rows, too")
        self.assertEqual(starts, sorted(starts, reverse=True))
        self.assertEqual(starts.count(True), 9)


class Compare(StudyPage, unittest.TestCase):
    name, words, numbers, rows = "compare", 0, 2, 301
    columns = ["word", "broader_in", "centered_effect", "centered_p_adjusted", "T", "ratio", "ratio_low", "ratio_high",
               "p_adjusted", "v_a", "v_b", "frequency_a", "frequency_b"]

    def test_words_that_no_permutation_reaches_do_not_stand_in_one_line(self):
        open_page(BROWSER, FOLDER / "equal.html")
        heights = self.js("const band = document.querySelector('svg.wide .band').getBBox(); return [...document.querySelectorAll("
                          "'figure[data-name=compare-volcano] svg.wide .point')].map((point) => point.getBBox().y).filter("
                          "(y) => y < band.y + band.height).map(Math.round)")
        self.assertGreater(len(heights), 20)
        self.assertGreater(len(set(heights)), len(heights) / 3)


class Study(unittest.TestCase):
    def setUp(self):
        set_size(BROWSER, 1400, 900)
        set_colours(BROWSER, "light")
        open_page(BROWSER, FOLDER / "study" / "report.html")

    def tearDown(self):
        self.assertEqual(BROWSER.get_log("browser"), [], "the console has to stay empty")

    def test_figures_fit_phones_and_their_labels_do_not_collide(self):
        check_figures_fit(self, BROWSER)

    def test_it_is_short_and_no_table_repeats_a_figure(self):
        names = lambda kind: BROWSER.execute_script("return [...document.querySelectorAll(arguments[0])].map((part) => "
                                                    "part.dataset.name)", f"figure.{kind}")
        self.assertLessEqual(set(names("data")), {"uniformity", "changed", "words", "summary", "additional_changed", "split_half_words"})
        self.assertEqual(len(names("picture")), 16)
        self.assertTrue(all((FOLDER / "study" / f"{name}.svg").exists() for name in names("picture")), names("picture"))
        shown = BROWSER.execute_script("return document.querySelectorAll('tbody tr').length")
        self.assertLess(shown, 60)

    def test_every_caption_makes_sense_alone(self):
        captions = [element.text for element in BROWSER.find_elements(By.CSS_SELECTOR, "figure.picture figcaption")]
        self.assertEqual(len(captions), len(set(captions)))
        self.assertGreater(min(map(len, captions)), 100)


if __name__ == "__main__":
    FOLDER = Path(sys.argv[3]).resolve()
    write_pages(sys.argv[1], sys.argv[2], FOLDER)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
