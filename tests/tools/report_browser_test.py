"""Opens the specimen report in Chromium and uses it as a reader would.

report_browser_test.py SPECIMEN FOLDER [--pictures]: SPECIMEN writes the report into FOLDER. --pictures also leaves there what
it looks like: light, dark, on a phone, printed. Exit status 77, with the reason, where there is no browser.
"""

import base64
import shutil
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

NOT_RUN = 77
PROGRAMS = ["chromium", "chromedriver"]


def skip(reason: str):
    print(f"not run: {reason}")
    sys.exit(NOT_RUN)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    skip("no selenium; apt-get install python3-selenium")


def open_browser():
    for program in PROGRAMS:
        if shutil.which(program) is None:
            skip(f"no {program}; apt-get install chromium chromium-driver")
    options = Options()
    options.binary_location = shutil.which("chromium")
    # A container may lack what the sandbox and shared memory need; the page is our own file.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def open_page(browser, path: Path):
    """The page, its scripts run. get() alone may return before, where the page that is open has the same address."""
    browser.execute_script("window.isLeft = true")
    browser.get(path.as_uri())
    WebDriverWait(browser, 30, ignored_exceptions=[WebDriverException]).until(
        lambda page: page.execute_script("return !window.isLeft && document.readyState === 'complete'"))


def set_size(browser, width: int, height: int, scale: float = 1):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600})


# Texts of the figures shown that stand over each other or beyond their figure: [figure, text, other].
COLLISIONS = """
  const found = [];
  for (const svg of document.querySelectorAll('figure.picture svg')) {
    if (!svg.getClientRects().length) continue;
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
    texts.forEach(([text, a], i) => {
      if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
        found.push([svg.getAttribute('aria-label'), text, 'beyond the figure']);
      for (const [other, b] of texts.slice(0, i)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        if (across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5) found.push([svg.getAttribute('aria-label'), text, other]);
      }
    });
  }
  return found;"""

# Figures, captions, legends and tools that reach past the screen.
CUT_OFF = """
  return [...document.querySelectorAll('figure.picture svg, figcaption, .tools, .lines')].filter((part) => {
    const {left, right, width} = part.getBoundingClientRect();
    return width && (left < 0 || right > document.documentElement.clientWidth + 1);
  }).map((part) => part.textContent.slice(0, 60));"""


def check_figures_fit(test, browser):
    """Holds of every page, on a phone and on a large screen."""
    for width in (400, 1400):
        set_size(browser, width, 900)
        test.assertEqual(browser.execute_script(COLLISIONS), [], f"at {width} pixels")
        test.assertEqual(browser.execute_script(CUT_OFF), [], f"at {width} pixels")
        shown = browser.execute_script("return [...document.querySelectorAll('figure.picture')].map((figure) => "
                                       "[...figure.querySelectorAll('svg')].filter((svg) => svg.getClientRects().length).length)")
        test.assertEqual(set(shown), {1}, "one drawing of each figure is shown")
        smallest = browser.execute_script(
            "return Math.min(...[...document.querySelectorAll('figure.picture svg text')].filter((text) => "
            "text.getClientRects().length).map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))")
        test.assertGreater(smallest, 10.5, "text stays large enough to read")


class Downloads:
    """What the buttons of a page hand over; the folder is emptied first."""

    def __init__(self, browser, folder: Path):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.browser, self.folder = browser, folder
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def of(self, button, name: str) -> str:
        self.browser.execute_script("arguments[0].click()", button)
        for _ in range(100):
            if (self.folder / name).exists():
                return (self.folder / name).read_text(encoding="utf-8")
            time.sleep(0.05)
        raise AssertionError(f"no {name} among {[path.name for path in self.folder.iterdir()]}")


