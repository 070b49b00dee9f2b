"""A Chromium without a window, driven by Playwright: for pictures, times, and the tests of pages.

Nothing is downloaded: it is the Chromium of this machine, found on PATH.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, sync_playwright

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")
"""Its names; .ci/run and scripts/test look for the same."""

LOCALES: Final = {"en": "en-US", "zh": "zh-CN"}
"""Of a browser whose reader reads one of the languages of the pages."""


class NoBrowserError(Exception):
    """There is no browser; the text says how to get one."""


def exit_status(script: Callable[[], int]) -> int:
    """What a script returns; 2, and how to get a browser on stderr, where there is none."""
    try:
        return script()
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        return 2


@contextmanager
def chromium(*, scrollbars: bool = False) -> Iterator[Browser]:
    """A browser; each context of it (`new_context`) has cookies and a memory of its own. An event
    loop runs in this thread until the end, so nothing else in it can use asyncio before.
    `scrollbars`: they take their place, as before a reader.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise NoBrowserError(
            f"no browser: PATH has no {PROGRAMS[0]}; on Debian: apt-get install chromium"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            chromium_sandbox=False,  # root, as in a container, can have none
            args=["--no-proxy-server"],
            ignore_default_args=["--hide-scrollbars"] if scrollbars else None,
        )
        try:
            yield browser
        finally:
            browser.close()
