"""How much memory a command takes at its peak: `python tests/peak.py COMMAND...`, megabytes last.

A process of its own, as the system counts the peak of all that a process has started together.
"""

from __future__ import annotations

import resource
import subprocess
import sys

if __name__ == "__main__":
    status = subprocess.run(sys.argv[1:], check=False).returncode
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(kilobytes // (1024 if sys.platform != "darwin" else 1024**2), file=sys.stderr)
    sys.exit(status)
