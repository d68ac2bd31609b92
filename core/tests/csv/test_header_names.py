"""The names of columns in other tools and languages."""

from __future__ import annotations

from collections import defaultdict
from io import BytesIO
from itertools import product

import pytest

from masthead.csv import EMAIL_COLUMN, NAME_COLUMN, CsvColumn, CsvReader, header_names
from masthead.csv.columns import header_key
from masthead.csv.header_names import FAMILY_NAME_FIRST, UNSPACED, all_names

PHONE = CsvColumn("phone", header_names("phone", "mobile", "home", "work"), first_only=True)
TAGS, NOTES = CsvColumn("tags", header_names("tags")), CsvColumn("notes", header_names("notes"))
COLUMNS = (NAME_COLUMN, EMAIL_COLUMN, PHONE, TAGS, NOTES)
PARTS = {
    "name": "name",
    "given": "name",
    "middle": "name",
    "family": "name",
    "display": "name",
    "email": "email",
    "email2": "email",
    "phone": "phone",
    "mobile": "phone",
    "home": "phone",
    "work": "phone",
    "tags": "tags",
    "notes": "notes",
}
LANGUAGES = tuple(dict.fromkeys(each.language for each in all_names()))
NAMES = {(part, each.language): [] for part in PARTS for each in all_names()}
for known in all_names():
    NAMES[known.part, known.language].append(known.name)


def read(header: str, row: str) -> dict[str, str]:
    [found] = CsvReader(BytesIO(f"{header}\n{row}\n".encode()), COLUMNS)
    return found.values


def test_each_name_has_a_part_a_language_and_a_source() -> None:
    for each in all_names():
        assert each.part in PARTS
        assert each.name.strip() == each.name != ""
        assert each.source
        assert header_key(each.name)


def test_each_name_belongs_to_one_field() -> None:
    fields = defaultdict(set)
    for each in all_names():
        fields[header_key(each.name)].add(PARTS[each.part])

    assert {key: found for key, found in fields.items() if len(found) > 1} == {}


def test_there_are_names_in_more_than_twenty_languages() -> None:
    assert len(LANGUAGES) > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_names_of_all_fields(language: str) -> None:
    for part in ("name", "given", "family", "email", "phone", "mobile", "tags", "notes"):
        assert NAMES[part, language], part


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_name_of_an_address_is_known_however_it_is_written(language: str) -> None:
    whole = NAMES["name", language][0]
    for name in [*NAMES["email", language], *NAMES["email2", language]]:
        for written in (name, name.upper(), f" {name}: ", name.replace(" ", "_"), f'"{name}"'):
            assert read(f"{whole};{written}", "Rosa;rosa@x.test")["email"] == "rosa@x.test", written


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_name_of_a_field_is_known(language: str) -> None:
    whole = NAMES["name", language][0]
    for part in ("phone", "mobile", "home", "work", "tags", "notes"):
        for name in NAMES[part, language]:
            assert read(f"{whole};{name}", "Rosa;text")[PARTS[part]] == "text", name
    for name in [*NAMES["name", language], *NAMES["display", language]]:
        assert read(f'"{name}";x', "Rosa;")["name"] == "Rosa", name


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_of_a_name_are_joined_in_the_order_of_the_language(language: str) -> None:
    family_first = language in FAMILY_NAME_FIRST
    pairs = list(product(NAMES["given", language], NAMES["family", language]))
    assert pairs
    for given, family in pairs:
        found = read(f"{family};x;{given}", "Moss;1;Rosa")["name"]
        assert found == ("Moss Rosa" if family_first else "Rosa Moss"), (given, family)
        unspaced = read(f"{given};{family}", "太郎;山田")["name"]
        expected = "山田 太郎" if family_first else "太郎 山田"
        assert unspaced == (expected.replace(" ", "") if language in UNSPACED else expected)
    for middle in NAMES["middle", language]:
        given, family = pairs[0]
        found = read(f"{given};{middle};{family}", "Rosa;B;Moss")["name"]
        assert found == ("Moss B Rosa" if family_first else "Rosa B Moss"), middle


