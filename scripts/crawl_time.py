"""How fast `dupdex crawl` is, and what memory it takes: made pages on loopback, several hosts.

    python -m scripts.crawl_time --hosts 20 --pages 1000
    python -m scripts.crawl_time --hosts 1 --pages 300

The server is a process of its own on the same machine: where it takes processor time, the crawl has
less. Store: a folder, removed afterwards; `--store URL` uses a server.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

_WORDS: Final = (
    "河岸 渡口 清晨 码头 老人 灯光 市场 雨水 学校 图书馆 桥梁 工人 季节 邻居 列车 山谷 花园 邮局 "
    "修理 打开 经过 记录 等待 发现 整理 搬运 讲述 种植 观察 计算 安静 明亮 古老 潮湿 遥远"
)
_PARTS: Final = '<nav><a href="/">首页</a></nav><article><h1>{title}</h1>{text}</article>{links}'
_STEP: Final = 10


def page(host: str, number: int, pages: int) -> bytes:
    """A page of about 1,400 characters, the same for the same number; every tenth is a list."""
    rng = random.Random(f"{host}/{number}")
    lines = ("".join(rng.choices(_WORDS.split(), k=rng.randint(8, 20))) + "。" for _ in range(50))
    text = "".join(f"<p>{line}</p>" for line in lines)
    found = [*range(number + 1, number + 4), number * _STEP, number * _STEP + 1]
    links = "".join(f'<a href="/p/{each % pages}.html">第{each}页</a> ' for each in found)
    body = _PARTS.format(title=f"{host} 的第{number}页", text=text, links=links)
    head = f'<html lang="zh"><head><meta charset="utf-8"><title>{number}</title></head><body>'
    return f"<!DOCTYPE html>{head}{body}</body></html>".encode()


def _serve(hosts: list[str], port: int, pages: int, ready: object) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            host = self.headers["Host"]
            name = self.path.removeprefix("/p/").removesuffix(".html")
            known = self.path == "/" or name.isdigit()
            body = page(host, int(name) if name.isdigit() else 0, pages) if known else b""
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    for host in hosts:
        server = ThreadingHTTPServer((host, port), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    ready.set()  # type: ignore[attr-defined]
    threading.Event().wait()


def _resident(pid: int) -> float:
    """Megabytes that a process and its children have in memory."""
    total = 0
    for each in (pid, *_children(pid)):
        try:
            status = Path(f"/proc/{each}/status").read_text()
        except OSError:
            continue
        total += next((int(x.split()[1]) for x in status.splitlines() if x[:6] == "VmRSS:"), 0)
    return total / 1024


def _busy(pid: int) -> float:
    """Processor seconds of a process without its children."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    try:
        return [int(x) for x in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _crawl(given: argparse.Namespace, hosts: list[str], store: str) -> None:
    command = [sys.executable, "-c", "import dupdex_command; dupdex_command.main()", "crawl"]
    command += [f"http://{host}:{given.port}/" for host in hosts]
    command += ["--store", store, "--index", given.index, "--delay", str(given.delay), "--json"]
    command += ["--workers", str(given.workers), "--depth", "1000000"]
    begun = time.monotonic()
    sizes: list[tuple[float, float, float]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            sizes.append((time.monotonic() - begun, _resident(process.pid), _busy(process.pid)))
            time.sleep(0.5)
        out = process.stdout.read() if process.stdout else ""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = json.loads(out)["counts"]
    seconds = json.loads(out)["seconds"]
    fetched = counts["fetched"]
    rate = fetched / seconds
    print(f"{fetched:,} pages of {len(hosts)} hosts in {seconds:,.1f} s, {counts['new']:,} new")
    print(f"{rate:,.1f} pages a second, {rate / len(hosts):,.1f} a host")
    whole = usage.ru_utime + usage.ru_stime
    print(f"processor seconds: {whole:,.1f}, of these {sizes[-1][2]:,.1f} of the crawl itself")
    quarters = [sizes[len(sizes) * part // 8][1] for part in (2, 4, 6, 7)] if sizes else []
    told = ", ".join(f"{size:,.0f}" for size in quarters)
    print(f"memory of all its processes, MB: {told} at 1/4, 1/2, 3/4, 7/8; peak "
          f"{max(size for _, size, _ in sizes):,.0f}")  # fmt: skip


def main() -> int:
    """Serve, crawl, print."""
    parser = argparse.ArgumentParser(prog="crawl_time", description=__doc__)
    parser.add_argument("--hosts", type=int, default=20, help="1 to 200 [20]")
    parser.add_argument("--pages", type=int, default=100, help="of each host [100]")
    parser.add_argument("--delay", type=float, default=0.1, help="as of dupdex crawl [0.1]")
    parser.add_argument("--workers", type=int, default=2, help="as of dupdex crawl [2]")
    parser.add_argument("--port", type=int, default=18_970, help="of all hosts [18970]")
    parser.add_argument("--store", default="", help="a server [a folder]")
    parser.add_argument("--index", default="crawl-time", help="its index [crawl-time]")
    given = parser.parse_args()
    hosts = [f"127.0.2.{number}" for number in range(1, given.hosts + 1)]
    ready = multiprocessing.Event()
    arguments = (hosts, given.port, given.pages, ready)
    server = multiprocessing.Process(target=_serve, args=arguments, daemon=True)
    server.start()
    ready.wait(30)
    with tempfile.TemporaryDirectory() as folder:
        _crawl(given, hosts, given.store or folder)
    server.terminate()
    server.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
