"""Whatever ids, names and texts hold, a terminal shows it and does nothing else; on a real one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from dupdex.wire.escapes import HIDDEN
from mappings.plan import STANDARD
from tests.command import environment, on_a_terminal, run, write_lines
from tests.texts import chinese
from tests.unit.dupdex.cli.conftest import NEWS, RAIN

EVIL: Final = "e\x1b]0;PWNED\x07\x1b[31m\x9b2J\u202e\u2066\u200b\tnone\nen-03\texact 1.00"
"""Sets the title, the colour and the direction, clears the screen, forges a line of the result."""

NAME: Final = EVIL.replace("/", "")
NOTICE: Final = "本网站转载此文\u202e只为传播信息\x1b[2J，并不代表赞同\x9b31m其中的观点。"
"""A sentence that `learn` shows as an example."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with such ids, titles and texts, and files of such names."""
    folder = tmp_path_factory.mktemp("hostile")
    evil: dict[str, object] = {"id": EVIL, "title": EVIL, "text": f"{RAIN}{EVIL}", "city": EVIL}
    write_lines(folder / "evil.jsonl", [*NEWS, evil])
    write_lines(folder / f"{NAME}.jsonl", [evil])
    with (folder / f"{NAME}.jsonl").open("a") as file:
        file.write("no json\n")
    (folder / f"{NAME}.csv").write_text(f'"{EVIL}",foo\n1,2\n')
    (folder / f"{NAME}.txt").write_text(RAIN)
    (folder / NAME).mkdir()
    (folder / NAME / f"{NAME}.unknown").write_text("x")
    (folder / "plan.json").write_text(json.dumps({EVIL: 1}))
    notices = [f"{chinese(300, n)}。{NOTICE * 4}" for n in range(STANDARD.thresholds.unrelated)]
    write_lines(
        folder / "notices.jsonl", [{"id": f"d{n}", "text": text} for n, text in enumerate(notices)]
    )
    assert run("index", "evil.jsonl", folder=folder).status == 0
    shutil.copytree(folder / "dupdex-store", folder / f"store {NAME}")
    return folder


def acting(shown: str) -> list[str]:
    """What is left on a terminal when lines end, bars are drawn and pieces are coloured."""
    return HIDDEN.findall(re.sub(r"\r\x1b\[K|\r\n|\x1b\[(0|1|30|4[2-6]|10[0-7])m", "", shown))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", f"{RAIN}{EVIL}"], "e\\x1b]0;PWNED\\x07\\x1b[31m\\x9b2J\\u202e"),
        (["check", "--file", f"{NAME}.jsonl"], "\\x1b"),
        (["check", "--id", EVIL], "near"),
        (["check", "--id", f"no{EVIL}"], "no document"),
        (["check", RAIN, "--filter", f"city={EVIL}"], "exact"),
        (["check", RAIN, "--filter", f"{{{EVIL}"], "--filter"),
        (["pairs", "evil.jsonl"], "e\\x1b]0;PWNED"),
        (["search", "暴雨"], "e\\x1b]0;PWNED"),
        (["delete", f"no{EVIL}", "--yes"], "not in the index"),
        (["delete", EVIL], "e\\x1b]0;PWNED"),
        (["get", EVIL], "\\u202e"),
        (["get", EVIL, "--json"], "\\u202e"),
        (["get", f"no{EVIL}"], "no document"),
        (["check", RAIN, "--json"], "\\u202e"),
        (["explain", EVIL, f"@{NAME}.txt", "--full"], "document e\\x1b]0;PWNED"),
        (["explain", EVIL, f"@no{NAME}"], "no file"),
        (["compare", f"{RAIN}{EVIL}", "rain"], "similarity"),
        (["index", f"{NAME}.jsonl", "--store", "new"], "e\\x1b]0;PWNED"),
        (["index", f"{NAME}.csv", "--store", "new"], "\\x1b"),
        (["index", NAME, "--store", "new"], "not read"),
        (["index", f"no{NAME}.jsonl"], "no"),
        (["info", "--store", f"store {NAME}"], "store e\\x1b]0;PWNED"),
        (["info", "--store", f"no {NAME}"], "no e"),
        (["info", "--index", EVIL], "index"),
        (["index", "evil.jsonl", "--plan", "plan.json", "--store", "new"], "plan.json"),
        (["index", "evil.jsonl", "--text-field", EVIL], "e\\x1b]0;PWNED"),
        (["index", "evil.jsonl", "--encoding", EVIL, "--store", "new"], "\\x1b"),
        (["index", "evil.jsonl", "--format", EVIL], "--help"),
        (["replay", f"no{NAME}"], "no"),
        ([EVIL], "--help"),
    ],
)
def test_a_terminal_is_only_written_on(folder: Path, arguments: list[str], said: str) -> None:
    typed = b"n\n" if arguments[0] == "delete" else b""
    done = on_a_terminal(*arguments, folder=folder, typed=typed)
    assert done.status != 70, done.err
    assert said in done.err
    columns = 3 if arguments[0] == "pairs" or "--file" in arguments else 0
    left = acting(done.err)
    assert left == ["\t"] * len(left)
    assert max(line.count("\t") for line in done.err.splitlines()) <= columns


def test_settings_of_such_a_name(folder: Path) -> None:
    for content in (None, f'"{json.dumps(EVIL)[1:-1]}" = 1'.replace("\\u009b", "")):
        if content:
            (folder / NAME).with_suffix(".toml").write_text(content)
        done = run("info", folder=folder, DUPDEX_CONFIG=f"{NAME}.toml")
        assert done.status in (2, 3)
        assert HIDDEN.findall(done.error()) == []


def test_learned_sentences(folder: Path) -> None:
    assert run("index", "notices.jsonl", "--store", "learned", folder=folder).status == 0
    done = on_a_terminal("learn", "--store", "learned", folder=folder)
    assert "\\x1b[2J" in done.err
    assert acting(done.err) == []


def test_one_result_a_line(folder: Path) -> None:
    checked = run("check", "--file", "evil.jsonl", folder=folder)
    assert len(checked.out.splitlines()) == len(checked.out.split("\n")) - 1 == 5
    assert not any(line.startswith("en-03") for line in checked.out.splitlines())
    paired = run("pairs", "evil.jsonl", folder=folder)
    assert {line.count("\t") for line in paired.out.splitlines()} == {2}


def test_json_is_the_same_document(folder: Path) -> None:
    for more in ([], ["--json"]):
        shown = run("get", EVIL, *more, folder=folder)
        value = json.loads(shown.out)
        assert (value["document"] if more else value)["id"] == EVIL
        assert HIDDEN.findall(shown.out.replace("\n", "")) == []


def test_the_tests_have_a_terminal(folder: Path) -> None:
    """What is looked for would be seen: without the program in between it all passes."""
    done = on_a_terminal(folder=folder)
    assert "Usage" in done.err
    assert acting(EVIL) != []
    assert "DUPDEX_STORE" not in environment(folder)