def set_colours(browser, scheme: str, media: str = ""):
    colours = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [colours]})


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()
        cls.browser.set_page_load_timeout(30)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        set_size(self.browser, 1200, 900)
        set_colours(self.browser, "light")
        open_page(self.browser, FOLDER / "report.html")

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [], "the console has to stay empty")

    def run_js(self, code: str, *arguments):
        return self.browser.execute_script(code, *arguments)

    def all(self, selector: str):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def column(self, number: int):
        """The texts of a column of the long table, as shown."""
        return self.run_js("return [...document.querySelectorAll('#section-6 .data tbody tr')].map("
                           "(row) => row.cells[arguments[0]].textContent)", number)

    def title(self, number: int):
        return self.all("#section-6 .data thead button")[number]

    def point(self, section: int, index: int):
        return self.all(f"#section-{section} svg .point")[index]

    def hover(self, element):
        self.run_js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.browser, duration=0).move_to_element(element).perform()

    def test_it_shows_all_its_parts(self):
        self.assertEqual(len(self.all("section")), 6)
        self.assertEqual(len(self.all("figure.picture")), 7)
        self.assertIn("Again with", self.one("footer").text)

    def test_nothing_is_fetched(self):
        self.assertEqual(self.run_js("return performance.getEntriesByType('resource').map((entry) => entry.name)"), [])

    def test_hostile_words_stay_words(self):
        self.assertEqual(self.browser.title, "Breadth of words in scripture and manuals")
        self.assertEqual(self.column(0)[0], "</script><script>document.title='owned'</script>")
        self.assertEqual(self.all("img, section script, section b"), [])
        shown = self.run_js("return [...document.querySelectorAll('figure[data-concordance=__proto__] tbody .after')].map("
                            "(cell) => cell.textContent)")
        self.assertIn(" <img src=x onerror=\"document.title='owned'\">", shown)
        self.assertIn(" bad\ufffd\ufffd utf-8", shown)

    def test_numbers_sort_as_numbers(self):
        self.title(3).click()
        numbers = [int(text.replace(",", "")) for text in self.column(3)]
        self.assertEqual(numbers, sorted(numbers))
        self.title(3).click()
        numbers = [int(text.replace(",", "")) for text in self.column(3)]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(self.all("#section-6 .data th")[3].get_attribute("aria-sort"), "descending")

    def test_missing_numbers_go_last_either_way(self):
        for _ in range(2):
            self.title(8).click()
            self.assertNotIn("", self.column(8))

    def test_text_sorts_as_text(self):
        self.title(9).click()
        self.assertEqual(set(self.column(9)), {"adjective"})
        self.title(9).click()
        self.assertEqual(set(self.column(9)), {"verb"})

    def test_searching_narrows_and_forgives_case(self):
        search = self.one("#section-6 input")
        search.send_keys("ARTICULATE-49 noun")
        shown = self.column(0)
        self.assertTrue(shown and all(text.startswith("articulate-49") for text in shown), shown)
        self.assertEqual(self.one("#section-6 .tools span").text, f"{len(shown)} found")
        search.clear()
        search.send_keys("no such word")
        self.assertEqual(self.column(0), ["Nothing found."])

    def test_searching_finds_exact_words_first(self):
        self.title(3).click()  # an order that the search keeps among equal ones
        self.one("#section-6 input").send_keys("hand-17")
        shown = self.column(0)
        self.assertEqual((shown[0], set(shown)), ("hand-17", {"hand-17", "hand-177", "hand-1713", "hand-1729", "hand-1745",
                                                             "hand-1761", "hand-1777", "hand-1793"}))
        self.one("#section-6 input").clear()
        self.one("#section-6 input").send_keys("adverb")  # no word, but a part of speech
        self.assertEqual(set(self.column(9)), {"adverb"})

    def test_long_tables_are_shown_in_part_until_asked(self):
        self.assertEqual(len(self.column(0)), 100)
        self.run_js("document.querySelector('#section-6 .more button:last-child').click()")
        self.assertEqual(len(self.column(0)), 5000)

    def test_sorting_five_thousand_rows_is_quick(self):
        # The time until the new order is laid out; the best of four, since the machine may be busy with other things.
        code = """const timed = (title) => {
                    const start = performance.now();
                    title.click();
                    document.body.getBoundingClientRect();
                    return performance.now() - start;
                  };
                  return [...document.querySelectorAll('#section-6 .data thead button')].map(
                    (title) => Math.min(...[1, 2, 3, 4].map(() => timed(title))));"""
        times = self.run_js(code)
        print(f"sorting 5,000 rows of 10 columns: {max(times):.0f} ms at most")
        self.assertLess(max(times), 200)

    def test_the_pointer_finds_a_point(self):
        self.hover(self.point(3, 0))
        self.assertEqual(self.one(".tip").text.split("\n")[:2], ["none", "gap in rank: 1"])

    def test_a_click_shows_the_usage_and_its_neighbours(self):
        point = self.point(4, 0)
        self.hover(point)
        self.assertEqual(len(self.all("#section-4 .ring")), 2, "the same usage is marked in both panels")
        ActionChains(self.browser, duration=0).click().perform()
        self.assertEqual(len(self.all("#section-4 .picture .kwic tbody tr")), 9)
        chosen = self.one("#section-4 .picture .kwic tr.chosen")
        self.assertEqual(chosen.find_element(By.CSS_SELECTOR, ".node").text, "articulate")

    def test_the_keyboard_does_what_the_pointer_does(self):
        svg = self.one("#section-4 svg")
        svg.send_keys(Keys.ARROW_RIGHT)
        self.assertTrue(self.one(".tip").is_displayed())
        svg.send_keys(Keys.ENTER)
        self.assertTrue(self.all("#section-4 .picture .kwic tbody tr"))
        svg.send_keys(Keys.ESCAPE)
        self.assertEqual(self.all("#section-4 .picture .kwic"), [])

    def test_a_point_without_lines_leads_to_its_row(self):
        self.one("#section-6 input").send_keys("nothing of the kind")
        points = self.run_js("return [...document.querySelectorAll('#section-5 svg.wide .point')].map((node) => node.dataset.row)")
        index = points.index("hand-1489")
        self.hover(self.point(5, index))
        self.assertIn("on-point", self.one("#section-5 svg.wide").get_attribute("class"))
        ActionChains(self.browser, duration=0).click().perform()
        row = self.one("tr.selected")
        self.assertEqual(row.find_element(By.CSS_SELECTOR, "td").text, "hand-1489")
        middle = row.rect["y"] + row.rect["height"] / 2 - self.run_js("return scrollY")
        self.assertTrue(0 < middle < 900, "it is in sight")
        self.assertEqual(self.run_js("return document.activeElement.className"), "selected")
        self.one("#section-5 svg").send_keys(Keys.HOME, Keys.ENTER)  # and by the keyboard, to another row
        self.assertEqual(len(self.all("tr.selected")), 1)

    def test_points_that_lead_nowhere_look_so(self):
        self.hover(self.point(3, 0))
        self.assertNotIn("on-point", self.one("#section-3 svg").get_attribute("class"))
        self.assertIn("faint", self.one("#section-3 .ring").get_attribute("class"))
        self.assertEqual(self.all("#section-3 .hint"), [])

    def test_figures_and_tables_can_be_downloaded(self):
        figures, tables = self.all("figure.picture"), self.all("figure.data")
        for part, buttons in [(figure, ["SVG", "TSV"]) for figure in figures] + [(table, ["TSV"]) for table in tables]:
            self.assertEqual([button.text for button in part.find_elements(By.CSS_SELECTOR, ".downloads button")], buttons)
        downloads = Downloads(self.browser, FOLDER / "downloads")
        press = lambda selector: self.run_js("return document.querySelector(arguments[0])", selector)
        lines = downloads.of(press("#section-6 .data .tsv"), "words.tsv").split("\n")
        self.assertEqual(lines[0].split("\t")[:3], ["word", "rank", "n"])
        self.assertEqual(len(lines), 5002, "all rows, whatever is shown")
        self.assertIn("bell\ufffd tab\\t end", lines[9])
        values = downloads.of(press("#section-3 .picture .tsv"), "rates.tsv").split("\n")
        self.assertEqual(values[0], "series\tgap in rank\trate\trate low\trate high")
        self.assertEqual(values[1].split("\t")[:2], ["none", "1"])
        self.assertEqual(len(values), 32)
        shown = downloads.of(press("#section-4 .concordance .tsv"), "lines-articulate.tsv")
        self.assertEqual(shown.split("\n")[0], "left\tnode\tright\tsource\tinfluence")
        svg = downloads.of(press("#section-5 .downloads button"), "volcano.svg")
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual(len(root.findall(".//{*}path[@d]/{*}title")), 1500)
        self.assertIn("prefers-color-scheme: dark", svg)

    def test_a_downloaded_figure_looks_as_in_the_page(self):
        downloads = Downloads(self.browser, FOLDER / "downloads")
        downloads.of(self.run_js("return document.querySelector('#section-3 .downloads button')"), "rates.svg")
        look = "return ['.title', '.mark', '.paper'].map((name) => getComputedStyle(document.querySelector(name)).fill)"
        open_page(self.browser, FOLDER / "downloads" / "rates.svg")
        self.assertEqual(self.run_js(look), ["rgb(29, 32, 37)", "rgb(0, 114, 178)", "rgb(255, 255, 255)"])

    def test_figures_fit_phones_and_their_labels_do_not_collide(self):
        check_figures_fit(self, self.browser)

    def test_a_word_of_a_table_shows_its_lines(self):
        self.one("#section-6 input").send_keys("bank-16")
        word = self.one("#section-6 .evidence")
        word.send_keys(Keys.ENTER)
        self.assertEqual(len(self.all("#section-6 tr.detail .kwic tbody tr")), 12)
        word.click()
        self.assertEqual(self.all("#section-6 tr.detail"), [])

    def test_concordances_sort_by_influence(self):
        figure = "#section-4 figure.concordance "
        self.run_js("document.querySelector(arguments[0]).click()", figure + "button[data-order=influence]")
        values = [float(cell.text.rstrip("%").replace("\u2212", "-")) for cell in self.all(figure + "td.influence")]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertGreater(len(values), 10)

    def test_nodes_stand_under_each_other(self):
        places = self.run_js("return [...document.querySelectorAll('#section-4 figure.concordance td.node')].map("
                             "(cell) => { const box = cell.getBoundingClientRect(); return box.left + box.width / 2; })")
        self.assertLess(max(places) - min(places), 1)

    def test_hebrew_runs_from_right_to_left(self):
        before, after = (self.one(f"figure[data-concordance=hebrew] td.{side}").rect["x"] for side in ("before", "after"))
        self.assertGreater(before, after)

    def test_dark_is_dark(self):
        colours = "return ['html', '#section-3 svg .title'].map((name) => { const style = " \
                  "getComputedStyle(document.querySelector(name)); return name === 'html' ? style.backgroundColor : style.fill; })"
        self.assertEqual(self.run_js(colours), ["rgb(255, 255, 255)", "rgb(29, 32, 37)"])
        set_colours(self.browser, "dark")
        self.assertEqual(self.run_js(colours), ["rgb(21, 23, 27)", "rgb(228, 230, 234)"])

    def test_a_phone_needs_no_sideways_scrolling(self):
        set_size(self.browser, 360, 740)
        self.assertLessEqual(self.run_js("return document.documentElement.scrollWidth"), 360)

    def test_it_prints(self):
        pdf = base64.b64decode(self.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})["data"])
        self.assertTrue(pdf.startswith(b"%PDF"))
        if PICTURES:
            (FOLDER / "print.pdf").write_bytes(pdf)

    def test_every_figure_stands_alone(self):
        for path in sorted(FOLDER.glob("*.svg")):
            open_page(self.browser, path)
            self.assertEqual(self.run_js("return document.documentElement.tagName"), "svg", path.name)
            self.assertEqual(self.run_js("return document.querySelector('parsererror')"), None, path.name)

    @unittest.skipUnless("--pictures" in sys.argv, "pictures were not asked for")
    def test_pictures(self):
        looks = [("light", 1100, "light", ""), ("dark", 1100, "dark", ""), ("phone", 390, "light", ""), ("print", 700, "light", "print")]
        for name, width, colours, media in looks:
            open_page(self.browser, FOLDER / "report.html")
            set_size(self.browser, width, 900)
            set_colours(self.browser, colours, media)
            self.take_pictures(name)

    def take_pictures(self, name: str):
        self.hover(self.point(4, 20))
        ActionChains(self.browser, duration=0).click().perform()
        self.all("#section-6 .evidence")[13].send_keys(Keys.ENTER)
        self.run_js("document.querySelectorAll('#section-6 .data tbody tr').forEach((row, i) => { if (i > 24) row.remove(); })")
        set_size(self.browser, self.run_js("return innerWidth"), self.run_js("return document.documentElement.scrollHeight"))
        self.hover(self.point(5, 30))
        for part in ["header", *(f"#section-{i}" for i in range(1, 7)), "footer"]:
            self.one(part).screenshot(str(FOLDER / f"{name}-{part.lstrip('#')}.png"))


if __name__ == "__main__":
    specimen, folder = sys.argv[1], sys.argv[2]
    FOLDER = Path(folder).resolve()
    PICTURES = "--pictures" in sys.argv
    subprocess.run([specimen, folder], check=True)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
