"""Drawings of what was measured side by side, as SVG; matplotlib is optional."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from dupdex.evaluation.methods import Method
from mappings.errors import InputRefused

_WIDE: Final = (7.5, 4.5)


def check() -> None:
    """Raises InputRefused when nothing can be drawn here."""
    if find_spec("matplotlib") is None:
        raise InputRefused("--plots needs matplotlib; pip install 'dupdex[plots]'")


def draw(methods: Sequence[Method], folder: Path) -> list[Path]:
    """A drawing for each kind that has several strengths, and the precision-recall curve.

    Raises InputRefused when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = [_by_strength(methods, kind, folder) for kind in graded(methods)]
        return [*drawn, _precision_recall(methods, folder)]
    except OSError as error:
        raise InputRefused(f"{folder} cannot be written: {error.strerror}") from error


def graded(methods: Sequence[Method]) -> list[str]:
    """The kinds of copies whose strengths are numbers, two at least, in the order of the table."""
    strengths: dict[str, list[str]] = {}
    for kind in methods[0].kinds:
        if kind.label:
            strengths.setdefault(kind.kind, []).append(kind.strength)
    return [kind for kind, of in strengths.items() if len(of) > 1 and all(map(_is_number, of))]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _by_strength(methods: Sequence[Method], kind: str, folder: Path) -> Path:
    axes, figure = _axes()
    for number, method in enumerate(methods):
        rows = [score for score in method.kinds if score.kind == kind]
        places = range(len(rows))
        axes.plot(places, [score.recall for score in rows], label=method.name, **_style(number))
        axes.set_xticks(places, [score.strength for score in rows])
    axes.set(xlabel=kind, ylabel="recall", ylim=(-0.02, 1.02))
    safe = "".join(letter if letter.isalnum() else "_" for letter in kind)
    return _saved(axes, figure, folder / f"recall-{safe}.svg")


def _precision_recall(methods: Sequence[Method], folder: Path) -> Path:
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
    return _saved(axes, figure, folder / "precision-recall.svg")


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


def _saved(axes: Any, figure: Any, path: Path) -> Path:
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path, format="svg", metadata={"Date": None})
    return path
