"""The one error of this package: a sentence a user can act on."""


class DevNodeError(Exception):
    """Something outside this program is missing or wrong; the text names the next step."""


class PortTakenError(DevNodeError):
    """Another process took a port between choosing it and using it."""
