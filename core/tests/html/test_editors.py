"""The attributes of editors that stay in pages, and those that a setting adds."""

from __future__ import annotations

import json
from html import escape, unescape

import pytest

from masthead.html import clean, clean_email, data_names

KEPT = [
    '<ol><li data-list="bullet">x</li><li data-list="checked">y</li></ol>',
    '<div class="ql-code-block" data-language="javascript">x</div>',
    '<table><tbody><tr><td data-row="r1" colwidth="100,200">x</td></tr></tbody></table>',
    '<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><p>x</p></li></ul>',
    '<li><label><input type="checkbox" disabled="" checked=""><span></span></label><p>x</p></li>',
    '<span data-type="mention" data-id="7" data-label="A" data-mention-suggestion-char="@"></span>',
    '<div data-youtube-video=""><span data-latex="x" data-type="inline-math"></span></div>',
    '<figure class="media"><oembed url="https://youtu.be/x"></oembed></figure>',
    '<figure class="media"><div data-oembed-url="https://youtu.be/x"></div></figure>',
    '<ul class="contains-task-list"><li><input type="checkbox" class="b" disabled=""> x</li></ul>',
    '<table data-lexical-row-striping="true"><tbody><tr><td>x</td></tr></tbody></table>',
]


def attached(html: str) -> str:
    """Return the JSON of the only attachment, or blank text."""
    return unescape(html.partition('data-trix-attachment="')[2].partition('"')[0])


@pytest.mark.parametrize("html", KEPT)
def test_the_html_of_editors_stays_byte_for_byte_in_pages(html: str) -> None:
    assert clean(html) == html


@pytest.mark.parametrize("html", KEPT)
def test_mails_keep_no_attribute_of_editors(html: str) -> None:
    cleaned = clean_email(html)

    assert "data-" not in cleaned
    assert "colwidth" not in cleaned
    assert "oembed" not in cleaned


@pytest.mark.parametrize(
    "html",
    [
        '<p data-hx-get="/x" data-on-click="y()" data-bs-toggle="z" data-controller="c">x</p>',
        '<p x-init="y()" v-html="z" data-type="a" colwidth="3">x</p>',
        '<p data-trix-attachment="{}" data-trix-serialized-attributes="{}">x</p>',
    ],
)
def test_other_attributes_go(html: str) -> None:
    assert clean(html) == "<p>x</p>"


@pytest.mark.parametrize("kind", ["text", "radio", "image", "file", "", "checkbox2"])
def test_the_only_input_is_a_disabled_check_box(kind: str) -> None:
    assert clean(f'<input type="{kind}" name="a" value="b">') == ""
    assert clean("<input name=a type=CheckBox value=b form=f onclick=x>") == (
        '<input type="checkbox" disabled="">'
    )


@pytest.mark.parametrize("address", ["javascript:alert(1)", " java\nscript:x", "data:text/html,x"])
def test_an_address_in_an_attribute_is_checked(address: str) -> None:
    assert clean(f'<oembed url="{address}"></oembed>') == "<oembed></oembed>"
    assert clean(f'<div data-oembed-url="{address}"></div>') == "<div></div>"
    attachment = escape(json.dumps({"href": address, "url": address, "filename": address}))
    kept = json.loads(attached(clean(f'<figure data-trix-attachment="{attachment}"></figure>')))
    assert list(kept) == ["filename"]


def test_the_html_in_an_attachment_of_trix_is_sanitised() -> None:
    inner = '<figure data-trix-attachment="{}" class="c"><b onclick="x">y</b></figure><script>z'
    attachment = {"contentType": "text/html", "content": inner, "filesize": 3, "more": {"a": 1}}

    cleaned = clean(f'<figure data-trix-attachment="{escape(json.dumps(attachment))}"></figure>')

    assert json.loads(attached(cleaned)) == {
        "contentType": "text/html",
        "content": '<figure class="c"><b>y</b></figure>',
        "filesize": 3,
    }
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    "broken", ["", "x", "[]", "1", "{", '{"a":NaN}', r'{"a":"\ud800"}', "[" * 9999]
)
def test_an_attachment_that_is_no_json_object_goes(broken: str) -> None:
    assert clean(f'<figure data-trix-attachment="{escape(broken)}">x</figure>') == (
        "<figure>x</figure>"
    )


def test_an_escape_in_json_becomes_no_quote() -> None:
    hidden = r'{"filename":"a\ufdd3,\ufdd3href\ufdd3:\ufdd3javascript:x"}'

    cleaned = clean(f"<figure data-trix-attachment='{hidden}'>x</figure>")

    assert json.loads(attached(cleaned)) == {"filename": "a,href:javascript:x"}


def test_a_setting_adds_attributes_to_all_elements() -> None:
    html = '<p data-task="1" data-other="2">x</p>'

    assert clean(html, data_attributes=data_names("data-task data-task-id")) == (
        '<p data-task="1">x</p>'
    )


@pytest.mark.parametrize(
    "name",
    [
        *("data-hx-get", "data-on-click", "data-onload", "data-bs-toggle", "data-toggle"),
        *("data-turbo", "data-turbo-method", "data-controller", "data-action", "data-x-data"),
        *("data-v-html", "data-ng-bind", "data-bind", "data-src", "data-method", "data-remote"),
        *("data-hello-target", "data-trix-serialized-attributes", "data-signals-a", "data-text"),
        *("onclick", "x-init", "v-html", "style", "data-", "data-A", "data-a:b", "data-a*"),
    ],
)
def test_a_setting_adds_no_attribute_on_which_scripts_act(name: str) -> None:
    with pytest.raises(ValueError, match=r"names such as|no script acts"):
        data_names(f"data-task {name}")
