"""The common columns of lists of persons, as mail programs and spreadsheets name them."""

from __future__ import annotations

from masthead.csv.columns import CsvColumn

NAME_COLUMN = CsvColumn(
    "name",
    joined=(
        ("First Name", "Middle Name", "Last Name"),
        ("Given Name", "Additional Name", "Family Name"),
        ("Vorname", "Weitere Vornamen", "Nachname"),
        ("Prénom", "Nom"),
        ("Nombre", "Apellidos"),
        ("Nome", "Cognome"),
        ("Voornaam", "Achternaam"),
    ),
)
EMAIL_COLUMN = CsvColumn(
    "email",
    (
        "E-mail",
        "Mail",
        "Email Address",
        "E-mail Address",
        "Primary Email",
        "E-mail 1 - Value",
        "E-Mail-Adresse",
        "Adresse de messagerie",
        "Dirección de correo electrónico",
        "E-mail 2 - Value",
        "E-mail 2 Address",
        "E-mail 3 Address",
        "Secondary Email",
    ),
    first_only=True,
)
