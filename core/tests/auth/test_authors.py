"""Authors of other systems as users."""

from __future__ import annotations

from masthead import ForeignAuthor, Instance, User, create_authors, find_authors


def test_authors_are_found_by_their_address_in_any_case(instance: Instance) -> None:
    rosa = ForeignAuthor("1", "Rosa Moss", "Rosa@Old.Example")
    with instance.database.transaction() as session:
        made = create_authors(session, [rosa])

    with instance.database.transaction() as session:
        found = find_authors(
            session, [rosa, ForeignAuthor("2", "Otto"), ForeignAuthor("3", "A", "a@b.c")]
        )

    assert found == made
    assert found.keys() == {"1"}


def test_created_authors_have_a_name_and_no_power(instance: Instance) -> None:
    authors = [
        ForeignAuthor("1", "Rosa Moss", "rosa@old.example"),
        ForeignAuthor("2", "Rosa Moss", "no address"),
        ForeignAuthor("3", "Роза"),
    ]

    with instance.database.transaction() as session:
        made = create_authors(session, authors)
        users = [session.get_one(User, made[author.key]) for author in authors]
        assert [(user.username, user.display_name, user.email) for user in users] == [
            ("rosa-moss", "Rosa Moss", "rosa@old.example"),
            ("rosa-moss-2", "Rosa Moss", None),
            ("roza", "Роза", None),
        ]
        assert all(user.disabled and not user.roles and not user.password for user in users)


def test_an_author_whose_name_no_user_can_have_is_left_out(instance: Instance) -> None:
    with instance.database.transaction() as session:
        taken = create_authors(session, [ForeignAuthor("1", "Rosa", "rosa@old.example")])
        again = create_authors(
            session,
            [ForeignAuthor("2", "Otto", "rosa@old.example"), ForeignAuthor("3", "Ida")],
        )

    assert taken.keys() == {"1"}
    assert again.keys() == {"3"}
