// The right to act: every method of every service, called over gRPC by everybody there is. What is
// refused must be refused for the right reason and change no row of the database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/lobby_service.pb.h"
#include "services/rpc/access.h"
#include "storage/audit_store.h"
#include "tests/services/server/hall.h"

namespace astragal::server {
namespace {

using core::Scope;
using core::Scopes;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using rpc::Access;
using rpc::Also;
using rpc::Effect;
using rpc::Who;

// Somebody at the door, and what is known of them.
struct Caller {
  std::string name;
  std::string token;
  std::string broken{};  // the reason for which the credential itself is refused
  bool has_account = false;
  Scopes scopes{};
  core::Restriction restriction = core::Restriction::kNone;
};

// Reasons with which the gate, and nothing behind it, refuses.
const std::set<std::string> kGateReasons = {"TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED",
                                            "SCOPE_MISSING", "RESTRICTED"};

// What the row and the caller come to: the reason of the refusal, or "".
std::string Expected(const Access& access, const Caller& caller) {
  if (!caller.broken.empty()) return caller.broken;
  const bool staff = access.scope == Scope::kOperate || access.scope == Scope::kModerate;
  if (caller.token.empty()) return access.who == Who::kAnybody ? "" : "TOKEN_MISSING";
  if (!caller.has_account && access.who == Who::kPlayer) return "SCOPE_MISSING";
  if (!caller.scopes.Has(access.scope)) return "SCOPE_MISSING";
  const bool begins = access.effect == Effect::kBegins;
  const bool changes = access.effect != Effect::kLooks && access.effect != Effect::kWatches;
  if (caller.restriction == core::Restriction::kNoNewGames && begins && !staff) return "RESTRICTED";
  if (caller.restriction == core::Restriction::kBanned && changes) return "RESTRICTED";
  return "";
}

class Rights : public testing::Test {
 protected:
  void SetUp() override {
    alice_ = hall_.NewPlayer("Alice");
    bob_ = hall_.NewPlayer("Bob");
    carol_ = hall_.NewPlayer("Carol");
    game_ = hall_.NewGame(alice_, bob_);
    private_game_ = NewPrivateGame();
    challenge_ = NewChallenge(v1::GAME_VISIBILITY_PUBLIC);
    MakeCallers();
  }

  std::string NewChallenge(v1::GameVisibility visibility) {
    v1::CreateChallengeRequest challenge;
    challenge.set_request_id(NewRequestId());
    challenge.mutable_terms()->set_ruleset_id("long_narde");
    challenge.mutable_terms()->set_visibility(visibility);
    challenge.set_opponent_id(bob_.id);
    v1::CreateChallengeResponse made;
    const Outcome outcome =
        hall_.Call("LobbyService.CreateChallenge", alice_.key, challenge, &made);
    EXPECT_TRUE(outcome.ok()) << outcome.message;
    return made.proposal().proposal_id();
  }

  std::string NewPrivateGame() {
    v1::AcceptProposalRequest accept;
    accept.set_request_id(NewRequestId());
    accept.set_proposal_id(NewChallenge(v1::GAME_VISIBILITY_PRIVATE));
    v1::AcceptProposalResponse accepted;
    const Outcome outcome = hall_.Call("LobbyService.AcceptProposal", bob_.key, accept, &accepted);
    EXPECT_TRUE(outcome.ok()) << outcome.message;
    return accepted.game().game_id();
  }

  // A key that was good.
  std::string RevokedKey() {
    const std::string key = hall_.NewKey(carol_, core::kPlayerScopes);
    v1::WhoAmIResponse me;
    EXPECT_TRUE(hall_.Call("AuthService.WhoAmI", key, v1::WhoAmIRequest(), &me).ok());
    v1::RevokeApiKeyRequest revoke;
    revoke.set_request_id(NewRequestId());
    revoke.set_key_id(me.key().key_id());
    EXPECT_TRUE(hall_.Call("AuthService.RevokeApiKey", key, revoke).ok());
    return key;
  }

  // A player whom nobody's cache knows yet, restricted by a row.
  Caller Restricted(const std::string& name, core::Restriction restriction) {
    const Hall::Person person = hall_.NewPlayer(name);
    const auto database = storage_.Open();
    storage::AuditEntry entry;
    entry.id[0] = static_cast<uint8_t>(restriction);
    entry.request.bytes[0] = static_cast<uint8_t>(restriction);
    entry.action = "test";
    entry.reason = "test";
    storage::AuditStore store(database->pool());
    EXPECT_TRUE(store
                    .Restrict(*base::PlayerId::Parse(person.id), static_cast<uint8_t>(restriction),
                              std::nullopt, entry)
                    .ok());
    return {name, person.key, "", true, core::kPlayerScopes, restriction};
  }

