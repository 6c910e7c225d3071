"""A whole walk with the keyboard alone: find, star, pair, move up, label, undo, unpair. And the board with script off."""
from selenium.webdriver.common.by import By

from board import Board
from daemons import eventually
from page import NARROW, Page
from tfl import Operator

ADDED, NAME = "tfl:490000111E", "Euston Road E"


class Keyboard:
    """Moves the focus by Tab alone, and collects where it is not visible."""

    def __init__(self, context, page):
        self.context, self.page, self.hidden = context, page, []

    def state(self):
        """The name of the focused element, and whether it is in view and marked."""
        return self.page.browser.execute_script(
            "const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();"
            "const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
            "return [it.getAttribute('aria-label') ?? it.labels?.[0]?.innerText ?? it.innerText?.trim() ?? '', "
            "style.outlineStyle != 'none' && parseFloat(style.outlineWidth) >= 2, !!top && (it.contains(top) || top.contains(it)), it.tagName]")

    def to(self, name, key="Tab"):
        passed = []
        for _ in range(120):
            found, isMarked, isInView, tag = self.state()
            if passed and tag != "BODY" and not (isMarked and isInView):
                self.hidden.append(f"{tag} {found}")
            if found == name:
                return
            passed.append(found)
            self.page.browser.press(key)
        raise AssertionError(f"{name} is not reached by {key}, but: {' · '.join(dict.fromkeys(passed))}")

    def screen(self, key):
        """Opens a screen by its link before the focus. Its focus must be on the new screen, or a screen reader would not read it."""
        self.to(self.page.word(key), "Shift+Tab")
        self.page.browser.press("Enter")
        eventually(f"the focus on the screen {key}", lambda: self.page.browser.execute_script(
            "return !!document.querySelector(`nav a[data-screen=${arguments[0]}][aria-current]`) "
            "&& document.activeElement.closest('main') != null && document.activeElement.id != 'main'", key))


def walk(context, board):
    with Page(context, board) as page:
        page.open()
        eventually("the display", page.is_live)
        keys, press = Keyboard(context, page), page.browser.press
        press("Tab")
        context.check("the first stop of Tab skips the navigation", keys.state()[0] == page.word("skip"), keys.state())
        press("Enter")
        context.check("and leads to the content", page.browser.execute_script("return document.activeElement.id") == "main")
        keys.screen("find")
        keys.to(page.word("findLabel"))
        page.browser.type(NAME.split()[0])
        press("Enter")
        page.one(f'[data-key="{ADDED}"]')
        keys.to(page.word("starOf", word=NAME))
        press("Space")
        page.one("#code")
        eventually("the focus in the form of pairing", lambda: page.browser.execute_script("return document.activeElement.id") == "code")
        page.type_digits()
        eventually("the new favourite", lambda: ADDED in board.favourites())
        page.reads(page.word("added", word=NAME))
        context.check("a favourite is found, paired for and added", True)
        eventually("the focus on the star again", lambda: keys.state()[0] == page.word("starOf", word=NAME))
        keys.screen("favourites")
        page.one("main li")
        before = board.favourites()
        keys.to(page.word("moveUp", word=NAME))
        press("Enter")
        eventually("the new order", lambda: board.favourites().index(ADDED) == before.index(ADDED) - 1)
        context.check("a favourite is moved up", True)
        page.reads(page.word("moved", word=NAME, code=str(before.index(ADDED))))
        context.check("the focus stays on what was moved", keys.state()[0] == page.word("moveUp", word=NAME), keys.state())
        keys.to(page.word("editOf", word=NAME))
        press("Enter")
        eventually("the focus on the label", lambda: page.browser.execute_script("return document.activeElement.id") == "label")
        page.browser.type("Work & <home>")
        press("Enter")
        page.reads(page.word("saved", word=NAME))

        def label():
            return next(item.get("label") for item in board.call("GET", "/v1/favourites") if item["stop"] == ADDED)
        context.check("a favourite gets a label", label() == "Work & <home>", label())
        eventually("the label on the display", lambda: "Work" in board.display() or press_next(board))
        context.check("the label is on the display", True)
        keys.to(page.word("undo"))
        press("Enter")
        page.reads(page.word("undone"))
        context.check("the change is undone", label() is None, label())
        keys.screen("about")
        page.reads_pairing()
        keys.to(eventually("this device in the list", lambda: page.browser.execute_script(
            "return [...document.querySelectorAll('main li')].find(item => item.textContent.includes(arguments[0]))"
            "?.querySelector('button').getAttribute('aria-label')", page.word("thisDevice"))))
        press("Enter")
        page.reads(page.word("notPaired"))
        context.check("the device is removed", page.browser.execute_script("return localStorage.getItem('boardd-token')") is None)
        context.check("the focus is visible, and in view, on each step", not keys.hidden, keys.hidden)
        # 401: the first change without a token.
        page.is_calm("the walk with the keyboard", ["401"])


def press_next(board):
    board.call("POST", "/v1/press", {"gesture": "short"})
    return False


def without_script(context, board):
    with Page(context, board, NARROW, script=False) as page:
        page.open()
        text = page.browser.find_element(By.TAG_NAME, "body").text
        label = " ".join(page.browser.find_element(By.CSS_SELECTOR, "#picture").accessible_name.split())
        shown = [[" ".join(row.split()) for row in rows if row.strip()] for rows in board.frames()]
        context.check("without script: the rows of the display are the label of its picture",
                      any(all(row in label for row in rows) for rows in shown if rows), f"{label} {shown}")
        for stop in board.favourites():
            name = board.call("GET", f"/v1/stops/{stop}/departures")["name"]
            context.check(f"without script: the stop {name} is on the page", name in text)
        refresh = page.browser.find_elements(By.CSS_SELECTOR, 'meta[http-equiv="refresh"]')
        context.check("without script: the page loads itself again", [meta.get_dom_attribute("content") for meta in refresh] == ["30"])
        context.check("without script: no sideways scrolling", page.is_within())
        page.browser.save_screenshot(context.work + "/Board-without-script.png")
        page.is_calm("without script")
        wanted = [url for url in page.requested() if "/v1/" in url and not url.endswith("/v1/display.svg")]
        context.check("without script: no request of the script", not wanted, wanted)


def run(context):
    operator = Operator()
    board = Board(context.program, ["tfl:490008660N", "tfl:940GZZLUOXC"], operator.url)
    try:
        board.update_directory()
        eventually("the first responses", lambda: all(operator.polls[code] for code in ("490008660N", "940GZZLUOXC")))
        without_script(context, board)
        walk(context, board)
    finally:
        board.close()
        operator.close()
