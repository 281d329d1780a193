// Players and keys: the life of a token, repeats without secrets, and how fresh the caches are.
#include "services/core/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "services/base/status.h"
#include "tests/services/core/sim/node.h"
#include "tests/services/core/sim/simulated_player_store.h"

namespace astragal::tests {
namespace {

using base::Instant;
using base::Reason;
using base::ReasonOf;
using core::Accounts;
using core::MutationStamp;

class AccountsTest : public testing::Test {
 protected:
  static MutationStamp Stamp(base::PlayerId account, uint64_t request, const char* body = "body") {
    return {account, Request(request), base::Sha256(body)};
  }
  Accounts::NewPlayer Created(const std::string& name, uint64_t request) {
    const auto created = here_.CreatePlayer(name, false, Stamp({}, request));
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? *created : Accounts::NewPlayer{};
  }
  void AdvanceMs(int64_t ms) { clock_.Advance(ms * 1'000); }

  base::ManualClock clock_;
  SeededRandom random_{7};
  SimulatedPlayerStore store_;
  Accounts here_{store_, clock_, random_};
  Accounts there_{store_, clock_, random_};  // another node
};

TEST_F(AccountsTest, ATokenSaysWhoSentIt) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  EXPECT_EQ(anna.player.name, "Anna");
  EXPECT_THAT(anna.api_key, testing::MatchesRegex("ast_[0-9a-f]+"));
  EXPECT_EQ(anna.api_key.size(), 68u);
  const auto identity = here_.Authenticate(anna.api_key);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->player, anna.player.id);
  EXPECT_EQ(there_.Authenticate(anna.api_key)->player, anna.player.id);
}

TEST_F(AccountsTest, TokensThatAreNone) {
  const std::string good = Created("Anna", 1).api_key;
  std::string other = good;
  other.back() = other.back() == '0' ? '1' : '0';
  std::string upper = good;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  const struct {
    const char* name;
    std::string token;
    Reason reason;
  } cases[] = {
      {"none", "", Reason::kTokenMissing},
      {"another", other, Reason::kTokenInvalid},
      {"upper case", upper, Reason::kTokenInvalid},
      {"cut", good.substr(0, 67), Reason::kTokenInvalid},
      {"longer", good + "0", Reason::kTokenInvalid},
      {"no prefix", good.substr(4) + "0000", Reason::kTokenInvalid},
      {"its hash", base::Hex(base::AsView(base::Sha256(good))), Reason::kTokenInvalid},
      {"rubbish", std::string(10'000, '\xff'), Reason::kTokenInvalid},
  };
  for (const auto& [name, token, reason] : cases) {
    EXPECT_EQ(ReasonOf(here_.Authenticate(token).status()), reason) << name;
    EXPECT_EQ(here_.Cached(token), std::nullopt) << name;
  }
}

TEST_F(AccountsTest, SecretsAreShownOnceAndNotKept) {
  const Accounts::NewPlayer first = Created("Anna", 1);
  const auto again = there_.CreatePlayer("Anna", false, Stamp({}, 1));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->api_key, "");
  EXPECT_EQ(again->player.id, first.player.id);
  EXPECT_EQ(again->player.created_at, first.player.created_at);

  const auto key =
      here_.CreateKey({first.player.id, "laptop", std::nullopt}, Stamp(first.player.id, 2));
  ASSERT_TRUE(key.ok());
  EXPECT_NE(key->api_key, "");
  const auto key_again =
      there_.CreateKey({first.player.id, "laptop", std::nullopt}, Stamp(first.player.id, 2));
  ASSERT_TRUE(key_again.ok());
  EXPECT_EQ(key_again->api_key, "");
  EXPECT_EQ(key_again->key.id, key->key.id);
  EXPECT_EQ(key_again->key.label, "laptop");
  EXPECT_EQ(store_.Dump().find(first.api_key.substr(4)), std::string::npos);
  EXPECT_EQ(store_.Dump().find(key->api_key.substr(4)), std::string::npos);
}

TEST_F(AccountsTest, AnotherBodyUnderAKnownIdIsRefused) {
  const base::PlayerId id = Created("Anna", 1).player.id;
  const auto expect_reused = [](const absl::Status& status) {
    EXPECT_EQ(ReasonOf(status), Reason::kRequestIdReused) << status;
  };
  expect_reused(here_.CreatePlayer("Berta", false, Stamp({}, 1, "other")).status());
  ASSERT_TRUE(here_.CreateKey({id, "a", std::nullopt}, Stamp(id, 2)).ok());
  expect_reused(here_.CreateKey({id, "b", std::nullopt}, Stamp(id, 2, "other")).status());
  expect_reused(here_.Rename("Berta", 1, Stamp(id, 2, "rename")).status());
  EXPECT_EQ(here_.GetPlayer(id)->name, "Anna");
  EXPECT_EQ(ReasonOf(here_.GetPlayerByName("Berta").status()), Reason::kNotFound);
}

TEST_F(AccountsTest, ARevokedKeyIsDeadWithinASecondEverywhere) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const auto identity = here_.Authenticate(anna.api_key);
  ASSERT_TRUE(identity.ok());
  ASSERT_TRUE(there_.Authenticate(anna.api_key).ok());
  const auto revoked = here_.RevokeKey(anna.player.id, identity->key, Stamp(anna.player.id, 2));
  ASSERT_TRUE(revoked.ok()) << revoked.status();
  EXPECT_EQ(revoked->revoked_at, clock_.Now());
  EXPECT_EQ(revoked->label, "first key");
  EXPECT_EQ(revoked->created_at, anna.player.created_at);
  EXPECT_EQ(ReasonOf(here_.Authenticate(anna.api_key).status()), Reason::kTokenInvalid);
  EXPECT_TRUE(there_.Cached(anna.api_key)) << "this is the second that the promise allows";
  AdvanceMs(1'000);
  EXPECT_EQ(there_.Cached(anna.api_key), std::nullopt);
  EXPECT_EQ(ReasonOf(there_.Authenticate(anna.api_key).status()), Reason::kTokenInvalid);

  // Again: the first instant stands, and a repeat says what was said.
  const auto later = here_.RevokeKey(anna.player.id, identity->key, Stamp(anna.player.id, 3));
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->revoked_at, revoked->revoked_at);
  EXPECT_EQ(here_.RevokeKey(anna.player.id, identity->key, Stamp(anna.player.id, 2))->revoked_at,
            revoked->revoked_at);
}

TEST_F(AccountsTest, OneQuestionKeepsAllKeysInUseFreshButTheRevoked) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const Accounts::NewPlayer berta = Created("Berta", 2);
  ASSERT_TRUE(there_.Authenticate(anna.api_key).ok());
  ASSERT_TRUE(there_.Authenticate(berta.api_key).ok());
  there_.ForgetRevoked();
  ASSERT_TRUE(there_.Authenticate(anna.api_key).ok());  // the first question forgets everybody
  ASSERT_TRUE(there_.Authenticate(berta.api_key).ok());
  const int reads = store_.reads;
  for (int i = 0; i < 100; ++i) {
    AdvanceMs(Accounts::kForgetEveryMs);
    there_.ForgetRevoked();
  }
  EXPECT_TRUE(there_.Cached(anna.api_key));
  EXPECT_TRUE(there_.Cached(berta.api_key));
  EXPECT_EQ(store_.reads, reads);

