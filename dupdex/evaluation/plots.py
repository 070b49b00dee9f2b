"""Plots of a comparison of methods, as SVG; matplotlib is optional."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any, Final

from dupdex.evaluation.methods import Method
from mappings.errors import InputRefused

_WIDE: Final = (7.5, 4.5)


def check() -> None:
    """Raise InputRefused when matplotlib is missing."""
    if find_spec("matplotlib") is None:
        raise InputRefused("--plots needs matplotlib; pip install 'dupdex[plots]'")


def draw(methods: Sequence[Method]) -> dict[str, bytes]:
    """SVG files by name: recall by strength of each graded kind, and the precision-recall curve."""
    drawn = {_file_name(kind): _by_strength(methods, kind) for kind in graded(methods)}
    return {**drawn, "precision-recall.svg": _precision_recall(methods)}


def graded(methods: Sequence[Method]) -> list[str]:
    """The kinds of copies whose strengths are numbers, two at least, in the order of the table."""
    strengths: dict[str, list[str]] = {}
    for kind in methods[0].kinds:
        if kind.label:
            strengths.setdefault(kind.kind, []).append(kind.strength)
    return [kind for kind, of in strengths.items() if len(of) > 1 and all(map(_is_number, of))]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _file_name(kind: str) -> str:
    safe = "".join(letter if letter.isalnum() else "_" for letter in kind)
    return f"recall-{safe}.svg"


def _by_strength(methods: Sequence[Method], kind: str) -> bytes:
    axes, figure = _axes()
    for number, method in enumerate(methods):
        rows = [score for score in method.kinds if score.kind == kind]
        places = range(len(rows))
        axes.plot(places, [score.recall for score in rows], label=method.name, **_style(number))
        axes.set_xticks(places, [score.strength for score in rows])
    axes.set(xlabel=kind, ylabel="recall", ylim=(-0.02, 1.02))
    return _svg(axes, figure)


def _precision_recall(methods: Sequence[Method]) -> bytes:
    """A curve for each scheme, and the point at which each method is used."""
    axes, figure = _axes()
    for number, method in enumerate(methods):
        style = _style(number)
        if method.curve:
            _, recall, precision = zip(*method.curve, strict=True)
            axes.plot(recall, precision, color=style["color"], linewidth=1)
        if method.overall.recall is not None and method.overall.precision is not None:
            at = [method.overall.recall], [method.overall.precision]
            axes.plot(*at, label=method.name, **(style | {"linestyle": ""}))
    axes.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    return _svg(axes, figure)


def _style(number: int) -> dict[str, Any]:
    return {
        "color": f"C{number % 10}",
        "marker": "os^vD"[number // 10 % 5],
        "markersize": 5,
        "linestyle": ("-", "--", ":")[number // 10 % 3],
        "linewidth": 2.5 if number == 0 else 1,
    }


def _axes() -> tuple[Any, Any]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=_WIDE, layout="constrained")
    FigureCanvasSVG(figure)
    return figure.add_subplot(), figure


def _svg(axes: Any, figure: Any) -> bytes:
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper", fontsize="small")
    out = BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
