"""Serve the sample site on loopback: python -m scripts.sample_site [--port N] [--seed N]

`--works FILE.jsonl` writes the originals, to be put into a bank.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

import orjson

from scripts.sample_site import SampleSite
from scripts.sample_site.site_server import Traps, bank_documents


def main() -> int:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="sample_site", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the same for all sites [a free one]")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--crawl-delay", type=float, default=0.2, help="of one site, seconds [0.2]")
    parser.add_argument("--works", type=Path, metavar="FILE.jsonl", help="write the originals")
    given = parser.parse_args()
    try:
        with SampleSite(given.seed, given.port, Traps(crawl_delay=given.crawl_delay)) as site:
            if given.works:
                lines = b"".join(orjson.dumps(each) + b"\n" for each in bank_documents(site))
                given.works.write_bytes(lines)
            print(f"{len(site.truth())} pages; Ctrl-C ends", file=sys.stderr)
            print(*site.starts, *site.feeds, sep="\n", flush=True)
            threading.Event().wait()
    except OSError as error:
        print(f"sample_site: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f"sample_site: {error}; run: pip install 'OpenCC>=1.1.9,<2'", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
