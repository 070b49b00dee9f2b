"""One GET on loopback; http.client, because urllib would follow a proxy of the environment."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping


def get_json(port: int, path: str, seconds: float = 5) -> Mapping[str, object] | None:
    """The JSON object a loopback server answers with, or None while it gives none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", path)
        answer = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return answer if isinstance(answer, dict) else None
