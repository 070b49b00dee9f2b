"""Scripts that need a browser, on a machine without one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import console_pictures, console_time


@pytest.mark.parametrize(
    "script", [lambda: console_pictures.main(Path("pictures")), console_time.main]
)
def test_without_a_browser_a_script_says_how_to_get_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    script: Callable[[], int],
) -> None:
    """Before anything is served or made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert script() == 2
    assert capfd.readouterr() == (
        "",
        "no browser: PATH has no chromium; on Debian: apt-get install chromium\n",
    )
    assert list(tmp_path.iterdir()) == []
