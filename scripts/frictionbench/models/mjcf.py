"""Text in MuJoCo's format, MJCF."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

GROUND = {"contype": "0", "conaffinity": "1"}   # touches bodies
LIMB = {"contype": "1", "conaffinity": "0"}     # touches the ground, and not other limbs


def text(value: object) -> str:
    """An attribute's value: numbers of at most 9 digits, lists with blanks."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Iterable):
        return " ".join(text(each) for each in value)
    return f"{float(value):.9g}" if isinstance(value, float) else str(value)


def add(parent: ElementTree.Element, tag: str, **attributes: object) -> ElementTree.Element:
    """An element with these attributes. A trailing underscore of a name is left out: class_."""
    return ElementTree.SubElement(parent, tag, {name.rstrip("_"): text(value) for name, value in attributes.items()})


def surface(mu: float) -> tuple[float, float, float]:
    """Friction of a geom: sliding; and MuJoCo's usual ones, torsional and rolling (m)."""
    return mu, 0.005, 0.0001


class Model:
    """A model: its sections, and the ground on demand. SI units, angles in radians."""

    def __init__(self, name: str, what: str, page: str, *, step: float, mu: float = 0.5) -> None:
        self.name, self.mu = name, mu
        self.comment = f"{what}; frictionbench-data models wrote it, {page}.md describes it"
        self.root = ElementTree.Element("mujoco", model=name)
        add(self.root, "compiler", angle="radian")
        add(self.root, "option", timestep=step)
        self.sections: dict[str, ElementTree.Element] = {}
        self.world = self.section("worldbody")

    def section(self, tag: str) -> ElementTree.Element:
        """The section of this name."""
        if tag not in self.sections:
            self.sections[tag] = add(self.root, tag)
        return self.sections[tag]

    def room(self, contacts: int, rows: int) -> None:
        """Room for more contacts and rows than MuJoCo gives by itself."""
        add(self.root, "size", nconmax=contacts, njmax=rows)

    def ground(self, **attributes: object) -> None:
        """A horizontal plane."""
        add(self.world, "geom", name="ground", type="plane", size=(20, 20, 1), friction=surface(self.mu), **attributes)

    def free_body(self, name: str, position: Sequence[float], **geom: object) -> ElementTree.Element:
        """A body that moves freely, with one geom."""
        body = add(self.world, "body", name=name, pos=position)
        add(body, "freejoint")
        add(body, "geom", friction=surface(self.mu), **geom)
        return body

    def written(self) -> str:
        """The text of the file."""
        ElementTree.indent(self.root)
        return f"<!-- {self.comment} -->\n{ElementTree.tostring(self.root, encoding='unicode')}\n"


def turn(axis: Sequence[float], angle: float) -> tuple[float, ...]:
    """The quaternion of a turn about a unit axis, as MuJoCo has it."""
    half = angle / 2
    return (math.cos(half), *(math.sin(half) * component for component in axis))


def turned(body: ElementTree.Element, quat: Sequence[float]) -> None:
    """Gives a body this orientation."""
    body.set("quat", text(quat))


def controls(names: Sequence[str], rows: Iterable[tuple[float, dict[str, float]]], comment: str) -> str:
    """A control file: what each actuator is told at each time; what a row does not name is zero."""
    lines = [f"# {comment}", f"# time, {', '.join(names)}"]
    for time, values in rows:
        unknown = set(values) - set(names)
        if unknown:
            raise KeyError(f"no actuators {sorted(unknown)}")
        lines.append(" ".join(f"{number:.6g}" for number in (time, *(values.get(name, 0.0) for name in names))))
    return "\n".join(lines) + "\n"


def smooth(start: float, end: float, part: float) -> float:
    """From start to end as part goes from 0 to 1, with velocity zero at both ends."""
    part = min(max(part, 0.0), 1.0)
    return start + (end - start) * part * part * (3 - 2 * part)
