"""The measurement behind the estimate of a similarity from simhashes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.stored_similarity import main
from tests.texts import METRO, TEA


def test_pairs_of_each_distance_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [METRO * 5, METRO * 5, METRO * 5 + "又一天", TEA]  # equal texts are no pair
    rows = [{"id": str(at), "text": text} for at, text in enumerate(texts)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "truth.tsv").write_text(
        "id_a\tid_b\tlabel\tkind\tstrength\n0\t1\t1\tcopy\t\n", "utf-8"
    )
    main([str(tmp_path)])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["bits", "pairs", "compared", "mean"]
    cells = [line.split() for line in lines]
    assert sum(int(pairs) for _, pairs, *_ in cells) == 2
    assert all(0.8 < float(mean) <= 1 for _, _, _, mean, *_ in cells)
