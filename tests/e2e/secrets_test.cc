// What nobody may see before its time: keys, the secret of the dice, throws that are not made yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "services/algorithms/dice.h"
#include "services/base/bytes.h"
#include "services/base/crypto.h"
#include "storage/child_process.h"
#include "storage/cluster_files.h"
#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

// Everything the database holds, as text.
std::string Dump(const Service& service, const tests::TestFolder& folder) {
  const auto binaries = storage::FindPostgres();
  const auto self = storage::UserWithId(::geteuid());
  EXPECT_TRUE(binaries.ok() && self.ok());
  const std::string file = folder.path() + "/dump.sql";
  std::filesystem::remove(file);
  const absl::StatusOr<int> code = storage::RunProgram(
      {{binaries->folder + "/pg_dump", "--inserts", service.database_url()}, *self, "/", file},
      30'000);
  EXPECT_TRUE(code.ok() && *code == 0) << storage::TailOf(file, 500);
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The texts of all answers that a client can ask for about a game.
std::string AllAnswers(const Client& client, const std::string& game_id) {
  std::string all = TextOf(GetGame(client, game_id));
  for (const std::string& event : TextOf(ListEvents(client, game_id))) all += event;
  v1::ListLegalActionsRequest list;
  list.set_game_id(game_id);
  all += TextOf(client.Call(&Game::ListLegalActions, list).message);
  all += TextOf(client.Call(&Game::ListGames, v1::ListGamesRequest()).message);
  Watcher watcher(client, game_id, 0);
  EXPECT_TRUE(watcher.AwaitSnapshot());
  all += TextOf(*watcher.snapshot());
  return all;
}

// As it would stand in the text of a protobuf message.
std::string Escaped(const std::string& bytes) {
  v1::GameFinished message;
  message.set_fairness_secret(bytes);
  const std::string text = message.ShortDebugString();
  const size_t quote = text.find('"');
  return text.substr(quote + 1, text.rfind('"') - quote - 1);
}

int64_t CountThrows(const std::vector<v1::Event>& events) {
  return std::ranges::count_if(events, [](const v1::Event& event) { return event.has_throw_(); });
}

// Whatever some bytes may be written as.
std::vector<std::string> FormsOf(const std::string& bytes) {
  return {bytes, base::Hex(bytes), absl::Base64Escape(bytes), absl::WebSafeBase64Escape(bytes),
          Escaped(bytes)};
}

// What throw `index` is drawn from (algorithms/dice.h), for two seats that contributed nothing.
std::string MacOf(const algorithms::DiceSource& dice, uint64_t index) {
  base::ByteWriter message;
  message.Put(std::string_view("astragal-dice-1")).Put(dice.game.bytes()).Put(dice.restore_epoch);
  for (size_t seat = 0; seat < dice.contributions.size(); ++seat) message.Put(uint8_t{0});
  message.Put(index).Put(uint32_t{0});
  const base::Bytes32 mac = base::HmacSha256(dice.secret, message.bytes());
  return std::string(base::AsView(mac));
}

// Of a game's throws, those that this source gives.
int64_t CountGiven(const algorithms::DiceSource& dice, const v1::Ruleset& ruleset,
                   const std::vector<v1::Event>& events) {
  int64_t given = 0;
  uint64_t index = 0;
  for (const v1::Event& event : events) {
    if (!event.has_throw_()) continue;
    std::vector<uint32_t> weights;
    for (const v1::ThrowKind& kind : ruleset.throw_kinds()) {
      if (kind.name() != event.throw_().throw_kind()) continue;
      for (const v1::ThrowOutcome& outcome : kind.outcomes()) weights.push_back(outcome.weight());
    }
    if (weights.empty()) return -1;
    const int outcome = algorithms::DrawOutcome(dice, index++, weights);
    given += outcome == static_cast<int>(event.throw_().outcome()) ? 1 : 0;
  }
  return given;
}

uint64_t WordOf(const std::string& mac) { return base::ByteReader(mac).Get<uint64_t>(); }

// The sealed secret stands behind the commitment in the row of a game.
std::string SealedIn(const std::string& dump, const std::string& commitment) {
  const std::string before = "'\\x" + base::Hex(commitment) + "', '\\x";
  const size_t at = dump.find(before);
  if (at == std::string::npos) return "";
  const size_t begin = at + before.size();
  return dump.substr(begin, dump.find('\'', begin) - begin);
}

TEST(Secrets, ThrowsThatAreNotMadeAreNowhereInAnyForm) {
  Service& service = SharedService();
  const tests::TestFolder folder;
  const Person alice = NewPerson(service, "Alice");
  const Person bob = NewPerson(service, "Bob");
  const std::string game_id = NewGame(alice.client, bob.client);
  Table table(game_id, {&alice.client, &bob.client}, 33);
  ASSERT_TRUE(table.Play(8));
  const std::vector<v1::Event> events = ListEvents(bob.client, game_id);
  const int64_t drawn = CountThrows(events);
  ASSERT_GT(drawn, 0);
  const std::string answers = AllAnswers(bob.client, game_id);
  const std::string dump = Dump(service, folder);
  const std::string sealed = SealedIn(dump, GetGame(bob.client, game_id).fairness_commitment());
  ASSERT_GT(sealed.size(), 64U) << "more than the secret, in hexadecimal digits";

  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(game_id);
  ASSERT_TRUE(alice.client.Call(&Game::ResignGame, resign).ok());
  const std::vector<v1::Event> all = ListEvents(bob.client, game_id);
  EXPECT_EQ(CountThrows(all), drawn) << "the end draws nothing, and nothing was held back";
  const std::string secret = all.back().finished().fairness_secret();
  ASSERT_EQ(secret.size(), 32U);
  algorithms::DiceSource dice;
  std::ranges::copy(secret, dice.secret.begin());
  const std::optional<base::GameId> id = base::GameId::Parse(game_id);
  ASSERT_TRUE(id);
  dice.game = *id;
  dice.contributions.resize(2);
  ASSERT_EQ(
      CountGiven(dice, GetRuleset(bob.client, GetGame(bob.client, game_id).ruleset_id()), all),
      drawn)
      << "what is searched for is what the server draws from";
  const std::string logs =
      service.log() + storage::TailOf(storage::PathsBelow(service.data_dir()).log, 1 << 24);

  std::vector<std::pair<std::string, std::string>> hidden;
  const std::vector<uint32_t> even(4'096, 1);
  for (int64_t index = drawn; index < drawn + 8; ++index) {
    const std::string mac = MacOf(dice, static_cast<uint64_t>(index));
    // It is what the server would draw from.
    ASSERT_EQ(algorithms::DrawOutcome(dice, static_cast<uint64_t>(index), even),
              static_cast<int>(WordOf(mac) % even.size()));
    const std::string name = "throw " + std::to_string(index);
    for (const std::string& form : FormsOf(mac)) hidden.emplace_back(name, form);
    for (const std::string& form : FormsOf(mac.substr(0, 8))) hidden.emplace_back(name, form);
    hidden.emplace_back(name, std::to_string(WordOf(mac)));
  }
  for (const auto& [name, form] : hidden) {
    EXPECT_EQ(answers.find(form), std::string::npos) << name << " in the answers";
    EXPECT_EQ(logs.find(form), std::string::npos) << name << " in the logs";
    EXPECT_EQ(dump.find(form), std::string::npos) << name << " in the database";
  }
  std::vector<std::string> sealed_forms = FormsOf(absl::HexStringToBytes(sealed));
  sealed_forms.push_back(sealed);
  for (const std::string& form : sealed_forms) {
    EXPECT_EQ(answers.find(form), std::string::npos) << "the sealed secret in the answers";
    EXPECT_EQ(logs.find(form), std::string::npos) << "the sealed secret in the logs";
  }
}

TEST(Secrets, AreInNoLogNoDumpAndNoAnswerBeforeTheirTime) {
  Service& service = SharedService();
  const tests::TestFolder folder;
  const Person alice = NewPerson(service, "Alice");
  const Person bob = NewPerson(service, "Bob");
  const std::string game_id = NewGame(alice.client, bob.client);
  Table table(game_id, {&alice.client, &bob.client}, 31);
  ASSERT_TRUE(table.Play(6));
  const std::string answers = AllAnswers(bob.client, game_id);
  const std::string dump = Dump(service, folder);

  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(game_id);
  ASSERT_TRUE(alice.client.Call(&Game::ResignGame, resign).ok());
  const std::string secret = ListEvents(bob.client, game_id).back().finished().fairness_secret();
  ASSERT_EQ(secret.size(), 32U);
  const std::string server_log = service.log();
  const std::string database_log =
      storage::TailOf(storage::PathsBelow(service.data_dir()).log, 1 << 24);
  const std::string later = Dump(service, folder);

  // The search finds what is there: the secret once it is published, the key's hash always.
  EXPECT_THAT(later, testing::HasSubstr(base::Hex(secret)));
  EXPECT_THAT(AllAnswers(bob.client, game_id), testing::HasSubstr(Escaped(secret)));
  const std::string& token = alice.client.token();
  EXPECT_THAT(dump, testing::HasSubstr(base::Hex(base::AsView(base::Sha256(token)))));

  const struct {
    const char* name;
    const std::string& text;
    bool before_the_end;
  } places[] = {{"the server's log", server_log, true},
                {"the database's log", database_log, true},
                {"the dump of a running game", dump, true},
                {"the answers about a running game", answers, true},
                {"the dump of a finished game", later, false}};
  for (const auto& place : places) {
    ASSERT_NE(place.text, "") << place.name;
    // Not assertions on the whole text: a failure must not print it.
    EXPECT_EQ(place.text.find(token), std::string::npos) << "a key in " << place.name;
    EXPECT_EQ(place.text.find(token.substr(4)), std::string::npos) << "a key in " << place.name;
    if (!place.before_the_end) continue;
    for (const std::string& form : {secret, base::Hex(secret), Escaped(secret)}) {
      EXPECT_EQ(place.text.find(form), std::string::npos) << "the secret in " << place.name;
    }
  }
}

TEST(Secrets, AskingWhatIfShowsNoThrow) {
  Service& service = SharedService();
  const Person alice = NewPerson(service, "Alice");
  const Person bob = NewPerson(service, "Bob");
  const std::string game_id = NewGame(alice.client, bob.client);
  Table table(game_id, {&alice.client, &bob.client}, 32);
  int turns_ended = 0;
  for (int step = 0; step < 12; ++step) {
    v1::ListLegalActionsRequest list;
    list.set_game_id(game_id);
    const auto legal = bob.client.Call(&Game::ListLegalActions, list);
    const int actor = legal->position().actor();
    const v1::Game before = GetGame(bob.client, game_id);
    for (const v1::Action& action : legal->actions()) {
      v1::PlayActionsRequest play;
      play.set_request_id(NewRequestId());
      play.set_game_id(game_id);
      play.set_validate_only(true);
      play.add_actions()->set_action(action.action());
      const auto asked = (actor == 0 ? alice : bob).client.Call(&Game::PlayActions, play);
      ASSERT_TRUE(asked.ok()) << asked.status.error_message();
      EXPECT_EQ(asked->events_size(), 0);
      // The same seat goes on, or chance is to act and has not.
      EXPECT_THAT(asked->position().actor(), testing::AnyOf(actor, -1));
      turns_ended += asked->position().actor() == -1 ? 1 : 0;
    }
    EXPECT_EQ(TextOf(GetGame(bob.client, game_id)), TextOf(before)) << "asking changed the game";
    ASSERT_TRUE(table.Play(1));
  }
  EXPECT_GT(turns_ended, 0);
}

}  // namespace
}  // namespace astragal::e2e