  const base::KeyId key = here_.Authenticate(anna.api_key)->key;
  ASSERT_TRUE(here_.RevokeKey(anna.player.id, key, Stamp(anna.player.id, 3)).ok());
  AdvanceMs(Accounts::kForgetEveryMs);
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Cached(anna.api_key), std::nullopt);
  EXPECT_TRUE(there_.Cached(berta.api_key));
}

TEST_F(AccountsTest, WhoHearsNothingOfRevocationsTrustsNobody) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  there_.ForgetRevoked();
  ASSERT_TRUE(there_.Authenticate(anna.api_key).ok());
  store_.SetAway(true);
  AdvanceMs(Accounts::kIdentityFreshMs);
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Cached(anna.api_key), std::nullopt);
  // After a long silence a revocation may lie before what the next question reaches.
  store_.SetAway(false);
  AdvanceMs(Accounts::kLookBackMs);
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Cached(anna.api_key), std::nullopt);
}

// The answer of the store takes a while, and the key is revoked meanwhile.
TEST_F(AccountsTest, AnIdentityIsAsOldAsTheQuestion) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const base::KeyId key = here_.Authenticate(anna.api_key)->key;
  store_.after_find_key = [&] {
    store_.after_find_key = nullptr;
    ASSERT_TRUE(here_.RevokeKey(anna.player.id, key, Stamp(anna.player.id, 2)).ok());
    AdvanceMs(600);
  };
  there_.Authenticate(anna.api_key).status().IgnoreError();
  AdvanceMs(400);
  EXPECT_FALSE(there_.Authenticate(anna.api_key).ok());
}

