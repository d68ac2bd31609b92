"""The exports of other tools become contacts: their headers, with one row each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client

CONTACTS = "/api/staff/contacts"
Send = Callable[..., Any]
NOTES = 'Notes:\n"Some of the email addresses may be missing, as members choose."\n\n'
PHONE = "+1 202 555 0101"

# Tool: header, row; ignored columns. Each row is Rosa Moss with an address and a telephone number,
# if the tool exports one.
TOOLS: dict[str, tuple[str, str, list[str]]] = {
    "NationBuilder": (
        "nationbuilder_id,first_name,middle_name,last_name,email,phone_number,tag_list",
        f'1,Rosa,,Moss,rosa@example.org,{PHONE},"choir,press"',
        ["nationbuilder_id"],
    ),
    "Brevo": (
        "CONTACT ID,EMAIL,FIRSTNAME,LASTNAME,SMS,WHATSAPP",
        f"1,rosa@example.org,Rosa,Moss,{PHONE},",
        ["CONTACT ID"],
    ),
    "Brevo in French": (
        "ID CONTACT,EMAIL,PRENOM,NOM,SMS",
        f"1,rosa@example.org,Rosa,Moss,{PHONE}",
        ["ID CONTACT"],
    ),
    "HubSpot": (
        "Record ID,First Name,Last Name,Email,Phone Number,Lead Status",
        f"1,Rosa,Moss,rosa@example.org,{PHONE},",
        ["Record ID", "Lead Status"],
    ),
    "Salesforce": (
        '"Salutation","First Name","Last Name","Title","Account Name","Phone","Mobile","Email"',
        f'"Ms.","Rosa","Moss","Chair","Garden","{PHONE}","","rosa@example.org"',
        ["Salutation", "Title", "Account Name"],
    ),
    "CiviCRM": (
        '"Internal Contact ID","Sort Name","First Name","Last Name","Email","Phone","Tag(s)"',
        f'"7","Moss, Rosa","Rosa","Moss","rosa@example.org","{PHONE}","choir,press"',
        ["Internal Contact ID", "Sort Name"],
    ),
    "CiviCRM with types of locations": (
        '"Contact ID","Display Name","Home-Email","Home-Phone-Phone","Home-Phone"',
        f'"7","Rosa Moss","rosa@example.org","","{PHONE}"',
        ["Contact ID", "Home-Phone-Phone"],
    ),
    "Zoho": (
        "Record Id,Contact Owner,First Name,Last Name,Email,Phone,Mobile,Tag",
        f"zcrm_1,Ida,Rosa,Moss,rosa@example.org,,{PHONE},choir;press",
        ["Record Id", "Contact Owner"],
    ),
    "Pipedrive": (
        "Person - Name,Person - Label,Person - Phone - Work,Person - Email - Work",
        f'Rosa Moss,"choir,press",{PHONE},rosa@example.org',
        [],
    ),
    "Pipedrive with parts of names": (
        "Person - ID,Person - First name,Person - Last name,Person - Email - Home",
        "1,Rosa,Moss,rosa@example.org",
        ["Person - ID"],
    ),
    "Odoo": (
        "Name,Email,Phone,Mobile,Tags,Country",
        f'Rosa Moss,rosa@example.org,{PHONE},,"choir,press",',
        ["Country"],
    ),
    "Odoo with technical names": (
        "id,display_name,email,phone",
        f"__export__.res_partner_1,Rosa Moss,rosa@example.org,{PHONE}",
        ["id"],
    ),
    "Apple Contacts, by an exporter": (
        "First name,Last name,E-mail Home,Phone - home",
        f"Rosa,Moss,rosa@example.org,{PHONE}",
        [],
    ),
    "Thunderbird": (
        "First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Mobile Number",
        f"Rosa,Moss,Rosa M.,,rosa@example.org,,{PHONE}",
        ["Nickname"],
    ),
    "Thunderbird in German": (
        "Vorname,Nachname,Anzeigename,Spitzname,Primäre E-Mail-Adresse,Tel. dienstlich",
        f"Rosa,Moss,Rosa M.,,rosa@example.org,{PHONE}",
        ["Spitzname"],
    ),
    "Nextcloud tables": (
        "Name;Haupt-E-Mail;Telefon;Schlagwörter",
        f"Rosa Moss;rosa@example.org;{PHONE};choir,press",
        [],
    ),
    "Yahoo": (
        '"First","Middle","Last","Nickname","Email","Category","Home","Mobile"',
        f'"Rosa","","Moss","","rosa@example.org","","","{PHONE}"',
        ["Nickname", "Category", "Home"],
    ),
    "Proton, for import": (
        "First name,Last name,Email,Phone",
        f"Rosa,Moss,rosa@example.org,{PHONE}",
        [],
    ),
    "Eventbrite": (
        "Order #,Order Date,First Name,Last Name,Email,Ticket Type,Cell Phone",
        f"1,2026-11-20,Rosa,Moss,rosa@example.org,Standard,{PHONE}",
        ["Order #", "Order Date", "Ticket Type"],
    ),
    "Eventbrite, attendees": (
        "Attendee first name,Attendee last name,Attendee email,Attendee phone,Ticket type",
        f"Rosa,Moss,rosa@example.org,{PHONE},",
        ["Ticket type"],
    ),
    "MailerLite": (
        "Subscriber,Name,Last name,Phone,Groups,Opens",
        f'rosa@example.org,Rosa,Moss,{PHONE},"choir,press",3',
        ["Opens"],
    ),
    "LinkedIn": (
        NOTES + "First Name,Last Name,URL,Email Address,Company,Position,Connected On",
        "Rosa,Moss,https://www.linkedin.com/in/rosa,rosa@example.org,Garden,Chair,20 Nov 2026",
        ["URL", "Company", "Position", "Connected On"],
    ),
    "Facebook lead ads": (
        "id\tcreated_time\tfull_name\temail\tphone_number",
        f"l:1\t2026-11-20T10:00:00+01:00\tRosa Moss\trosa@example.org\t{PHONE}",
        ["id", "created_time"],
    ),
    "Google Forms": (
        "Timestamp,Email Address,Full name,Phone number",
        f"2026/11/20 10:00:00 AM GMT+1,rosa@example.org,Rosa Moss,{PHONE}",
        ["Timestamp"],
    ),
    "Google Forms in French": (
        '"Horodateur","Adresse e-mail","Nom et prénom","Numéro de téléphone"',
        f'"2026/11/20","rosa@example.org","Rosa Moss","{PHONE}"',
        ["Horodateur"],
    ),
    "Action Network": (
        "first_name,last_name,email,zip_code,can2_phone,can2_user_tags,can2_subscription_status",
        f'Rosa,Moss,rosa@example.org,20001,{PHONE},"choir,press",subscribed',
        ["zip_code", "can2_subscription_status"],
    ),
    "Constant Contact": (
        "Email address,First name,Last name,Phone - mobile,Tags",
        f'rosa@example.org,Rosa,Moss,{PHONE},"choir,press"',
        [],
    ),
    "a spreadsheet in French": (
        "name;Adresse e-mail;Téléphone",
        f"Rosa Moss;rosa@example.org;{PHONE}",
        [],
    ),
    "a spreadsheet in Spanish": (
        "Nombre;Apellidos;Correo electrónico;Móvil",
        f"Rosa;Moss;rosa@example.org;{PHONE}",
        [],
    ),
    "a spreadsheet of a German club": (
        "Name;Vorname;E-Mail;Handy",
        f"Moss;Rosa;rosa@example.org;{PHONE}",
        [],
    ),
}


@pytest.mark.parametrize(("header", "row", "ignored"), TOOLS.values(), ids=TOOLS)
def test_the_export_of_a_tool_becomes_a_contact(
    send: Send, staff: Client, header: str, row: str, ignored: list[str]
) -> None:
    answer = send(f"{header}\r\n{row}\r\n".encode())

    assert (answer["imported"], answer["errorCount"]) == (1, 0)
    assert answer["ignoredColumns"] == ignored
    [rosa] = staff.get(CONTACTS).json
    assert (rosa["name"], rosa["email"]) == ("Rosa Moss", "rosa@example.org")
    assert rosa["phone"] == (PHONE if PHONE in row else None)
    assert rosa["tags"] == (["choir", "press"] if "press" in row else [])
