"""Conditions on lists that a column of JSON stores."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Boolean, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class has_any(FunctionElement[bool]):  # noqa: N801 - it is used like a SQL function
    """``has_any(column, texts)``: whether a list of texts has one of some texts; NULL for NULL."""

    name = "has_any"
    inherit_cache = True
    type = Boolean()

    def __init__(self, column: Any, texts: Iterable[str]) -> None:
        super().__init__(column, literal(json.dumps(list(texts)), Text()))


@compiles(has_any, "sqlite")
def _joined(element: has_any, compiler: SQLCompiler, **options: Any) -> str:
    given, _ = element.clauses
    # First, in the order of the text, because parameters are counted.
    is_there = f"{compiler.process(given, **options)} IS NOT NULL"
    column, texts = (compiler.process(each, **options) for each in element.clauses)
    lists = f"json_each({column}) AS listed JOIN json_each({texts}) AS wanted"
    # All arguments are compiled SQL.
    found = f"EXISTS (SELECT 1 FROM {lists} ON listed.value = wanted.value)"  # noqa: S608
    return f"CASE WHEN {is_there} THEN {found} END"


@compiles(has_any, "postgresql")
def _overlapping(element: has_any, compiler: SQLCompiler, **options: Any) -> str:
    column, texts = (compiler.process(each, **options) for each in element.clauses)
    wanted = f"ARRAY(SELECT json_array_elements_text(CAST({texts} AS JSON)))"
    return f"(CAST({column} AS JSONB) ?| {wanted})"
