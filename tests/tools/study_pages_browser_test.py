"""Opens the pages that rank, triage and compare write in Chromium and uses them as a reader would.

study_pages_browser_test.py PROGRAM SPECIMEN FOLDER: SPECIMEN writes two stores into FOLDER, PROGRAM the pages.
Exit status 77, with the reason, where there is no browser.
"""

import subprocess
import sys
import unittest
from pathlib import Path

from report_browser_test import By, open_browser, set_colours, set_size


def write_pages(program: str, specimen: str, folder: Path):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([specimen, folder], check=True)
    (folder / "references.txt").write_text("word110\nword150\nword190\nmissing\n")
    first, second = folder / "first", folder / "second"
    calls = {"rank": [first], "triage": [first, "--reference", folder / "references.txt"], "compare": [first, second]}
    for name, arguments in calls.items():
        subprocess.run([program, name, *arguments, "--html", folder / f"{name}.html"], check=True, stdout=subprocess.DEVNULL)


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
        BROWSER.get((FOLDER / f"{self.name}.html").as_uri())

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

    def test_a_phone_needs_no_sideways_scrolling(self):
        set_size(BROWSER, 360, 740)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360)


class Rank(StudyPage, unittest.TestCase):
    name, words, numbers = "rank", 1, 2


class Triage(StudyPage, unittest.TestCase):
    name, words, numbers = "triage", 1, 4


class Compare(StudyPage, unittest.TestCase):
    name, words, numbers = "compare", 0, 2


if __name__ == "__main__":
    FOLDER = Path(sys.argv[3]).resolve()
    write_pages(sys.argv[1], sys.argv[2], FOLDER)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
