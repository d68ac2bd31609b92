"""Text of one line, names and classes, and what all text has in common."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.schemas.email_addresses import normalize_address
from masthead.schemas.field_types import Email, FieldType, Str, Url
from masthead.schemas.html_type import Html
from masthead.schemas.text_types import ClassNames, DisplayName, Line

BOUNDED = settings(derandomize=True, max_examples=300, database=None)
KINDS: dict[str, FieldType] = {
    "Str": Str(),
    "Str that may be blank": Str(2_000, min_length=0),
    "Line": Line(),
    "DisplayName": DisplayName(),
    "ClassNames": ClassNames(),
    "Url": Url(),
    "Email": Email(),
    "Html": Html(),
    "Html of a mail": Html(mail=True),
}
PIECES = st.sampled_from(
    ["\ufeff", "\ufeff" * 20, " ", "\t", "\r\n", "\r", "\x85", "\u2028", "\u00a0", "\u3000",
     "\u200b", "\u00ad", "\u034f", "\u200d", "\u202e", "\ufe0f", "\u0301", "\u0315\u0300" * 20,
     "\u0344" * 31, "\uff9f" * 40, "e\u0301", "ﬁ", "ß", "İ", "각", "ᄀ", "ᅡ", "a", "b", ".", "/",
     "//", ":", "@", "http://", "mailto:", "example.org", "ａ", "。", "xn--", "ſ", "K", "<p>",
     "</p>", "<pre>", "<b>", "</b>", "<i>", "<table>", "<td>", "<br>", "<style>", "</style>",
     "<title>", "<html>", "<body>", "<!--", "&#x338;", "&nbsp;", "&#65279;", "&#xfeff;",
     "&#12;", "&amp;", "<", ">", "&", '"', "'", "{{", "}}", "<a href='", "<p style='",
     "color:red", ";", "\ufdd0", "\ufdd4", "🏳️‍🌈", "کتاب‌ها", "क्‍ष", "葛\U000e0100"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(st.characters(codec="utf-8"), max_size=3), max_size=8)


@BOUNDED
@given(st.sampled_from(sorted(KINDS)), TEXTS.map("".join))
def test_stored_text_is_stored_again_unchanged(name: str, text: str) -> None:
    kind = KINDS[name]
    try:
        stored = kind.parse(text)
    except ValueError:
        return

    assert kind.parse(stored) == stored
    assert stored == stored.strip().strip("\ufeff")


@BOUNDED
@given(TEXTS.map("".join))
def test_a_stored_address_is_one_again(text: str) -> None:
    try:
        stored = normalize_address(f"{text}@example.org".strip())
    except ValueError:
        return

    assert normalize_address(stored) == stored


@pytest.mark.parametrize("name", ["Html", "Html of a mail"])
@pytest.mark.parametrize(
    "start", ["\ufeff", "\ufeff" * 30, " \ufeff \ufeff", "<x>\ufeff\ufeff</x>"]
)
def test_marks_of_the_byte_order_at_the_start_are_dropped(name: str, start: str) -> None:
    assert KINDS[name].parse(f"{start}<p>a</p>") == "<p>a</p>"


@pytest.mark.parametrize("kind", [Line(), DisplayName(), ClassNames()])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\t", "\x85", "\u2028", "\u2029", " \n\n\t "])
def test_line_ends_and_tabs_become_a_space(kind: FieldType, end: str) -> None:
    assert kind.parse(f"{end}one{end}two{end}") == "one two"


@pytest.mark.parametrize("kind", [Line(), DisplayName(), ClassNames()])
@pytest.mark.parametrize("control", [*map(chr, (0, 1, 8, 11, 12, 27, 31, 127, 128, 155, 159))])
def test_a_line_has_no_control_characters(kind: FieldType, control: str) -> None:
    with pytest.raises(ValueError, match=r"^Must not contain control characters$"):
        kind.parse(f"a{control}b")


@pytest.mark.parametrize("kind", [Str(), Line(), DisplayName(), ClassNames()])
@pytest.mark.parametrize(
    "blank", ["", " ", "\u200b", "\ufeff", "\u2060 \u00ad", "\u2800", "\u3164"]
)
def test_text_that_nobody_sees_is_blank(kind: FieldType, blank: str) -> None:
    with pytest.raises(ValueError, match=r"^Required$"):
        kind.parse(blank)


NEEDED = [
    "نمی‌دانم",
    "کتاب‌های",
    "بنیاد‌های",
    "क्‍ष",
    "ශ්‍රී",
    "👩🏽‍💻 Ada",
    "❤️",
    "1️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "葛\U000e0100城",
    "ᠠ\u180b",
]


@pytest.mark.parametrize("text", [*NEEDED, "שלום", "نورة", "Zoë Ånström", "O’Neil", "李明"])
def test_scripts_and_emoji_keep_what_they_need(text: str) -> None:
    assert DisplayName().parse(text) == text
    assert Line().parse(text) == text


@pytest.mark.parametrize(
    "name",
    ["bo\u200bss", "bo\u200css", "bo\u200dss", "bo\u00adss", "\u202eboss", "boss\u200f",
     "boss\ufe0f", "boss \u200d", "\u2066boss\u2069", "bo\u034fss", "bo\u115fss", "bo\ufff9ss",
     "👩\u200d", "🏴\U000e0067"],
)  # fmt: skip
def test_a_name_has_nothing_else_invisible(name: str) -> None:
    with pytest.raises(ValueError, match=r"^Must not contain invisible characters$"):
        DisplayName().parse(name)
    assert Line().parse(f"The {name}") == f"The {name}"


@pytest.mark.parametrize(
    "names",
    ["Megaphone", "from-red-500/50 to-sky-600", "md:bg-[#fff]", "hover:bg-x",
     "w-[calc(100%-1rem)]", "!mt-0 -mt-4", "grid-cols-[1fr,2fr] [&>p]:mt-4",
     "mdi:home fa-solid fa_bell", "text-[14px] p-1.5", "größe", "bg-[url(/a.png)]",
     "data-[state=open]:block", "@container/main", "before:top-[10%]"],
)  # fmt: skip
def test_classes_of_common_frameworks_are_accepted(names: str) -> None:
    assert ClassNames().parse(names) == names


@pytest.mark.parametrize(
    "names",
    ['a" onclick="x', "a' b", "a`b", "<b>", "a<b", "a;b", "{{x}}", "a{b}", "a\\b", "a\u200bb",
     "javascript\u2060x", "a\x7fb"],
)  # fmt: skip
def test_classes_hold_no_quotes_and_no_markup(names: str) -> None:
    with pytest.raises(ValueError, match=r"^Must "):
        ClassNames().parse(names)
