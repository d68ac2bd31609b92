"""The field type of places on the earth."""

from __future__ import annotations

from typing import Any

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType
from masthead.schemas.schema import Object, required, schema

_PLACES = 7
"""The decimal places of degrees: about a centimetre."""


class Degrees(FieldType):
    """An angle in degrees, as a JSON number."""

    def __init__(self, most: int) -> None:
        """Take the largest angle in both directions."""
        self.most = most

    def parse(self, value: Any) -> float:
        """Return the angle, rounded to about a centimetre on the earth."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise WrongValue(ProblemCode.NOT_A_NUMBER, "Must be a number of degrees")
        if not -self.most <= value <= self.most:
            message = f"Must be between {-self.most} and {self.most}"
            raise WrongValue(
                ProblemCode.OUT_OF_RANGE, message, minimum=-self.most, maximum=self.most
            )
        # Without the zero, there would be a second form of it, -0.0.
        return round(float(value), _PLACES) + 0.0

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the angle."""
        return {"type": "number", "minimum": -self.most, "maximum": self.most}


class GeoPoint(Object):
    """A place on the earth in WGS 84: ``{"latitude": 52.5163, "longitude": 13.3777}``."""

    widget = "map"
    samples = (
        {"latitude": 52.5163, "longitude": 13.3777},
        {"latitude": -33.8568, "longitude": 151.2153},
    )

    def __init__(self) -> None:
        """Declare both members."""
        members = {
            "latitude": required(Degrees(90), help="Degrees to the north.", example=52.5163),
            "longitude": required(Degrees(180), help="Degrees to the east.", example=13.3777),
        }
        meaning = "A place on the earth, in degrees of WGS 84."
        super().__init__(schema(members, name="GeoPoint", help=meaning))
