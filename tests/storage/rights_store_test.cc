// AuditStore, SignInStore and AccountData against their contracts: what is written once stays,
// texts that the database cannot hold are the caller's fault, and an erased account leaves its id
// alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "services/base/status.h"
#include "storage/account_data.h"
#include "storage/audit_store.h"
#include "storage/sign_in_store.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::HasSubstr;
using testing::Not;

const std::string kZeroByte("a\0b", 3);
const std::string kNotUtf8 = "a\xFF";

class RightsStoreTest : public testing::Test {
 protected:
  AuditEntry Entry(const std::string& subject) {
    AuditEntry entry;
    entry.id = make_.NewId<base::PlayerId>().bytes();
    entry.at = {1'700'000'000'000'007};
    entry.request = make_.NewRequest();
    entry.action = "ModerationService.AnnulGame";
    entry.subject = subject;
    entry.reason = "a test";
    return entry;
  }
  PlayerRecord Player(const std::string& name) {
    return {make_.NewId<base::PlayerId>(), name, false, {1'700'000'000'000'007}, 1};
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  AuditStore audit_{open_->pool()};
  SignInStore sign_ins_{open_->pool()};
  tests::GameMaker make_;
};

TEST_F(RightsStoreTest, ARequestIsAuditedOnceAndStays) {
  AuditEntry entry = Entry("one");
  EXPECT_TRUE(audit_.Append(entry).value());
  EXPECT_FALSE(audit_.Append(entry).value());
  entry.reason = "another one";
  EXPECT_EQ(ReasonOf(audit_.Append(entry).status()), Reason::kRequestIdReused);
  EXPECT_TRUE(audit_.Append(Entry("two")).value());
  const auto of_one = audit_.List("one", {}, 10);
  ASSERT_TRUE(of_one.ok()) << of_one.status();
  ASSERT_EQ(of_one->size(), 1U);
  EXPECT_EQ(of_one->front().reason, "a test");
  EXPECT_EQ(audit_.List("", {}, 10)->size(), 2U);
  constexpr Statement kRewrites[] = {{"change_audit", "UPDATE audit SET reason = 'none'"},
                                     {"delete_audit", "DELETE FROM audit"},
                                     {"truncate_audit", "TRUNCATE audit"}};
  for (const Statement& rewrite : kRewrites) {
    EXPECT_FALSE(open_->pool().Write(rewrite, Params()).ok()) << rewrite.name;
  }
  EXPECT_EQ(audit_.List("", {}, 10)->size(), 2U);
}

TEST_F(RightsStoreTest, APersonIsOnePlayer) {
  EXPECT_EQ(sign_ins_.Find("issuer", "ann").value(), std::nullopt);
  const PlayerRecord ann = Player("Ann");
  EXPECT_TRUE(sign_ins_.Create("issuer", "ann", ann).value());
  EXPECT_FALSE(sign_ins_.Create("issuer", "ann", Player("Ann 2")).value());
  EXPECT_EQ(ReasonOf(sign_ins_.Create("issuer", "bob", Player("ann")).status()),
            Reason::kAlreadyExists);
  EXPECT_EQ(sign_ins_.Find("issuer", "ann").value(), ann.id);
  EXPECT_EQ(sign_ins_.Find("elsewhere", "ann").value(), std::nullopt);
}

TEST_F(RightsStoreTest, AnErasedAccountLeavesItsIdAlone) {
  const PlayerRecord ann = Player("Ann");
  ASSERT_TRUE(sign_ins_.Create("issuer", "subject of ann", ann).value());
  const base::GameId missed = make_.NewId<base::GameId>();
  const base::PlayerId household = make_.NewId<base::PlayerId>();
  constexpr Statement kMiss = {"miss_game",
                               "INSERT INTO no_shows VALUES ($1::uuid, $2::uuid, $3::bigint)"};
  constexpr Statement kMoveIn = {"move_in", "INSERT INTO households VALUES ($1::uuid, $2::uuid)"};
  ASSERT_TRUE(
      open_->pool()
          .Write(kMiss,
                 Params().Uuid(ann.id.bytes()).Uuid(missed.bytes()).Int(ann.created_at.micros))
          .ok());
  constexpr Statement kMakePool = {
      "make_pool",
      "INSERT INTO rating_pools (name, ruleset, seats, profile, next_order, revision, shadow,"
      " refreshed_at, created_at) VALUES ('pool of the estimate', 'x', 2, '', 1, 1, 0, 0, 0)"
      " RETURNING number"};
  const auto pool = open_->pool().Write(kMakePool, Params());
  ASSERT_TRUE(pool.ok()) << pool.status();
  constexpr Statement kSay = {"say",
                              "INSERT INTO rating_estimates VALUES ($1::int, $2::uuid, 1, 0)"};
  ASSERT_TRUE(open_->pool().Write(kSay, Params().Int(pool->Int(0, 0)).Uuid(ann.id.bytes())).ok());
  ASSERT_TRUE(
      open_->pool().Write(kMoveIn, Params().Uuid(ann.id.bytes()).Uuid(household.bytes())).ok());

  AccountData data(open_->pool());
  const std::string kept[] = {"Ann", "subject of ann", missed.ToText(), household.ToText(),
                              "pool of the estimate"};
  const std::string before = data.Export(ann.id).value();
  for (const std::string& part : kept) EXPECT_THAT(before, HasSubstr(part));
  for (const char* time : {"first", "again"}) {
    EXPECT_TRUE(data.Erase(ann.id, ann.created_at).ok()) << time;
    const std::string after = data.Export(ann.id).value();
    EXPECT_THAT(after, HasSubstr(ann.id.ToText())) << time;
    for (const std::string& part : kept) EXPECT_THAT(after, Not(HasSubstr(part))) << time;
  }
  EXPECT_EQ(ReasonOf(data.Erase(household, ann.created_at)), Reason::kNotFound);
  EXPECT_EQ(ReasonOf(data.Export(household).status()), Reason::kNotFound);
}

TEST_F(RightsStoreTest, TextsThatTheDatabaseCannotHoldAreTheCallersFault) {
  for (const std::string& text : {kZeroByte, kNotUtf8}) {
    EXPECT_EQ(ReasonOf(audit_.Append(Entry(text)).status()), Reason::kBadField);
    EXPECT_EQ(ReasonOf(audit_.List(text, {}, 10).status()), Reason::kBadField);
    EXPECT_EQ(ReasonOf(audit_.Restrict(make_.NewId<base::PlayerId>(), 1, {}, Entry(text))),
              Reason::kBadField);
    EXPECT_EQ(ReasonOf(sign_ins_.Find("issuer", text).status()), Reason::kBadField);
    EXPECT_EQ(ReasonOf(sign_ins_.Create("issuer", text, Player("Ann")).status()),
              Reason::kBadField);
  }
}

}  // namespace
}  // namespace astragal::storage