@pytest.mark.parametrize(
    ("header", "row", "name"),
    [
        ("Vorname;Name", "Rosa;Moss", "Rosa Moss"),
        ("Name;Vorname", "Moss;Rosa", "Rosa Moss"),
        ("Name;Vorname", "Rosa Moss;Rosa", "Rosa Moss"),
        ("Name;Vorname;Nachname", "R. Moss;Rosa;Moss", "R. Moss"),
        ("Name;Vorname;Nachname", ";Rosa;Moss", "Rosa Moss"),
        ("Nom;Prénom", "Moss;Rosa", "Rosa Moss"),
        ("Nom;x", "Rosa Moss;", "Rosa Moss"),
        ("Nombre;Apellidos", "Rosa;Moss", "Rosa Moss"),
        ("Nombre;x", "Rosa Moss;", "Rosa Moss"),
        ("Nome;Cognome", "Rosa;Moss", "Rosa Moss"),
        ("Nome;Sobrenome", "Rosa;Moss", "Rosa Moss"),
        ("Nume;Prenume", "Moss;Rosa", "Rosa Moss"),
        ("Jméno;Příjmení", "Rosa;Moss", "Rosa Moss"),
        ("Имя;Отчество;Фамилия", "Роза;Ивановна;Мосс", "Роза Ивановна Мосс"),
        ("이름;성", "민수;김", "김민수"),
        ("이름;메일", "김민수;", "김민수"),
        ("名;姓", "Rosa;モス", "モス Rosa"),
        ("Name;Last name", "Rosa;Moss", "Rosa Moss"),
        ("Name;Last name", "Rosa Moss;Moss", "Rosa Moss"),
        ("First Name;Last Name;Display Name", "Rosa;;R.", "Rosa"),
        ("First Name;Last Name;Display Name", ";;R.", "R."),
        ("First Name;Last Name", "\u200b;Moss", "Moss"),
    ],
)
def test_a_name_that_may_be_whole_or_a_part_is_understood(header: str, row: str, name: str) -> None:
    assert read(header, row)["name"] == name


@pytest.mark.parametrize(
    ("cell", "address", "name"),
    [
        ("rosa@x.test", "rosa@x.test", ""),
        ("mailto:rosa@x.test", "rosa@x.test", ""),
        (" MAILTO:rosa@x.test?subject=Hi ", "rosa@x.test", ""),
        ("Rosa Moss <rosa@x.test>", "rosa@x.test", "Rosa Moss"),
        ('"Moss, Rosa" <mailto:rosa@x.test> ', "rosa@x.test", "Moss, Rosa"),
        ("<rosa@x.test>", "rosa@x.test", ""),
        ("rosa@x.test <mailto:rosa@x.test>", "rosa@x.test", ""),
        ("ｒｏｓａ＠ｘ．ｔｅｓｔ", "rosa@x.test", ""),
        ("rosa@x。test", "rosa@x.test", ""),
        ("\u200brosa@x.test\ufeff", "rosa@x.test", ""),
        ("Rosa <rosa@x.test>, Ida <ida@x.test>", "Rosa <rosa@x.test>, Ida <ida@x.test>", ""),
        ("Rosa <rosa>", "Rosa <rosa>", ""),
        ("a<b>c@x.test", "a<b>c@x.test", ""),
    ],
)
def test_a_cell_with_an_address_may_have_a_name_or_a_link(
    cell: str, address: str, name: str
) -> None:
    quoted = cell.replace('"', '""')

    found = read("x;name;E-Mail", f';;"{quoted}"')
    assert (found["email"].strip(), found["name"]) == (address, name)
    assert read("name;E-Mail", f'Ada;"{quoted}"')["name"] == "Ada"
