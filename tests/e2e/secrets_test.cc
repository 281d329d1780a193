// What nobody may see before its time: keys, the secret of the dice, throws that are not made yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

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