TEST_F(AccountsTest, TheCacheSparesTheStoreAndNoMore) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  ASSERT_TRUE(here_.Authenticate(anna.api_key).ok());
  const int reads = store_.reads;
  AdvanceMs(Accounts::kIdentityFreshMs - 1);
  ASSERT_TRUE(here_.Authenticate(anna.api_key).ok());
  EXPECT_EQ(store_.reads, reads);
  AdvanceMs(1);
  ASSERT_TRUE(here_.Authenticate(anna.api_key).ok());
  EXPECT_EQ(store_.reads, reads + 1);
  // A clock that was set back makes nothing fresh.
  AdvanceMs(-3'600'000);
  EXPECT_EQ(here_.Cached(anna.api_key), std::nullopt);
}

TEST_F(AccountsTest, KeysExpire) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const Instant end{clock_.Now().micros + 500'000};
  const auto key = here_.CreateKey({anna.player.id, "short", end}, Stamp(anna.player.id, 2));
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_EQ(key->key.expires_at, end);
  EXPECT_TRUE(here_.Authenticate(key->api_key).ok());
  AdvanceMs(499);
  EXPECT_TRUE(here_.Authenticate(key->api_key).ok());
  AdvanceMs(1);
  EXPECT_EQ(here_.Cached(key->api_key), std::nullopt);
  EXPECT_EQ(ReasonOf(here_.Authenticate(key->api_key).status()), Reason::kTokenExpired);
  EXPECT_EQ(
      ReasonOf(here_.CreateKey({anna.player.id, "late", end}, Stamp(anna.player.id, 3)).status()),
      Reason::kBadField);
}

TEST_F(AccountsTest, OnlyOnesOwnKeys) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const Accounts::NewPlayer berta = Created("Berta", 2);
  const base::KeyId key = here_.Authenticate(anna.api_key)->key;
  for (const base::KeyId id : {key, base::KeyId(), base::KeyId(base::IdBytes{0xFF, 0xFF})}) {
    const auto refused = here_.RevokeKey(berta.player.id, id, Stamp(berta.player.id, 3));
    EXPECT_EQ(ReasonOf(refused.status()), Reason::kNotFound);
  }
  EXPECT_TRUE(here_.Authenticate(anna.api_key).ok());
  for (uint64_t i = 0; i < 3; ++i) {
    AdvanceMs(1);
    ASSERT_TRUE(here_
                    .CreateKey({anna.player.id, std::to_string(i), std::nullopt},
                               Stamp(anna.player.id, 10 + i))
                    .ok());
  }
  const auto newest = here_.ListKeys(anna.player.id, {}, 2);
  ASSERT_TRUE(newest.ok());
  ASSERT_EQ(newest->size(), 2u);
  EXPECT_EQ((*newest)[0].label, "2");
  const auto rest = here_.ListKeys(anna.player.id, (*newest)[1].id, 10);
  ASSERT_EQ(rest->size(), 2u);
  EXPECT_EQ(rest->back().label, "first key");
}

