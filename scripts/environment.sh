# Sourced by the scripts that need a virtual environment: `.venv`, made when it is absent.

fail() { echo "$0: $*" >&2; exit 1; }

find_python() {
    local name
    for name in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    fail "needs Python 3.11 or later; install it or name it: PYTHON=/path/to/python3 $0"
}

make_venv() {
    [ -x .venv/bin/python ] && return
    local python
    python=$(find_python)
    "$python" -m venv .venv \
        || { rm -rf .venv; fail "cannot make .venv; on Debian: apt-get install python3-venv"; }
}

# Installs this checkout with the extras named: install_extras dev,fast
install_extras() {
    rm -f indexer/text/native.*.so  # one of an older version would stay where none can be compiled
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".[$1]" \
        || fail "could not install the dependencies; check the network and try again"
}
