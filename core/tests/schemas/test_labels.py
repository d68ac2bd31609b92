"""Labels lead to plurals, to words within sentences, and to names of schemas."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from masthead.errors import StartError
from masthead.schemas.labels import check_type_names, many, one, plural_of, type_name


@dataclass(frozen=True)
class Kind:
    label: str
    name: str = "things"
    plural: str = ""


@pytest.mark.parametrize(
    ("label", "plural", "with_article", "schema"),
    [
        ("News Article", "News Articles", "a news article", "NewsArticle"),
        ("Follow-up rule", "Follow-up rules", "a follow-up rule", "FollowUpRule"),
        ("Action", "Actions", "an action", "Action"),
        ("FAQ entry", "FAQ entries", "a FAQ entry", "FAQEntry"),
        ("Survey", "Surveys", "a survey", "Survey"),
        ("Box", "Boxes", "a box", "Box"),
        ("Größe", "Größes", "a größe", "Grosse"),
    ],
)
def test_a_label_leads_to_its_other_forms(
    label: str, plural: str, with_article: str, schema: str
) -> None:
    it = Kind(label)

    assert plural_of(it) == plural
    assert one(it) == with_article
    assert type_name(it) == schema


def test_a_declared_plural_replaces_the_usual_one() -> None:
    assert many(Kind("Person", plural="People")) == "people"


def test_a_label_without_latin_letters_leads_to_the_name() -> None:
    assert type_name(Kind("動画", name="short-films"), "Update") == "ShortFilmsUpdate"


def test_labels_that_lead_to_one_name_prevent_the_start() -> None:
    with pytest.raises(StartError, match=r"plants and beds: .*, PlantSummary;"):
        check_type_names([Kind("Plant", "plants"), Kind("Plant summary", "beds")])
