"""check --banks: banks are asked along with the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dupdex.banks.bank_check import BankQuestion, check_banks
from dupdex.banks.bank_model import BankAnswer, Ruling
from dupdex.banks.bank_store import Banks
from dupdex.wire.forms import to_json


@dataclass(frozen=True, slots=True)
class BankAsking:
    """The banks that are for one index."""

    banks: Banks
    index: str

    def ask(self, texts: Sequence[str]) -> list[BankAnswer]:
        """One answer for each text."""
        return check_banks(self.banks, texts, BankQuestion(self.index))


def banks_in_json(answer: BankAnswer | None) -> dict[str, Any]:
    """What to add to the JSON form of an answer of the index."""
    return {} if answer is None else {"banks": to_json(answer)}


def is_denied(answer: BankAnswer | None) -> bool:
    """Whether banks deny the text; not where none was asked."""
    return answer is not None and answer.ruling is Ruling.DENIED