  void MakeCallers() {
    const auto with_role = [&](const char* role) {
      const Scopes scopes = *core::ScopesOfRole(role);
      callers_.push_back({role, hall_.NewKey(carol_, scopes), "", true, scopes});
    };
    callers_ = {
        {"nobody", ""},
        {"a key that nobody made", "ast_" + std::string(64, '0'), "TOKEN_INVALID"},
        {"what is no key", "letmein", "TOKEN_INVALID"},
        {"half of a key", carol_.key.substr(0, 40), "TOKEN_INVALID"},
        {"a revoked key", RevokedKey(), "TOKEN_INVALID"},
        {"half of the operator's key", hall_.operator_key().substr(0, 40), "TOKEN_INVALID"},
        {"another player", carol_.key, "", true, core::kPlayerScopes},
        {"the operator", hall_.operator_key(), "", false, Scopes::All()},
    };
    for (const core::Role& role : core::kRoles) with_role(std::string(role.word).c_str());
    callers_.push_back(Restricted("Rita", core::Restriction::kNoNewGames));
    callers_.push_back(Restricted("Boris", core::Restriction::kBanned));
  }

  // A request that says something sensible in every field, as far as names tell: what comes behind
  // the gate is not to fail for its shape before it looks at who asks.
  void Fill(Message& message) const {
    const auto& fields = *message.GetDescriptor();
    const auto& reflection = *message.GetReflection();
    for (int i = 0; i < fields.field_count(); ++i) {
      const FieldDescriptor& field = *fields.field(i);
      if (field.is_map() || field.real_containing_oneof() != nullptr) continue;
      const std::string& name = field.name();
      if (field.is_repeated()) {
        const bool nested = field.type() == FieldDescriptor::TYPE_MESSAGE && name == "actions";
        if (nested) SetAction(*reflection.AddMessage(&message, &field));
      } else if (field.type() == FieldDescriptor::TYPE_STRING) {
        reflection.SetString(&message, &field, TextFor(name));
      } else if (field.type() == FieldDescriptor::TYPE_ENUM && name == "kind") {
        reflection.SetEnumValue(&message, &field, 1);
      } else if (name == "count") {
        reflection.SetInt32(&message, &field, 1);
      } else if (name == "terms") {
        Fill(*reflection.MutableMessage(&message, &field));
      } else if (name == "time") {
        reflection.MutableMessage(&message, &field);
      }
    }
  }

  static void SetAction(Message& choice) {
    const FieldDescriptor* action = choice.GetDescriptor()->FindFieldByName("action");
    if (action != nullptr) choice.GetReflection()->SetInt64(&choice, action, 0);
  }

  std::string TextFor(const std::string& field) const {
    const std::map<std::string, std::string> texts = {
        {"request_id", NewRequestId()}, {"game_id", game_},
        {"proposal_id", challenge_},    {"player_id", alice_.id},
        {"opponent_id", alice_.id},     {"ruleset_id", "long_narde"},
        {"reason", "a test"},           {"etag", "1"},
        {"name", "Somebody Else"},      {"sha256", std::string(64, '0')}};
    const auto found = texts.find(field);
    return found == texts.end() ? "" : found->second;
  }

  std::unique_ptr<Message> RequestOf(const Access& access) const {
    const auto& method = *Hall::Method(std::string(access.method));
    std::unique_ptr<Message> request(google::protobuf::MessageFactory::generated_factory()
                                         ->GetPrototype(method.input_type())
                                         ->New());
    Fill(*request);
    SetText(*request, "contribution_sha256", std::string(32, '0'));  // the first step of a choice
    return request;
  }

  Outcome CallAs(const Access& access, const std::string& token,
                 const std::function<void(Message&)>& change = {}) const {
    const std::unique_ptr<Message> request = RequestOf(access);
    if (change) change(*request);
    return hall_.Call(std::string(access.method), token, *request);
  }

  static void SetText(Message& message, const char* name, const std::string& text) {
    const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
    if (field != nullptr) message.GetReflection()->SetString(&message, field, text);
  }