TEST_F(AccountsTest, NamesAndLabels) {
  const struct {
    const char* name;
    std::string text;
    bool good;
  } names[] = {
      {"one letter", "a", true},
      {"everything", "A b.c_d-9", true},
      {"forty", std::string(40, 'x'), true},
      {"empty", "", false},
      {"forty-one", std::string(41, 'x'), false},
      {"space first", " a", false},
      {"space last", "a ", false},
      {"line", "a\nb", false},
      {"zero", std::string("a\0b", 3), false},
      {"markup", "<b>", false},
      {"not ASCII", "\xC3\xA4", false},
  };
  uint64_t request = 100;
  for (const auto& [name, text, good] : names) {
    const auto created = here_.CreatePlayer(text, false, Stamp({}, ++request));
    EXPECT_EQ(created.ok(), good) << name << created.status();
    if (good) continue;
    EXPECT_EQ(ReasonOf(created.status()), Reason::kBadField) << name;
    EXPECT_EQ(base::DetailsOf(created.status()).at("field"), "name");
    EXPECT_EQ(ReasonOf(here_.GetPlayerByName(text).status()), Reason::kBadField);
  }
  EXPECT_EQ(ReasonOf(here_.CreatePlayer("A", false, Stamp({}, 1)).status()),
            Reason::kAlreadyExists);
  const base::PlayerId id = here_.GetPlayerByName("a")->id;
  EXPECT_TRUE(here_.CreateKey({id, std::string(80, 'x'), std::nullopt}, Stamp(id, 2)).ok());
  EXPECT_TRUE(here_.CreateKey({id, "\xC3\xA4", std::nullopt}, Stamp(id, 3)).ok());
  for (const std::string& label : {std::string(81, 'x'), std::string("a\tb")}) {
    EXPECT_EQ(ReasonOf(here_.CreateKey({id, label, std::nullopt}, Stamp(id, 4)).status()),
              Reason::kBadField);
  }
}

TEST_F(AccountsTest, RenamingIsSeenEverywhereSoon) {
  const base::PlayerId id = Created("Anna", 1).player.id;
  const base::PlayerId other = Created("Berta", 2).player.id;
  const auto name_at = [&](Accounts& node) {
    const auto names = node.Names({id, {}, other, Player(99)});
    EXPECT_TRUE(names.ok());
    EXPECT_EQ(names->size(), 2u);
    return names->at(id);
  };
  EXPECT_EQ(name_at(here_), "Anna");
  EXPECT_EQ(name_at(there_), "Anna");
  const auto renamed = here_.Rename("Anne", 1, Stamp(id, 3));
  ASSERT_TRUE(renamed.ok()) << renamed.status();
  EXPECT_EQ(renamed->version, 2u);
  EXPECT_EQ(name_at(here_), "Anne");
  AdvanceMs(Accounts::kNameFreshMs);
  EXPECT_EQ(name_at(there_), "Anne");
  // A repeat gets the first answer, also after another change.
  ASSERT_TRUE(here_.Rename("Annika", 2, Stamp(id, 4)).ok());
  EXPECT_EQ(there_.Rename("Anne", 1, Stamp(id, 3))->name, "Anne");
  EXPECT_EQ(ReasonOf(here_.Rename("Antje", 1, Stamp(id, 5)).status()), Reason::kStaleVersion);
  EXPECT_EQ(ReasonOf(here_.Rename("berta", 3, Stamp(id, 6)).status()), Reason::kAlreadyExists);
  EXPECT_TRUE(here_.Rename("ANNIKA", 3, Stamp(id, 7)).ok()) << "one's own name in other letters";
}

// An account is erased in the store, and its keys end: its name is kept nowhere for long.
TEST_F(AccountsTest, NamesAreForgottenWithKeysThatEnd) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  const base::PlayerId id = anna.player.id;
  const auto identity = here_.Authenticate(anna.api_key);
  ASSERT_TRUE(identity.ok()) << identity.status();
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Names({id})->at(id), "Anna");
  ASSERT_TRUE(here_.Rename("erased", 1, Stamp(id, 2)).ok());
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Names({id})->at(id), "Anna") << "names alone are not asked for";
  ASSERT_TRUE(here_.RevokeKey(id, identity->key, Stamp(id, 3)).ok());
  there_.ForgetRevoked();
  EXPECT_EQ(there_.Names({id})->at(id), "erased");
}

TEST_F(AccountsTest, TheStoreIsAway) {
  const Accounts::NewPlayer anna = Created("Anna", 1);
  ASSERT_TRUE(here_.Authenticate(anna.api_key).ok());
  store_.SetAway(true);
  EXPECT_TRUE(here_.Authenticate(anna.api_key).ok()) << "known for the rest of the second";
  AdvanceMs(1'000);
  EXPECT_EQ(ReasonOf(here_.Authenticate(anna.api_key).status()), Reason::kStoreUnavailable);
  EXPECT_EQ(ReasonOf(here_.CreatePlayer("Berta", false, Stamp({}, 2)).status()),
            Reason::kStoreUnavailable);
  EXPECT_EQ(ReasonOf(here_.Names({anna.player.id}).status()), Reason::kStoreUnavailable);
}

}  // namespace
}  // namespace astragal::tests
