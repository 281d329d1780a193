// PgPlayerStore against its contract: names, keys, versions, and requests that are sent twice.
#include "storage/player_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "services/base/status.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::ElementsAre;

class PlayerStoreTest : public testing::Test {
 protected:
  PlayerRecord Player(const std::string& name) {
    return {make_.NewId<base::PlayerId>(), name, false, {1'700'000'000'000'007}, 1};
  }
  KeyRecord Key(base::PlayerId player) {
    KeyRecord key;
    key.id = make_.NewId<base::KeyId>();
    key.player = player;
    key.hash = make_.NewHash();
    key.label = "laptop, \"quoted\"";
    key.created_at = {1'700'000'000'000'008};
    key.expires_at = base::Instant{1'800'000'000'000'009};
    return key;
  }
  Answer NewAnswer(base::PlayerId account = {}) {
    return {account, make_.NewRequest(), make_.NewHash(), std::string("answer\0bytes", 12)};
  }
  PlayerRecord Created(const std::string& name) {
    const PlayerRecord player = Player(name);
    const auto made = store_.CreatePlayer(player, Key(player.id), NewAnswer());
    EXPECT_TRUE(made.ok()) << made.status();
    return player;
  }
  std::vector<std::string> Names(const std::vector<PlayerRecord>& players) {
    std::vector<std::string> names;
    for (const PlayerRecord& player : players) names.push_back(player.name);
    return names;
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  PgPlayerStore& store_ = open_->players();
  tests::GameMaker make_;
};

TEST_F(PlayerStoreTest, APlayerAndItsKeyAreReadBack) {
  const PlayerRecord player = Player("Ann O'Nymous \xC3\x84");
  const KeyRecord key = Key(player.id);
  const Answer answer = NewAnswer();
  const Mutation made = store_.CreatePlayer(player, key, answer).value();
  EXPECT_FALSE(made.repeated);
  EXPECT_EQ(made.answer.payload, answer.payload);
  const PlayerRecord read = store_.GetPlayer(player.id).value();
  EXPECT_EQ(read.id, player.id);
  EXPECT_EQ(read.name, player.name);
  EXPECT_EQ(read.bot, player.bot);
  EXPECT_EQ(read.created_at, player.created_at);
  EXPECT_EQ(read.version, 1u);
  const KeyRecord found = store_.FindKey(key.hash).value().value();
  EXPECT_EQ(found.id, key.id);
  EXPECT_EQ(found.player, player.id);
  EXPECT_EQ(found.hash, key.hash);
  EXPECT_EQ(found.label, key.label);
  EXPECT_EQ(found.created_at, key.created_at);
  EXPECT_EQ(found.expires_at, key.expires_at);
  EXPECT_EQ(found.revoked_at, std::nullopt);
  EXPECT_EQ(store_.FindKey(make_.NewHash()).value(), std::nullopt);
  EXPECT_EQ(ReasonOf(store_.GetPlayer(make_.NewId<base::PlayerId>()).status()), Reason::kNotFound);
}

TEST_F(PlayerStoreTest, ANameBelongsToOnePlayerWhateverItsCase) {
  const PlayerRecord player = Created("J\xC3\x96rg");
  const PlayerRecord other = Player("j\xC3\xB6RG");
  const Answer answer = NewAnswer();
  const auto refused = store_.CreatePlayer(other, Key(other.id), answer);
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kAlreadyExists);
  EXPECT_EQ(store_.GetPlayerByName("J\xC3\xB6rg").value().id, player.id);
  EXPECT_EQ(ReasonOf(store_.GetPlayer(other.id).status()), Reason::kNotFound);
  // The refusal left no answer behind: the same request works under another name.
  PlayerRecord renamed = other;
  renamed.name = "Jorg";
  EXPECT_FALSE(store_.CreatePlayer(renamed, Key(other.id), answer).value().repeated);
}

TEST_F(PlayerStoreTest, ARepeatedRequestGetsTheFirstAnswerAndChangesNothing) {
  const PlayerRecord first = Player("first");
  const Answer answer = NewAnswer();
  ASSERT_TRUE(store_.CreatePlayer(first, Key(first.id), answer).ok());
  Answer again = answer;
  again.payload = "another payload";
  again.body_hash = make_.NewHash();
  for (const std::string name : {"first", "second"}) {
    const PlayerRecord player = Player(name);
    const Mutation repeat = store_.CreatePlayer(player, Key(player.id), again).value();
    EXPECT_TRUE(repeat.repeated);
    EXPECT_EQ(repeat.answer.payload, answer.payload);
    EXPECT_EQ(repeat.answer.body_hash, answer.body_hash);
    EXPECT_FALSE(store_.GetPlayer(player.id).ok());
  }
  // Another account may use the same request id.
  again.account = first.id;
  EXPECT_FALSE(store_.CreateKey(Key(first.id), again).value().repeated);
}

TEST_F(PlayerStoreTest, OneRequestSentTwiceAtOnceHappensOnce) {
  for (int round = 0; round < 25; ++round) {
    const Answer answer = NewAnswer();
    const std::string name = "player" + std::to_string(round);
    const PlayerRecord players[] = {Player(name), Player(name)};
    const KeyRecord keys[] = {Key(players[0].id), Key(players[1].id)};
    bool repeated[2];
    const auto create = [&](int i) {
      repeated[i] = store_.CreatePlayer(players[i], keys[i], answer).value().repeated;
    };
    std::thread second(create, 1);
    create(0);
    second.join();
    ASSERT_NE(repeated[0], repeated[1]);
    ASSERT_EQ(store_.GetPlayerByName(name).value().id, players[repeated[0] ? 1 : 0].id);
  }
}

TEST_F(PlayerStoreTest, RenamesCountVersionsAndRefuseStaleOnes) {
  const PlayerRecord player = Created("old");
  Created("taken");
  const Answer answer = NewAnswer(player.id);
  EXPECT_FALSE(store_.RenamePlayer(player.id, "new", 1, answer).value().repeated);
  EXPECT_TRUE(store_.RenamePlayer(player.id, "new", 1, answer).value().repeated);
  EXPECT_EQ(store_.GetPlayer(player.id).value().name, "new");
  EXPECT_EQ(store_.GetPlayer(player.id).value().version, 2u);
  const auto stale = store_.RenamePlayer(player.id, "newer", 1, NewAnswer(player.id));
  EXPECT_EQ(ReasonOf(stale.status()), Reason::kStaleVersion);
  EXPECT_EQ(base::DetailsOf(stale.status())["current_version"], "2");
  const auto taken = store_.RenamePlayer(player.id, "TAKEN", 2, NewAnswer(player.id));
  EXPECT_EQ(ReasonOf(taken.status()), Reason::kAlreadyExists);
  const auto nobody =
      store_.RenamePlayer(make_.NewId<base::PlayerId>(), "x", 1, NewAnswer(player.id));
  EXPECT_EQ(ReasonOf(nobody.status()), Reason::kNotFound);
  EXPECT_FALSE(store_.RenamePlayer(player.id, "NEW", 2, NewAnswer(player.id)).value().repeated);
}

TEST_F(PlayerStoreTest, BadTextIsTheCallersFault) {
  for (const std::string& name :
       {std::string(), std::string(257, 'x'), std::string("a\0b", 3), std::string("\xFF\xFE")}) {
    const PlayerRecord player = Player(name);
    const auto refused = store_.CreatePlayer(player, Key(player.id), NewAnswer());
    EXPECT_EQ(ReasonOf(refused.status()), Reason::kBadField) << refused.status();
  }
}

TEST_F(PlayerStoreTest, PlayersAreListedByLowerCaseNameInPages) {
  for (const char* name : {"delta", "Bravo", "alpha", "Echo", "charlie"}) Created(name);
  std::vector<std::string> listed;
  for (std::string after;;) {
    const std::vector<PlayerRecord> page = store_.ListPlayers(after, 2).value();
    if (page.empty()) break;
    for (const std::string& name : Names(page)) listed.push_back(name);
    after = listed.back();
  }
  EXPECT_THAT(listed, ElementsAre("alpha", "Bravo", "charlie", "delta", "Echo"));
}

TEST_F(PlayerStoreTest, SeveralPlayersAtOnce) {
  const PlayerRecord one = Created("one");
  const PlayerRecord two = Created("two");
  const auto found = store_.GetPlayers({one.id, make_.NewId<base::PlayerId>(), two.id}).value();
  EXPECT_THAT(Names(found), testing::UnorderedElementsAre("one", "two"));
  EXPECT_TRUE(store_.GetPlayers({}).value().empty());
}

TEST_F(PlayerStoreTest, KeysAreListedNewestFirstAndRevokedOnce) {
  const PlayerRecord player = Created("player");
  const PlayerRecord other = Created("other");
  std::vector<base::KeyId> made;
  for (int i = 0; i < 3; ++i) {
    const KeyRecord key = Key(player.id);
    ASSERT_TRUE(store_.CreateKey(key, NewAnswer(player.id)).ok());
    made.insert(made.begin(), key.id);
  }
  const auto page = store_.ListKeys(player.id, {}, 2).value();
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].id, made[0]);
  EXPECT_EQ(page[1].id, made[1]);
  EXPECT_EQ(store_.ListKeys(player.id, made[1], 10).value().size(), 2u);  // and the first one

  const auto revoke = [&](base::PlayerId owner, int64_t at) {
    return store_.RevokeKey(owner, made[0], {at}, NewAnswer(owner));
  };
  EXPECT_EQ(ReasonOf(revoke(other.id, 5).status()), Reason::kNotFound);
  EXPECT_FALSE(revoke(player.id, 10).value().repeated);
  EXPECT_FALSE(revoke(player.id, 20).value().repeated);
  EXPECT_EQ(store_.ListKeys(player.id, {}, 1).value()[0].revoked_at, base::Instant{10});
  const base::Bytes32 hash = store_.ListKeys(player.id, {}, 1).value()[0].hash;
  EXPECT_THAT(store_.RevokedSince({10}, 10'000).value(), testing::Contains(hash));
  EXPECT_THAT(store_.RevokedSince({11}, 10'000).value(), testing::Not(testing::Contains(hash)));
  EXPECT_EQ(store_.RevokedSince({0}, 1).value().size(), 1u);
  const auto orphan = store_.CreateKey(Key(make_.NewId<base::PlayerId>()), NewAnswer(player.id));
  EXPECT_EQ(ReasonOf(orphan.status()), Reason::kNotFound);
}

TEST_F(PlayerStoreTest, OldAnswersAreSweptAndYoungOnesKept) {
  const PlayerRecord player = Created("player");
  const Answer answer = NewAnswer(player.id);
  ASSERT_TRUE(store_.CreateKey(Key(player.id), answer).ok());
  EXPECT_EQ(store_.SweepAnswers().value(), 0u);
  EXPECT_TRUE(store_.CreateKey(Key(player.id), answer).value().repeated);
  EXPECT_EQ(store_.SweepAnswers(-1'000).value(), 2u);  // those up to a second from now
  EXPECT_FALSE(store_.CreateKey(Key(player.id), answer).value().repeated);
  ASSERT_TRUE(database_.Connect()
                  ->Script("INSERT INTO answers SELECT gen_random_uuid(), gen_random_uuid(), "
                           "decode(repeat('00', 32), 'hex'), '', 0 FROM generate_series(1, 1500)")
                  .ok());
  EXPECT_EQ(store_.SweepAnswers().value(), PgPlayerStore::kMaxSwept);
  EXPECT_EQ(store_.SweepAnswers().value(), 500u);
}

}  // namespace
}  // namespace astragal::storage
