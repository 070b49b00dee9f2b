"""The official clients, unchanged, through the gateway before a real server.

Their packages come from their registries, in the versions pinned beside each program
(`clients/`), and are kept in the cache of the development node for the next run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from dupdex.index import Index
from dupdex.location import Location
from indexer.grouping import Grouping
from indexer.stores.elastic.client import ElasticSettings
from scripts.devnode.assemble import NEXT_VERSION
from scripts.devnode.java import find_jdk
from scripts.devnode.nodes import Cluster
from tests.built import cached, done
from tests.service.gateway.running import Running, gateway_before

PROGRAMS: Final = Path(__file__).with_name("clients")
LIVE: Final = Grouping(live=True)
_COPY_GOAL: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

TEXTS: Final = {
    "original": "雲溪市北岸的白鹭大桥昨日上午正式通车，全长一千二百米，双向六车道，时速六十公里。"
    "市长在通车典礼上表示，大桥将把两岸的通行时间从四十分钟缩短到五分钟，方便沿线居民出行。",
    "copy": "雲溪市北岸的白鹭大桥昨日上午正式通車，全長一千二百米，双向六车道，時速六十公里。"
    "市长在通车典礼上说，大桥将把两岸的通行时间从四十分钟缩短到五分钟，方便沿线居民出行了。",
    "other": "省图书馆新馆本周末起试开放，馆藏图书三百万册，阅览座位四千个，读者凭身份证即可入馆。"
    "馆方提醒，试开放期间每日限流五千人，需要提前一天在网上预约，少年儿童阅览区暂不开放。",
    "changed": "气象台预计明天夜间有中到大雨，局部地区有雷电和大风，请市民减少外出并注意交通安全。"
    "水务部门已经启动四级应急响应，安排两百多名工作人员在低洼路段值守，备好排水车辆。",
}


def arguments_for(es_url: str, gateway: Running, index: str, folder: Path) -> tuple[str, ...]:
    """What every program is told: URL, index, texts. The gateway enriches the index, and its
    documents have groups."""
    with Index.create(Location.from_environment(store=es_url, index=index), grouping=LIVE):
        pass
    path = folder / "texts.json"
    path.write_text(json.dumps(TEXTS, ensure_ascii=False), encoding="utf-8")
    return gateway.url, index, str(path)


@pytest.fixture
def arguments(
    es_url: str, gateway: Running, settings: ElasticSettings, tmp_path: Path
) -> tuple[str, ...]:
    return arguments_for(es_url, gateway, settings.index, tmp_path)


def test_python_of_this_version(arguments: tuple[str, ...]) -> None:
    program = PROGRAMS / "python" / "client.py"
    assert done(sys.executable, program, *arguments).startswith("ok 8.19.")


def test_python_of_the_next_version(tmp_path: Path) -> None:
    """Before a server of the next version: the one of this version refuses its media type."""
    sources = PROGRAMS / "python"

    def build(folder: Path) -> None:
        wanted = ("--no-deps", "--target", folder, "-r", sources / "requirements.txt")
        done(sys.executable, "-m", "pip", "install", "--quiet", *wanted)

    place = cached("python", sources, build)
    with Cluster(NEXT_VERSION, short_lived=True) as cluster:
        (url,) = cluster.urls
        with gateway_before(url) as gateway:
            arguments = arguments_for(url, gateway, "next", tmp_path)
            # Without its site, this Python sees the packages of the next version alone.
            printed = done(
                sys.executable, "-S", sources / "client.py", *arguments, PYTHONPATH=str(place)
            )
    assert printed.startswith("ok 9.")


def test_javascript(arguments: tuple[str, ...]) -> None:
    sources = PROGRAMS / "js"

    def build(folder: Path) -> None:
        shutil.copytree(sources, folder, dirs_exist_ok=True)
        done("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)

    program = cached("js", sources, build) / "client.mjs"
    assert done("node", program, *arguments) == "ok\n"


def test_go(arguments: tuple[str, ...]) -> None:
    sources = PROGRAMS / "go"

    def build(folder: Path) -> None:
        # Without optimisation: the compiler is most of the time.
        flags = ("-gcflags=all=-N -l", "-ldflags=-s -w")
        done("go", "build", *flags, "-o", folder / "client", ".", folder=sources)

    program = cached("go", sources, build) / "client"
    assert done(program, *arguments).startswith("ok 8.19.")


def test_java(arguments: tuple[str, ...]) -> None:
    sources, jdk = PROGRAMS / "java", find_jdk(17).home

    def build(folder: Path) -> None:
        maven = ("mvn", "--batch-mode", "--quiet", "--strict-checksums", _COPY_GOAL)
        jars = f"-DoutputDirectory={folder / 'jars'}"
        done(*maven, jars, folder=sources, JAVA_HOME=str(jdk))
        path = folder / "jars" / "*"
        done(jdk / "bin" / "javac", "-cp", path, "-d", folder, sources / "Client.java")

    place = cached("java", sources, build)
    path = f"{place}{os.pathsep}{place / 'jars' / '*'}"
    assert done(jdk / "bin" / "java", "-cp", path, "Client", *arguments) == "ok\n"
