"""Every error a user can meet, one tree.

DupdexError
  InputRefused      400  a document, a line or an argument cannot be used
    TextRefused     400  one text cannot be fingerprinted; others in the same request can
  NotFound          404  no such index, store, file or document
  PlanMismatch      409  the index was written under another plan
  StoreRefused      409  the store exists, but dupdex may not change it
  AccessRefused     401  wrong or missing credentials
  StoreUnavailable  503  the server does not answer, or stopped answering
  StoreFull         507  no space left where the index is kept
  WorkerLost        500  a process that computed fingerprints ended

The message is one line: what is wrong, where, and the next step.
"""

from __future__ import annotations

from typing import ClassVar


class DupdexError(Exception):
    """Base of all errors a user may see; `status` is the HTTP status a gateway answers with.

    `hint` names the command-line option for the next step; programs have no use for it.
    """

    status: ClassVar[int] = 500

    def __init__(self, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def for_command_line(self) -> str:
        """The message and the hint."""
        return f"{self} ({self.hint})" if self.hint else str(self)


class InputRefused(DupdexError):
    """A document, a line, an option or a file cannot be used."""

    status = 400


class TextRefused(InputRefused):
    """A text cannot be fingerprinted. Other texts in the same request are not affected."""


class AccessRefused(DupdexError):
    """The server refused the credentials."""

    status = 401


class NotFound(DupdexError):
    """No such index, store, file or document."""

    status = 404


class PlanMismatch(DupdexError):
    """The stored values were made under another plan than the reader's."""

    status = 409


class StoreRefused(DupdexError):
    """The store exists and was not made by dupdex, or is locked by another writer."""

    status = 409


class IndexBlocked(StoreRefused):
    """A block in the settings of the index forbids it."""


class StoreUnavailable(DupdexError):
    """The server does not answer."""

    status = 503


class StoreFull(DupdexError):
    """No space left for the index."""

    status = 507


class WorkerLost(DupdexError):
    """A process that computed fingerprints ended before its work was done."""
