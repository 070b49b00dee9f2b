"""Makes the pictures of the console that the READMEs and docs/console.md show, from what
`scripts/demo --serve` opens: views in English and light, and in Chinese and dark. Needs Chromium.

    python -m scripts.console_pictures [FOLDER]
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page, ViewportSize

from scripts.chromium import LOCALES, chromium, exit_status
from scripts.demo_console import REPORT, address

FOLDER: Final = Path("docs/pictures")
LARGEST: Final = 200_000
"""Bytes of a picture."""

PORT: Final = 9281
_SECONDS: Final = 180
_SIZE: Final = ViewportSize(width=1320, height=957)
_COMPARE: Final = {"en": "first=en-03&second=en-09", "zh": "first=zh-01&second=zh-21"}
_ASKED: Final = {"en": "en-03", "zh": "zh-01"}
_LOOKS: Final[tuple[tuple[str, Literal["light", "dark"]], ...]] = (("en", "light"), ("zh", "dark"))


def main(folder: Path = FOLDER) -> int:
    """Make the pictures; 1 when one is too large for a README, 2 without a browser."""
    return exit_status(lambda: _make(folder))


def _make(folder: Path) -> int:
    made = []
    with chromium() as browser, demonstration():
        folder.mkdir(parents=True, exist_ok=True)
        for language, theme in _LOOKS:
            page = browser.new_page(viewport=_SIZE, locale=LOCALES[language], color_scheme=theme)
            page.set_default_timeout(_SECONDS * 1_000)
            views = {
                f"ask?id={_ASKED[language]}": ".match",
                f"compare?{_COMPARE[language]}": ".texts .p",
                f"groups/{_ASKED[language]}": "svg .dot.canonical",
                "review": ".pair .texts .p",
                REPORT: "#over_time canvas",
            }
            for view, selector in views.items():
                _open(page, view, selector)
                name = view.partition("?")[0].partition("/")[0]
                made.append(folder / f"console-{name}-{language}.png")
                page.screenshot(path=made[-1])
    for each in made:
        print(f"{each}  {each.stat().st_size:,} bytes")
    return int(any(each.stat().st_size > LARGEST for each in made))


@contextmanager
def demonstration() -> Iterator[None]:
    """The demonstration in a folder of its own, once it answers."""
    root = Path(__file__).parent.parent
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r}); from pathlib import Path; "
        f"from scripts.demo_console import serve; sys.exit(serve(Path('demo'), {PORT}))"
    )
    with tempfile.TemporaryDirectory() as place:
        process = subprocess.Popen([sys.executable, "-c", code], cwd=place)
        try:
            _wait(process)
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(_SECONDS)


def _wait(process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address(PORT))
        except urllib.error.URLError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("the demonstration does not answer")


def _open(page: Page, view: str, selector: str) -> None:
    """A view as it is when nothing in it is waiting, nor moving."""
    page.goto(address(PORT, view))
    there = page.locator(f"html:not(:has([aria-busy])) :is({selector})")
    there.first.wait_for(state="attached")
    page.wait_for_timeout(1_500)  # charts move into their places


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
