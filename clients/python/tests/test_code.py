"""The code that is made of unusual documents."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from masthead_client.generate.code import operations_module
from masthead_client.generate.operations import operations_in


def made(operation_id: str = "plants.list", path: str = "/api/plants", **declared: Any) -> str:
    """Return the code for one operation."""
    answer = {"content": {"application/json": {"schema": {"type": "object"}}}}
    operation = {"operationId": operation_id, "responses": {"200": answer}, **declared}
    document = {"paths": {path: {"get": operation}}}
    return operations_module(list(operations_in(document)), {})


def classes(code: str) -> dict[str, list[str]]:
    """Return the methods of each class."""
    return {
        each.name: [member.name for member in each.body if hasattr(member, "name")]
        for each in ast.parse(code).body
        if isinstance(each, ast.ClassDef)
    }


def test_an_id_becomes_attributes() -> None:
    assert classes(made("staff.my-plants.import")) == {
        "StaffMyPlants": ["import_"],
        "Staff": ["my_plants"],
        "AsyncClient": ["staff"],
    }


@pytest.mark.parametrize("name", ["cache", "request", "edit"])
def test_a_name_of_the_client_itself_gets_an_underscore(name: str) -> None:
    assert classes(made(f"{name}.list"))["AsyncClient"] == [f"{name}_"]


@pytest.mark.parametrize("name", ["2fa.list", "a..b", ""])
def test_an_id_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="can't be the name of a method"):
        made(name)


def test_text_of_the_document_is_no_code() -> None:
    text = '""" + print("a") + """ \\'

    code = made(summary=text, description=text)

    [method] = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.AsyncFunctionDef)]
    assert text.rstrip() in str(ast.get_docstring(method))
    assert not any(isinstance(n, ast.Name) and n.id == "print" for n in ast.walk(ast.parse(code)))


@pytest.mark.parametrize("path", ['/api/"+x', "/api/a b", "/api/\\"])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="no path of Masthead"):
        made(path=path)


def test_pages_for_people_and_redirects_have_no_method() -> None:
    page = {"200": {"content": {"text/html": {"schema": {"type": "string"}}}}}

    assert classes(made(responses=page)) == {"AsyncClient": []}
    assert classes(made(responses={"302": {}})) == {"AsyncClient": []}