  Hall hall_;
  const tests::TestDatabase& storage_ = hall_.database();
  Hall::Person alice_, bob_, carol_;
  std::string game_, private_game_, challenge_;
  std::vector<Caller> callers_;
};

TEST_F(Rights, EveryMethodAsEverybody) {
  int refused = 0;
  int let_in = 0;
  const std::string before = hall_.StateHash();
  ASSERT_NE(before, "");
  for (const Access& access : rpc::AccessTable()) {
    for (const Caller& caller : callers_) {
      const std::string expected = Expected(access, caller);
      if (expected.empty()) continue;
      const Outcome outcome = CallAs(access, caller.token);
      EXPECT_EQ(outcome.reason, expected)
          << access.method << " as " << caller.name << ": " << outcome.message;
      EXPECT_EQ(outcome.message.find(caller.token.empty() ? "ast_" : caller.token),
                std::string::npos);
      ++refused;
    }
  }
  EXPECT_EQ(hall_.StateHash(), before) << "a refusal changed a row";
  for (const Access& access : rpc::AccessTable()) {
    for (const Caller& caller : callers_) {
      if (!Expected(access, caller).empty()) continue;
      const Outcome outcome = CallAs(access, caller.token);
      EXPECT_FALSE(kGateReasons.contains(outcome.reason))
          << access.method << " as " << caller.name << ": " << outcome.reason << ", "
          << outcome.message;
      ++let_in;
    }
  }
  std::cout << "cells: " << refused << " refused, " << let_in << " let in\n";
  EXPECT_EQ(static_cast<size_t>(refused + let_in), rpc::AccessTable().size() * callers_.size());
}

// What a row leaves to the thing that is addressed.
TEST_F(Rights, SeatsPrivateGamesAndProposalsAreOfThoseWhoHoldThem) {
  const std::string before = hall_.StateHash();
  for (const Access& access : rpc::AccessTable()) {
    if (access.also == Also::kSeat && access.method.starts_with("GameService.")) {
      EXPECT_EQ(CallAs(access, carol_.key).reason, "NOT_SEATED") << access.method;
    }
    const auto* game_id =
        Hall::Method(std::string(access.method))->input_type()->FindFieldByName("game_id");
    if (game_id != nullptr && access.who != Who::kStaff && access.also != Also::kNothing) {
      const auto in_private = [&](Message& request) { SetText(request, "game_id", private_game_); };
      EXPECT_EQ(CallAs(access, carol_.key, in_private).reason, "NOT_FOUND") << access.method;
      if (access.who == Who::kAnybody) {
        EXPECT_EQ(CallAs(access, "", in_private).reason, "NOT_FOUND") << access.method;
        EXPECT_EQ(CallAs(access, hall_.operator_key(), in_private).reason, "NOT_FOUND")
            << access.method;
      }
    }
    const bool proposal =
        Hall::Method(std::string(access.method))->input_type()->FindFieldByName("proposal_id") !=
        nullptr;
    if (proposal) {
      EXPECT_EQ(CallAs(access, carol_.key).reason, "NOT_FOUND") << access.method;
    }
  }
  EXPECT_EQ(hall_.StateHash(), before) << "a refusal changed a row";
  const Access& get =
      *std::ranges::find(rpc::AccessTable(), "GameService.GetGame", &Access::method);
  EXPECT_TRUE(CallAs(get, alice_.key, [&](Message& request) {
                SetText(request, "game_id", private_game_);
              }).ok());
}

TEST_F(Rights, AKeyGivesNoScopesThatItDoesNotHave) {
  const std::string bot = hall_.NewKey(carol_, *core::ScopesOfRole("bot"));
  const std::string account = hall_.NewKey(carol_, Scopes::Of(Scope::kAccount));
  v1::CreateApiKeyRequest create;
  const auto make = [&](const std::string& token, std::vector<v1::KeyScope> scopes,
                        v1::CreateApiKeyResponse& made) {
    create.set_request_id(NewRequestId());
    create.mutable_scopes()->Assign(scopes.begin(), scopes.end());
    return hall_.Call("AuthService.CreateApiKey", token, create, &made).reason;
  };
  v1::CreateApiKeyResponse made;
  EXPECT_EQ(make(bot, {}, made), "SCOPE_MISSING");
  for (const v1::KeyScope scope :
       {v1::KEY_SCOPE_PLAY, v1::KEY_SCOPE_MODERATE, v1::KEY_SCOPE_OPERATE}) {
    EXPECT_EQ(make(account, {scope}, made), "SCOPE_MISSING") << scope;
  }
  EXPECT_EQ(make(carol_.key, {v1::KEY_SCOPE_OPERATE}, made), "SCOPE_MISSING");
  EXPECT_EQ(make(account, {static_cast<v1::KeyScope>(77)}, made), "BAD_FIELD");
  EXPECT_EQ(make(account, {}, made), "");
  EXPECT_THAT(made.key().scopes(), testing::ElementsAre(v1::KEY_SCOPE_READ, v1::KEY_SCOPE_ACCOUNT));
  EXPECT_EQ(make(carol_.key, {v1::KEY_SCOPE_PLAY}, made), "");
  v1::WhoAmIResponse me;
  EXPECT_TRUE(hall_.Call("AuthService.WhoAmI", made.api_key(), v1::WhoAmIRequest(), &me).ok());
  EXPECT_THAT(me.key().scopes(), testing::ElementsAre(v1::KEY_SCOPE_READ, v1::KEY_SCOPE_PLAY));
}

}  // namespace
}  // namespace astragal::server
