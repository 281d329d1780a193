#!/usr/bin/env python3
"""Plays whole games of every ruleset that a server lists, by chance, knowing no rules.

    python3 client.py [HOST:PORT [SEED]]

It is meant to be copied: put something better in place of `choose`, and it is a player. On purpose
it also hangs up in the middle of games and throws answers away, and checks that it missed nothing.
The README beside it explains every step, and how the modules of astragal.v1 and google.rpc are made.
"""
import random
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import grpc

from astragal.v1 import (game_service_pb2, game_service_pb2_grpc, player_service_pb2,
                         player_service_pb2_grpc, ruleset_service_pb2, ruleset_service_pb2_grpc)
from google.rpc import error_details_pb2, status_pb2

CALL_DEADLINE_S = 5.0     # of one attempt
STREAM_DEADLINE_S = 60.0  # a stream that died without a word is noticed by then; resuming is free
PATIENCE_S = 60.0         # how long attempts are repeated
HANG_UP_EVERY = 150       # events, on average; a real client does not do this
LOSE_ANSWER_EVERY = 40    # actions, on average; nor this

# Somebody was faster, or the game went on: ask again what can be played.
LOOK_AGAIN = {"STALE_SEQUENCE", "NOT_YOUR_TURN", "GAME_OVER"}


class Problem:
    """Why a call failed. A connection that was lost has a code, but no reason word."""

    def __init__(self, error):
        self.reason, self.wait_s = "", None
        for key, value in error.trailing_metadata() or ():
            if key != "grpc-status-details-bin":
                continue
            for detail in status_pb2.Status.FromString(value).details:
                info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
                if detail.Unpack(info):
                    self.reason = info.reason
                elif detail.Unpack(retry):
                    self.wait_s = retry.retry_delay.ToTimedelta().total_seconds()
        # The same again, later, may go well.
        self.transient = (
            error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
            or self.wait_s is not None or self.reason == "WATCHER_TOO_SLOW")


