"""The house of games: who may do what, who hears of it, and what two people enter at once."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.hub import Hub
from companion.app.intake import propose_correction, propose_count, propose_tiles, propose_total
from companion.app.live_game import MOST_SCANS, TWO_ENTRIES, Outcome
from companion.app.place import Place
from companion.app.scan_queue import ScanState
from companion.app.session import GameSession
from companion.app.visitors import Visitor
from companion.errors import IllegalMoveError, LogConflictError, PhotoError, UsageError
from companion.rules.events import HandCounted, PlayerLeft
from companion.rules.house_rules import HouseRules
from companion.rules.seating import start_game
from companion.rules.tiles import Tile
from companion.storage.places import Places
from companion.storage.records import HOST, Source
from companion.storage.sqlite_store import SqliteStore
from tests.hands import FakeReader, grey_photo, hand

HOST_VISITOR = Visitor.of("host", "10.0.0.1")
ANN = Visitor.of("ann", "10.0.0.2")
BOB = Visitor.of("bob", "10.0.0.3")
STRANGER = Visitor.of("stranger", "10.0.0.9")


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(Places(tmp_path), lambda: FakeReader(*[hand("3-12", "0-0?")] * 20))
    yield hub
    hub.close()


@pytest.fixture
def game(hub: Hub) -> Place:
    return hub.create(start_game(HouseRules(rounds=2), ("Ann", "Bob", "Zoé")), HOST_VISITOR)


def seated(hub: Hub, game: Place, visitor: Visitor, seat: int) -> Place:
    place = hub.enter(game.code, visitor)
    place.sit(seat)
    return place


def scores(place: Place, number: int = 1) -> list[int | None]:
    current = next(one for one in place.game.rounds if one.number == number)
    return [score and score.points for score in current.scores]


class Heard:
    """Listens, and can be waited for."""

    def __init__(self, place: Place) -> None:
        self.times = 0
        self._news = threading.Condition()
        self.stop = place.subscribe(self)
        assert self.wait(lambda: self.times == 1)  # at the beginning, so that nothing is missed
        self.times = 0

    def __call__(self) -> None:
        with self._news:
            self.times += 1
            self._news.notify_all()

    def wait(self, condition: Callable[[], bool], seconds: float = 5) -> bool:
        with self._news:
            return self._news.wait_for(condition, seconds)


# codes


@pytest.mark.parametrize("spelled", ["{0}", "{1}", " {1} ", "{2}-{3}", "{2} {3}"])
def test_a_code_is_understood_as_people_type_it(hub: Hub, game: Place, spelled: str) -> None:
    code = game.code
    assert hub.enter(spelled.format(code, code.lower(), code[:3].lower(), code[3:]), ANN).code == code


def test_guessing_codes_is_slowed_down_by_address_and_a_known_game_stays_open(hub: Hub, game: Place) -> None:
    hub.enter(game.code, STRANGER)
    keys = []
    for n in range(7):
        with pytest.raises(UsageError) as caught:
            hub.enter(f"WRONG{n}", Visitor.of(f"another cookie {n}", STRANGER.address))
        keys.append(caught.value.key)
    assert keys == ["code_unknown"] * 5 + ["code_wait"] * 2
    with pytest.raises(UsageError, match="code_wait"):  # even the right code has to wait, or waiting would tell it
        hub.enter(game.code, Visitor.of("yet another", STRANGER.address))
    assert hub.enter(game.code, STRANGER).code == game.code
    assert hub.enter(game.code, BOB).code == game.code


@pytest.mark.parametrize("nonsense", ["", " ", "../..", "'; DROP TABLE record", "\0", "é" * 5000])
def test_nonsense_is_a_wrong_code(hub: Hub, nonsense: str) -> None:
    with pytest.raises(UsageError, match="code_unknown"):
        hub.enter(nonsense, ANN)


def test_the_list_shows_only_games_whose_code_was_known(hub: Hub, game: Place) -> None:
    assert [card.code for card in hub.cards(HOST_VISITOR)] == [game.code]
    assert hub.cards(ANN) == ()
    hub.enter(game.code, ANN)
    assert [card.code for card in hub.cards(ANN)] == [game.code]
    hub.make_keeper(BOB)
    assert [(card.code, card.role.host) for card in hub.cards(BOB)] == [(game.code, True)]


# seats


def test_a_seat_belongs_to_one_phone_until_it_is_released(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    bob = hub.enter(game.code, BOB)
    with pytest.raises(UsageError, match="seat_taken") as caught:
        bob.sit(0)
    assert caught.value.params["player"] == "Ann"
    with pytest.raises(UsageError, match="not_yours"):
        bob.release(0)
    assert game.taken_seats == {0}
    game.release(0)
    bob.sit(0)
    assert bob.role.seats == {0}
    assert ann.role.seats == frozenset()


def test_seats_and_host_survive_a_restart(tmp_path: Path) -> None:
    first = Hub(Places(tmp_path), FakeReader)
    place = first.create(start_game(HouseRules(), ("Ann", "Bob")), HOST_VISITOR)
    seated(first, place, ANN, 0)
    first.close()
    second = Hub(Places(tmp_path), FakeReader)
    assert second.enter(place.code, ANN).role.seats == {0}
    assert second.enter(place.code, HOST_VISITOR).role.host
    second.close()


def test_the_file_with_the_keys_is_its_owners_alone(hub: Hub, game: Place) -> None:
    assert hub.access.path.stat().st_mode & 0o077 == 0
    assert b"host\0" not in hub.access.path.read_bytes()


# writing


def test_a_player_scores_the_own_hand_and_the_host_all(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    assert ann.commit(ann.propose(propose_total, 0, 12)) is Outcome.RECORDED
    with pytest.raises(UsageError, match="not_yours") as caught:
        ann.commit(ann.propose(propose_total, 1, 12))
    assert caught.value.params["player"] == "Bob"
    onlooker = hub.enter(game.code, STRANGER)
    with pytest.raises(UsageError, match="not_host"):
        onlooker.commit(onlooker.propose(propose_total, 1, 12))
    with pytest.raises(UsageError, match="not_host"):
        onlooker.undo()
    game.commit(game.propose(propose_total, 1, 30))
    game.commit(game.propose(propose_total, 2, 0))
    assert scores(game) == [12, 30, 0]
    assert [entry.source for entry in game.entries()[1:]] == [Source(0), HOST, HOST]


def test_a_player_may_not_send_somebody_home(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    with pytest.raises(UsageError, match="not_yours"):
        ann.commit(ann.propose(lambda session: session.draft(PlayerLeft(1))))


def test_the_host_takes_back_what_others_entered_and_a_player_only_the_own(hub: Hub, game: Place) -> None:
    ann, bob = seated(hub, game, ANN, 0), seated(hub, game, BOB, 1)
    game.commit(game.propose(propose_total, 2, 7))
    ann.commit(ann.propose(propose_total, 0, 12))
    bob.commit(bob.propose(propose_total, 1, 30))
    ann.undo()
    assert scores(game) == [None, 30, 7]
    game.undo()
    assert scores(game)[1] is None


def test_players_who_share_a_phone_take_back_what_was_entered_last_on_it(hub: Hub, game: Place) -> None:
    shared = seated(hub, game, ANN, 0)
    shared.sit(1)
    game.commit(game.propose(propose_total, 2, 7))
    shared.commit(shared.propose(propose_total, 0, 12))
    shared.commit(shared.propose(propose_total, 1, 30))
    shared.undo()
    assert scores(game) == [12, None, 7]
    shared.undo()
    assert scores(game) == [None, None, 7]
    shared.redo()
    assert scores(game) == [12, None, 7]
    assert [entry.source for entry in game.entries()[-3:]] == [Source(1), Source(0), Source(0)]
    with pytest.raises(UsageError, match="undo_nothing"):
        seated(hub, game, BOB, 2).undo()  # the host's entry


def test_what_others_enter_meanwhile_does_not_get_in_the_way(hub: Hub, game: Place) -> None:
    ann, bob = seated(hub, game, ANN, 0), seated(hub, game, BOB, 1)
    first, second, third = (
        place.propose(propose_total, seat, 10 + seat) for seat, place in enumerate((ann, bob, game))
    )
    for place, proposal in ((game, third), (bob, second), (ann, first)):
        assert place.commit(proposal) is Outcome.RECORDED
    assert scores(game) == [10, 11, 12]
    for seat in range(3):  # the second and last round: whoever is last also brings the end of the game
        game.commit(game.propose(propose_total, seat, 5))
    assert game.game.ended


def test_the_end_of_the_game_is_recorded_by_whoever_is_last_even_if_nobody_knew(hub: Hub, game: Place) -> None:
    for seat in range(3):
        game.commit(game.propose(propose_total, seat, 1))
    proposals = [game.propose(propose_total, seat, 5) for seat in range(3)]
    for proposal in proposals:
        game.commit(proposal)
    assert len(game.game.rounds) == 2
    assert game.game.ended


def test_two_entries_for_one_score_are_both_kept_one_shown_both_told(hub: Hub, game: Place) -> None:
    ann, bob = seated(hub, game, ANN, 0), seated(hub, game, BOB, 1)
    ours = ann.propose(propose_tiles, 0, [Tile(3, 12), Tile(0, 5)])
    theirs = game.propose(propose_total, 0, 25)
    assert game.commit(theirs) is Outcome.RECORDED
    assert ann.commit(ours) is Outcome.BOTH
    current = game.game.rounds[0].scores[0]
    assert current is not None
    assert (current.points, current.tiles, current.why) == (20, (Tile(0, 5), Tile(3, 12)), TWO_ENTRIES)
    entered = [event for entry in game.entries() for event in (r.event for r in entry.records)]
    assert [event.points for event in entered if isinstance(event, HandCounted)] == [25, 20]
    assert game.notices() == ann.notices()
    assert bob.notices() == ()
    [notice] = ann.notices()
    assert (notice.first, notice.first_by, notice.second, notice.second_by) == (25, HOST, 20, Source(0))
    ann.dismiss(notice)
    assert ann.notices() == ()
    assert game.notices() == (notice,)


def test_the_same_score_twice_is_entered_once(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    once, twice = ann.propose(propose_total, 0, 25), game.propose(propose_total, 0, 25)
    assert (ann.commit(once), game.commit(twice), ann.commit(once)) == (Outcome.RECORDED, Outcome.SAME, Outcome.SAME)
    assert len(game.entries()) == 2
    assert game.notices() == ()


def test_two_corrections_at_once_are_told_too(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    ann.commit(ann.propose(propose_total, 0, 25))
    first = game.propose(propose_correction, 0, 26, "counted again", 1)
    second = ann.propose(propose_correction, 0, 27, "no, like this", 1)
    assert (game.commit(first), ann.commit(second)) == (Outcome.RECORDED, Outcome.BOTH)
    assert scores(game)[0] == 27
    assert len(ann.notices()) == 1


def test_what_is_no_longer_possible_is_told(hub: Hub, game: Place) -> None:
    proposal = game.propose(propose_tiles, 0, [Tile(3, 12)])
    game.commit(game.propose(propose_tiles, 1, [Tile(3, 12)]))
    with pytest.raises(IllegalMoveError):
        game.commit(proposal)
    assert scores(game)[:2] == [None, 15]


def test_doubts_must_be_confirmed(hub: Hub, game: Place) -> None:
    proposal = game.propose(propose_count, 0, hand("3-12?"), "0" * 64)
    with pytest.raises(UsageError, match="draft_doubtful"):
        game.commit(proposal)
    game.commit(game.propose(propose_total, 1, 4))  # makes it be proposed again
    assert game.commit(proposal.confirmed()) is Outcome.RECORDED
    assert scores(game)[:2] == [15, 4]


def test_eight_writers_at_once_lose_nothing(hub: Hub) -> None:
    names = tuple(f"P{n}" for n in range(8))
    game = hub.create(start_game(HouseRules(), names), HOST_VISITOR)
    visitors = [Visitor.of(f"v{n}", f"10.0.1.{n}") for n in range(8)]
    places = [seated(hub, game, visitor, n) for n, visitor in enumerate(visitors)]
    start = threading.Barrier(8)

    def write(n: int) -> None:
        start.wait()
        for number in range(1, 4):
            places[n].commit(places[n].propose(propose_total, n, 10 * number + n, number if number == 1 else None))
            start.wait()

    game.commit(game.propose(propose_total, 0, 10))
    game.undo()
    game.redo()
    threads = [threading.Thread(target=write, args=(n,)) for n in range(1, 8)]

    def first() -> None:
        start.wait()
        for number in range(1, 4):
            if number > 1:
                places[0].commit(places[0].propose(propose_total, 0, 10 * number))
            start.wait()

    threads.append(threading.Thread(target=first))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [scores(game, number) for number in (1, 2, 3)] == [
        [10 * number + n for n in range(8)] for number in (1, 2, 3)
    ]


# who hears of it


def test_everybody_hears_within_a_second_and_the_dead_are_dropped(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    heard = Heard(hub.enter(game.code, BOB))
    broken = []

    def gone() -> None:
        broken.append(1)
        raise RuntimeError("the screen is gone")

    game.subscribe(gone)
    ann.commit(ann.propose(propose_total, 0, 12))
    assert heard.wait(lambda: heard.times > 0, seconds=1)
    assert scores(game)[0] == 12
    before = heard.times
    ann.undo()
    assert heard.wait(lambda: heard.times > before, seconds=1)
    assert len(broken) == 1
    heard.stop()
    heard.stop()
    game.redo()
    again = Heard(game)
    game.undo()
    assert again.wait(lambda: again.times > 0)
    assert heard.times == before + 1


def test_a_screen_that_has_left_hears_nothing(hub: Hub, game: Place) -> None:
    first, second = Visitor.of("ann"), Visitor.of("ann")  # two windows of one browser
    gone, here = Heard(hub.enter(game.code, first)), Heard(hub.enter(game.code, second))
    hub.leave(first)
    hub.leave(first)
    game.commit(game.propose(propose_total, 0, 12))
    assert here.wait(lambda: here.times > 0)
    assert gone.times == 0


def test_what_another_program_writes_is_heard(hub: Hub, game: Place) -> None:
    heard = Heard(game)
    store = SqliteStore(hub.places.log)
    session = GameSession(store, game.code)
    session.commit(propose_total(session, 2, 44))
    assert heard.wait(lambda: len(game.game.rounds) > 0, seconds=2)
    assert scores(game)[2] == 44
    session.delete()
    store.close()
    assert heard.wait(lambda: game.gone, seconds=2)
    with pytest.raises(UsageError, match="code_unknown"):
        hub.enter(game.code, HOST_VISITOR)


def test_a_deleted_game_is_gone_for_everybody(hub: Hub, game: Place) -> None:
    ann = seated(hub, game, ANN, 0)
    heard = Heard(ann)
    proposal = ann.propose(propose_total, 0, 3)
    with pytest.raises(UsageError, match="not_host"):
        ann.delete()
    game.delete()
    assert heard.wait(lambda: ann.gone)
    with pytest.raises((LogConflictError, UsageError)):
        ann.commit(proposal)
    assert hub.cards(HOST_VISITOR) == ()


# photos


def test_a_photo_waits_for_whoever_scores_that_seat(hub: Hub, game: Place, tmp_path: Path) -> None:
    ann = seated(hub, game, ANN, 0)
    heard = Heard(game)
    data = grey_photo(tmp_path / "a.png").read_bytes()
    scan = ann.scan(data, 0)
    assert heard.wait(lambda: scan.over)
    assert scan.state is ScanState.DONE
    assert scan.reading is not None
    assert (scan.width, scan.height, scan.place) == (640, 480, 0)
    assert scan.shown is not None
    assert scan.shown.startswith(b"\xff\xd8")
    assert ann.scans(0) == game.scans(0) == (scan,)
    assert ann.scans(1) == game.scans(0, 1) == ()
    assert hub.enter(game.code, STRANGER).scans(0) == ()
    with pytest.raises(UsageError, match="not_yours"):
        ann.scan(data, 1)
    ann.commit(ann.propose(propose_count, 0, scan.reading, scan.sha256).confirmed())
    assert ann.scans(0) == ()
    assert hub.photos.hashes() == frozenset()  # nobody asked to keep it


@pytest.mark.parametrize("busy", [0, 1])
def test_whoever_sends_many_photos_pushes_out_only_the_own(hub: Hub, game: Place, tmp_path: Path, busy: int) -> None:
    data = grey_photo(tmp_path / "a.png").read_bytes()
    quiet = [game.scan(data, 2), game.scan(data, 1 - busy)]
    many = [game.scan(data, busy) for _ in range(MOST_SCANS + 5)]
    assert [*game.scans(2), *game.scans(1 - busy)] == quiet
    assert list(game.scans(busy)) == many[-(MOST_SCANS - len(quiet)) :]


def test_a_photo_that_is_none_is_told_and_the_next_one_is_read(hub: Hub, game: Place, tmp_path: Path) -> None:
    heard = Heard(game)
    bad = game.scan(b"GIF89a nonsense", 0)
    good = game.scan(grey_photo(tmp_path / "a.png").read_bytes(), 0)
    assert heard.wait(lambda: bad.over and good.over)
    assert isinstance(bad.error, PhotoError)
    assert good.state is ScanState.DONE


def test_a_kept_photo_is_shown_with_outlines_and_goes_with_its_last_game(hub: Hub, game: Place, tmp_path: Path) -> None:
    ann = seated(hub, game, ANN, 0)
    with pytest.raises(UsageError, match="not_host"):
        ann.keep_photos = True
    game.keep_photos = True
    heard = Heard(game)
    data = grey_photo(tmp_path / "a.png").read_bytes()
    scan = ann.scan(data, 0)
    assert heard.wait(lambda: scan.over)
    assert scan.sha256 is not None
    assert scan.reading is not None
    ann.commit(ann.propose(propose_count, 0, scan.reading, scan.sha256).confirmed())
    picture = ann.photo(scan.sha256)
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")
    assert hub.photos.get(scan.sha256) == data
    other = hub.create(start_game(HouseRules(), ("A", "B")), HOST_VISITOR)
    assert other.photo(scan.sha256) is None  # only in a game that mentions it
    game.delete()
    assert hub.photos.get(scan.sha256) is None
    assert list((hub.places.folder / "outlined").iterdir()) == []


def test_tiles_counted_for_others_are_known_when_the_photo_is_read(tmp_path: Path) -> None:
    reader = FakeReader(hand("3-12"))
    hub = Hub(Places(tmp_path), lambda: reader)
    game = hub.create(start_game(HouseRules(), ("Ann", "Bob"), missing_tiles=[Tile(1, 1)]), HOST_VISITOR)
    game.commit(game.propose(propose_tiles, 0, [Tile(3, 12)]))
    heard = Heard(game)
    scan = game.scan(grey_photo(tmp_path / "a.png").read_bytes(), 1)
    assert heard.wait(lambda: scan.over)
    assert {Tile(3, 12), Tile(1, 1)} <= reader.asked[0][1]
    hub.close()


# the house


def test_only_the_keeper_takes_the_whole_house_along(hub: Hub, game: Place, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not_keeper"):
        hub.backup(HOST_VISITOR)
    with pytest.raises(UsageError, match="not_keeper"):
        hub.restore(b"", HOST_VISITOR)
    hub.make_keeper(HOST_VISITOR)
    game.commit(game.propose(propose_total, 0, 12))
    data = hub.backup(HOST_VISITOR)
    game.delete()
    hub.restore(data, HOST_VISITOR)
    assert scores(hub.enter(game.code, HOST_VISITOR))[0] == 12
