"""How soon the views of the console stand, once the interface has answered: from the end of the
last answer that a view waits for until it is drawn, the middle of several visits, over what
`scripts/demo --serve` opens. Needs Chromium.

    python -m scripts.console_time [VISITS]
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import BrowserContext

VIEWS: Final = {
    "ask?id=zh-01": ".match",
    "compare?first=en-03&second=en-09": ".texts .p",
    "groups": "tbody a",
    "groups/zh-06": "svg .dot",
    "review": ".pair .texts",
    "matches": "tbody tr",
    "report": "#over_time canvas",
    "banks": "tbody tr",
    "jobs": "tbody tr",
    "health": "#fields",
}
"""Views, and what stands in each when it is there."""

MOST: Final = 250.0
"""Milliseconds that a view may take."""

_SECONDS: Final = 60
_VISITS: Final = 5
_WATCH: Final = """
    const [wanted, most] = %r;
    window.drawn = new Promise((done, failed) => {
      const look = () => {
        if (!document.querySelector(wanted) || document.querySelector("[aria-busy]")) return;
        watcher.disconnect();
        // The frame after the one in which it is laid out: then it is on the screen.
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
      };
      const watcher = new MutationObserver(look);
      watcher.observe(document, { subtree: true, childList: true, attributes: true });
      setTimeout(() => failed(new Error(`no ${wanted}`)), most);
    });
"""
_READ: Final = """async () => {
    const drawn = await window.drawn;
    const answers = performance.getEntriesByType("resource")
      .filter((each) => each.name.includes("/_dupdex/v1/") && each.responseEnd <= drawn);
    return [Math.max(...answers.map((each) => each.responseEnd)), drawn];
}"""


@dataclass(frozen=True, slots=True)
class FirstView:
    """Milliseconds since the visit began: the last answer was there; the view was drawn."""

    answered: float
    drawn: float

    @property
    def after(self) -> float:
        """From the answer to the view."""
        return self.drawn - self.answered


def first_view(context: BrowserContext, address: str, selector: str) -> FirstView:
    """Visit a view, and wait until it stands."""
    with context.new_page() as page:
        page.add_init_script(_WATCH % [selector, _SECONDS * 1_000])
        page.goto(address)
        answered, drawn = page.evaluate(_READ)
    return FirstView(answered, drawn)


def middle(context: BrowserContext, address: str, selector: str, visits: int) -> FirstView:
    """The visit in the middle of several, by the time after the answer."""
    found = [first_view(context, address, selector) for _ in range(visits)]
    wanted = statistics.median_low([each.after for each in found])
    return next(each for each in found if each.after == wanted)


def main(visits: int = _VISITS) -> int:
    """Print a line a view; 1 when one takes too long, 2 without a browser."""
    from scripts.chromium import exit_status

    return exit_status(lambda: _measure(visits))


def _measure(visits: int) -> int:
    from scripts.chromium import chromium
    from scripts.console_pictures import PORT, demonstration
    from scripts.demo_console import address

    slow = False
    with chromium() as browser, demonstration(), browser.new_context() as context:
        for view, selector in VIEWS.items():
            found = middle(context, address(PORT, view), selector, visits)
            slow |= found.after > MOST
            print(
                f"{view.partition('?')[0]:<14} answered after {found.answered:5.0f} ms, drawn "
                f"{found.after:4.0f} ms later"
            )
    print(f"limit: {MOST:.0f} ms after the answer")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