class Connection:
    """A connection of its own and, with a key, a player's identity."""

    def __init__(self, address, key=""):
        self.address = address
        self.metadata = [("authorization", f"Bearer {key}")] if key else []
        self.open()

    def open(self):
        # The first option keeps channels of one process apart; the others find a server that was
        # restarted soon (the default waits a second, then ever longer).
        self.channel = grpc.insecure_channel(self.address, options=[
            ("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 2000)])
        self.rulesets = ruleset_service_pb2_grpc.RulesetServiceStub(self.channel)
        self.players = player_service_pb2_grpc.PlayerServiceStub(self.channel)
        self.games = game_service_pb2_grpc.GameServiceStub(self.channel)

    def call(self, method, request):
        """One call, repeated while that can help. A mutation is repeated with the request_id it
        has, so that it happens once however often it is sent."""
        give_up = time.monotonic() + PATIENCE_S
        pause_s = 0.05
        while True:
            try:
                return method(request, timeout=CALL_DEADLINE_S, metadata=self.metadata)
            except grpc.RpcError as error:
                problem = Problem(error)
                if not problem.transient or time.monotonic() > give_up:
                    raise
                time.sleep(problem.wait_s or random.uniform(0.5, 1) * pause_s)
                pause_s = min(2 * pause_s, 2.0)


class Seat:
    """A player at a table: follows the game and acts when it is its turn."""

    def __init__(self, address, key, game_id, number, seed):
        self.connection = Connection(address, key)
        self.game_id, self.number = game_id, number
        self.random = random.Random(seed)
        self.sequence = 0     # of the last event it got
        self.asked_at = 0     # it knows whose turn it was at this sequence
        self.heard = time.monotonic()  # from the server, on the stream
        self.log = []         # every event, once
        self.answered = []    # every event that an answer told of
        self.resumes = self.gaps = self.repeats = self.answers_lost = self.wrong = 0

    def run(self):
        while not self.follow():
            self.resumes += 1
        self.connection.channel.close()
        return self

    def follow(self):
        """Watches from the last event it has; True when the game is over, False to resume."""
        stream = self.connection.games.WatchGame(
            game_service_pb2.WatchGameRequest(game_id=self.game_id, after_sequence=self.sequence),
            timeout=STREAM_DEADLINE_S, metadata=self.connection.metadata)
        try:
            for message in stream:
                self.heard = time.monotonic()
                if message.HasField("snapshot"):  # the game as it stood at after_sequence
                    self.gaps += message.snapshot.game.sequence != self.sequence
                elif message.HasField("event"):
                    self.take(message.event)
                if self.sequence > self.asked_at:
                    self.act()
                if message.HasField("event") and self.random.random() < 1 / HANG_UP_EVERY:
                    stream.cancel()
                    if self.random.random() < 0.5:
                        self.connection.channel.close()
                        self.connection.open()
                    return False
            return True
        except grpc.RpcError as error:
            problem = Problem(error)
            if not problem.transient or time.monotonic() > self.heard + PATIENCE_S:
                raise
            time.sleep(problem.wait_s or 0.1)
            return False

    def take(self, event):
        if event.sequence <= self.sequence:
            self.repeats += 1
            return
        self.gaps += event.sequence - self.sequence - 1
        self.sequence = event.sequence
        self.log.append(event)

    def act(self):
        """Plays as long as it is this seat's turn."""
        games = self.connection.games
        while True:
            legal = self.connection.call(
                games.ListLegalActions,
                game_service_pb2.ListLegalActionsRequest(game_id=self.game_id))
            self.asked_at = legal.sequence
            if legal.position.actor != self.number or not legal.actions:
                return
            request = game_service_pb2.PlayActionsRequest(
                request_id=str(uuid.uuid4()), game_id=self.game_id,
                expected_sequence=legal.sequence,
                actions=[game_service_pb2.ActionChoice(action=self.choose(legal).action)])
            if self.random.random() < 1 / LOSE_ANSWER_EVERY:
                self.send_and_forget(request)
            try:
                answer = self.connection.call(games.PlayActions, request)
            except grpc.RpcError as error:
                if Problem(error).reason in LOOK_AGAIN:
                    continue
                raise
            self.answered += answer.events
            self.asked_at = answer.sequence
            if answer.position.actor != self.number:
                return

    def choose(self, legal):
        """Any rule-less choice will do: legal.actions have notations and effects for people."""
        return self.random.choice(legal.actions)

    def send_and_forget(self, request):
        """Sends an action and does not wait for the answer, as when the connection is lost."""
        sent = self.connection.games.PlayActions.future(
            request, timeout=CALL_DEADLINE_S, metadata=self.connection.metadata)
        time.sleep(self.random.uniform(0, 0.003))
        sent.cancel()
        self.answers_lost += 1


def create_player(connection):
    """The key of a new player."""
    while True:
        answer = connection.call(
            connection.players.CreatePlayer, player_service_pb2.CreatePlayerRequest(
                request_id=str(uuid.uuid4()), name=f"python {uuid.uuid4().hex[:12]}", bot=True))
        # A key is shown once. If that answer was lost on the way, make another player.
        if not answer.secret_already_shown:
            return answer.api_key


def list_rulesets(connection):
    page_token = ""
    while True:
        page = connection.call(connection.rulesets.ListRulesets,
                               ruleset_service_pb2.ListRulesetsRequest(page_token=page_token))
        yield from page.rulesets
        page_token = page.next_page_token
        if not page_token:
            return


def seat_choices(ruleset):
    """Options for each number of seats that the ruleset offers."""
    for option in ruleset.options:
        if option.is_seats:
            numbers = option.choices or range(option.minimum, option.maximum + 1)
            return [{option.name: str(number)} for number in numbers]
    return [{}]


def play_game(address, keys, seed, ruleset, options):
    """A whole game, a seat for each key that it has room for. Returns the seats."""
    creator = Connection(address, keys[0])
    game = creator.call(creator.games.CreateGame, game_service_pb2.CreateGameRequest(
        request_id=str(uuid.uuid4()), ruleset_id=ruleset.ruleset_id,
        rules_version=ruleset.rules_version, options=options, seat=0)).game
    count = len(game.seats)
    for number in range(1, count):
        joiner = Connection(address, keys[number])
        joiner.call(joiner.games.JoinGame, game_service_pb2.JoinGameRequest(
            request_id=str(uuid.uuid4()), game_id=game.game_id, seat=number))
    seats = [Seat(address, keys[number], game.game_id, number,
                  f"{seed} {ruleset.ruleset_id} {count} {number}") for number in range(count)]
    with ThreadPoolExecutor(count) as threads:
        seats = list(threads.map(Seat.run, seats))
    check(seats, creator.call(creator.games.GetGame,
                              game_service_pb2.GetGameRequest(game_id=game.game_id)).game)
    return seats


def check(seats, game):
    """All saw the same log to its end, and what was acknowledged stands in it once."""
    written = [event.log_hash for event in seats[0].log if event.HasField("action")]
    answered = [event.log_hash for seat in seats for event in seat.answered
                if event.HasField("action")]
    seats[0].wrong += sorted(written) != sorted(answered)
    for seat in seats:
        last = seat.log[-1]
        seat.wrong += not last.HasField("finished") or last.log_hash != game.log_hash


def main(address="127.0.0.1:7420", seed="1"):
    print(f"client-python: seed {seed}", flush=True)
    connection = Connection(address)
    rulesets = list(list_rulesets(connection))
    keys = [create_player(connection) for _ in range(max(r.max_seats for r in rulesets))]
    todo = [(ruleset, options) for ruleset in rulesets for options in seat_choices(ruleset)]
    with ThreadPoolExecutor(len(todo)) as threads:  # all games at once
        games = list(threads.map(lambda one: play_game(address, keys, seed, *one), todo))
    seats = [seat for game in games for seat in game]
    resumes, gaps, repeats, lost, wrong = (
        sum(getattr(seat, name) for seat in seats)
        for name in ("resumes", "gaps", "repeats", "answers_lost", "wrong"))
    print(f"client-python: {len(games)} games, {sum(len(seat.log) for seat in seats)} events, "
          f"{resumes} resumes, {gaps} gaps, {repeats} repeats, {lost} answers lost, {wrong} wrong")
    return 1 if gaps or repeats or wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
