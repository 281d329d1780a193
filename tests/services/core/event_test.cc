// The layouts of the log are for ever: these goldens may never change.
#include "services/core/event.h"

#include <gtest/gtest.h>

#include <string>

#include "services/base/status.h"
#include "tests/support/golden.h"

namespace astragal::core {
namespace {

Bytes32 Counting(uint8_t from) {
  Bytes32 bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(from + i);
  return bytes;
}

base::IdBytes Id(uint8_t from) {
  base::IdBytes bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(from + i);
  return bytes;
}

storage::GameFacts Facts() {
  storage::GameFacts facts;
  facts.id = GameId(Id(0x10));
  facts.ruleset = "long_narde";
  facts.rules_version = 0x01020304;
  facts.build = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  facts.options = {0, -1, 0x0102030405060708};
  facts.seats = 3;
  facts.created_by = PlayerId(Id(0x30));
  facts.created_at = {1'700'000'000'123'456};
  facts.restore_epoch = 7;
  facts.commitment = Counting(0x80);
  facts.terms.visibility = storage::Visibility::kPrivate;
  facts.terms.rated = true;
  facts.terms.clock = {storage::ClockKind::kFischer, 120'000, 8'000, 30'000};
  facts.terms.reserves_ms = {1, 2, 3};
  facts.terms.match = base::MatchId(Id(0x50));
  facts.terms.match_game = 0x0203;
  return facts;
}

Finish SomeFinish() {
  Finish finish;
  finish.seats = {{0, {}, 2, 0}, {1, {}, 1, -5}};
  finish.secret = Counting(0x40);
  return finish;
}

EventRecord Event(EventKind kind, int seat, int64_t number, std::string detail) {
  EventRecord event;
  event.game = GameId(Id(0x10));
  event.sequence = 0x00000102;
  event.kind = kind;
  event.seat = static_cast<int8_t>(seat);
  event.number = number;
  event.detail = std::move(detail);
  event.at = {1'700'000'000'123'456};
  event.position_hash = Counting(0xA0);
  return event;
}

std::string Line(const std::string& name, std::string_view bytes) {
  return name + " " + base::Hex(bytes) + "\n";
}

TEST(EventLayout, IsWhatItAlwaysWas) {
  std::string text;
  text += Line("created", EncodeCreated(Facts()));
  text += Line("player", EncodePlayer(PlayerId(Id(0x30))));
  text += Line("finish", EncodeFinish(SomeFinish()));
  text += Line("build", EncodeBuild(Facts().build));
  const struct {
    const char* name;
    EventRecord event;
  } events[] = {
      {"chain_created", Event(EventKind::kCreated, -1, 3, EncodeCreated(Facts()))},
      {"chain_seated", Event(EventKind::kSeated, 1, 0, EncodePlayer(PlayerId(Id(0x30))))},
      {"chain_started", Event(EventKind::kStarted, -1, 0, "")},
      {"chain_throw", Event(EventKind::kThrow, -1, (1 << 16) | 35, "")},
      {"chain_action", Event(EventKind::kAction, 2, 0x1122334455667788, "")},
      {"chain_resigned", Event(EventKind::kResigned, 0, 2, "")},
      {"chain_finished", Event(EventKind::kFinished, -1, 1, EncodeFinish(SomeFinish()))},
      {"chain_build", Event(EventKind::kBuild, -1, 0, EncodeBuild(Facts().build))},
      {"chain_kept", Event(EventKind::kAction, 2, 5, EncodeAction({true, 0}))},
      {"chain_lag", Event(EventKind::kAction, 2, 5, EncodeAction({false, 123'456}))},
      {"chain_kept_lag", Event(EventKind::kAction, 2, 5, EncodeAction({true, 1}))},
      {"chain_left", Event(EventKind::kLeft, 1, 0, "")},
      {"chain_offered",
       Event(EventKind::kOffered, 0, OfferNumber(storage::OfferKind::kResign, 2), "")},
      {"chain_answered", Event(EventKind::kAnswered, 1, 1, "")},
      {"chain_undone", Event(EventKind::kUndone, 2, 3, "")},
      {"chain_turn_ended", Event(EventKind::kTurnEnded, 2, 0, "")},
      {"chain_timed_out", Event(EventKind::kTimedOut, 0, 2, "")},
      {"chain_credited", Event(EventKind::kCredited, 0, 2'500'000, "")},
      {"chain_invited", Event(EventKind::kInvited, -1, 0, "")},
      {"chain_pledged", Event(EventKind::kPledged, 1, 0, std::string(32, 'p'))},
      {"chain_pledges_closed", Event(EventKind::kPledgesClosed, -1, 0, "")},
      {"chain_contributed", Event(EventKind::kContributed, 1, 0, "dice")},
  };
  for (const auto& [name, event] : events) {
    text += Line(name, base::AsView(ChainHash(Counting(0xC0), event)));
  }
  tests::ExpectGolden(text, "tests/services/core/data/event_layout.txt");
}

TEST(EventLayout, DecodesWhatItEncodes) {
  const storage::GameFacts facts = Facts();
  const auto decoded = DecodeCreated(Event(EventKind::kCreated, -1, 3, EncodeCreated(facts)));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->id, facts.id);
  EXPECT_EQ(decoded->ruleset, facts.ruleset);
  EXPECT_EQ(decoded->rules_version, facts.rules_version);
  EXPECT_EQ(decoded->build, facts.build);
  EXPECT_EQ(decoded->options, facts.options);
  EXPECT_EQ(decoded->seats, facts.seats);
  EXPECT_EQ(decoded->created_by, facts.created_by);
  EXPECT_EQ(decoded->created_at, facts.created_at);
  EXPECT_EQ(decoded->restore_epoch, facts.restore_epoch);
  EXPECT_EQ(decoded->commitment, facts.commitment);
  EXPECT_EQ(decoded->terms, facts.terms);

  const auto finish =
      DecodeFinish(Event(EventKind::kFinished, -1, 1, EncodeFinish(SomeFinish())), 2);
  ASSERT_TRUE(finish.ok());
  EXPECT_EQ(finish->seats, SomeFinish().seats);
  EXPECT_EQ(finish->secret, SomeFinish().secret);

  for (const ActionDetail& detail : {ActionDetail{false, 0}, {true, 0}, {false, 1}, {true, 77}}) {
    const auto action = DecodeAction(Event(EventKind::kAction, 0, 1, EncodeAction(detail)));
    ASSERT_TRUE(action.ok());
    EXPECT_EQ(*action, detail);
  }
  const PlayerId player(Id(0x30));
  EXPECT_EQ(*DecodePlayer(Event(EventKind::kSeated, 0, 0, EncodePlayer(player))), player);
  EXPECT_EQ(*DecodeBuild(Event(EventKind::kBuild, -1, 0, EncodeBuild(facts.build))), facts.build);
}

TEST(EventLayout, BytesThatNoEncoderWroteAreDataLoss) {
  const std::string created = EncodeCreated(Facts());
  const std::string finish = EncodeFinish(SomeFinish());
  const auto as = [](EventKind kind, std::string detail) {
    return Event(kind, -1, 3, std::move(detail));
  };
  std::string many_options = created;
  many_options[1 + 10 + 4 + 32] = '\x7f';
  const struct {
    const char* name;
    absl::Status status;
  } cases[] = {
      {"created: empty", DecodeCreated(as(EventKind::kCreated, "")).status()},
      {"created: cut", DecodeCreated(as(EventKind::kCreated, created.substr(1))).status()},
      {"created: longer", DecodeCreated(as(EventKind::kCreated, created + "x")).status()},
      {"created: options", DecodeCreated(as(EventKind::kCreated, many_options)).status()},
      {"created: other kind", DecodeCreated(as(EventKind::kAction, created)).status()},
      {"player: cut", DecodePlayer(as(EventKind::kSeated, std::string(15, 'x'))).status()},
      {"player: longer", DecodePlayer(as(EventKind::kSeated, std::string(17, 'x'))).status()},
      {"finish: seats", DecodeFinish(as(EventKind::kFinished, finish), 3).status()},
      {"finish: fewer", DecodeFinish(as(EventKind::kFinished, finish), 1).status()},
      {"keeps turn", DecodeAction(as(EventKind::kAction, "x")).status()},
      {"lag without its size", DecodeAction(as(EventKind::kAction, "\x02")).status()},
      {"no lag",
       DecodeAction(as(EventKind::kAction, std::string("\x02\0\0\0\0\0\0\0\0", 9))).status()},
      {"lag of an older kind", DecodeAction(as(EventKind::kAction,
                                               "\x01"
                                               "12345678"))
                                   .status()},
      {"build: cut", DecodeBuild(as(EventKind::kBuild, std::string(31, 'x'))).status()},
  };
  for (const auto& [name, status] : cases) {
    EXPECT_EQ(base::ReasonOf(status), base::Reason::kReplayMismatch) << name;
    EXPECT_EQ(base::DetailsOf(status).at("sequence"), "258") << name;
  }
}

TEST(ChainHash, EverythingMatters) {
  const EventRecord event = Event(EventKind::kAction, 2, 7, "detail");
  const Bytes32 hash = ChainHash(Counting(0), event);
  EXPECT_NE(ChainHash(Counting(1), event), hash);
  const std::vector<std::pair<const char*, void (*)(EventRecord&)>> changes = {
      {"game", [](EventRecord& e) { e.game = GameId(); }},
      {"sequence", [](EventRecord& e) { ++e.sequence; }},
      {"kind", [](EventRecord& e) { e.kind = EventKind::kThrow; }},
      {"seat", [](EventRecord& e) { e.seat = -2; }},
      {"number", [](EventRecord& e) { e.number = -7; }},
      {"at", [](EventRecord& e) { ++e.at.micros; }},
      {"position", [](EventRecord& e) { e.position_hash[31] ^= 1; }},
      {"detail", [](EventRecord& e) { e.detail = "details"; }},
  };
  for (const auto& [name, change] : changes) {
    EventRecord other = event;
    change(other);
    EXPECT_NE(ChainHash(Counting(0), other), hash) << name;
  }
  EventRecord same = event;
  same.chain_hash = Counting(9);
  EXPECT_EQ(ChainHash(Counting(0), same), hash) << "its own hash is no part of it";
}

}  // namespace
}  // namespace astragal::core
