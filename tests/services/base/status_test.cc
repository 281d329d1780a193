#include "services/base/status.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "plugins/host/reason.h"

namespace astragal::base {
namespace {

constexpr int kLastReason = static_cast<int>(Reason::kInternal);

TEST(Reason, EachHasAWordAndACodeOfItsOwn) {
  std::set<std::string> words;
  for (int i = 1; i <= kLastReason; ++i) {
    const ReasonInfo& info = InfoOf(static_cast<Reason>(i));
    const std::string word(info.word);
    EXPECT_EQ(static_cast<int>(info.reason), i);
    EXPECT_FALSE(word.empty());
    EXPECT_TRUE(std::ranges::all_of(word, [](char c) {
      return c == '_' || (c >= 'A' && c <= 'Z');
    })) << word;
    EXPECT_TRUE(words.insert(word).second) << word << " twice";
    EXPECT_NE(info.code, absl::StatusCode::kOk) << word;
    EXPECT_EQ(ReasonFromWord(word), info.reason);
  }
  EXPECT_EQ(ReasonFromWord("NO_SUCH_REASON"), std::nullopt);
  EXPECT_EQ(ReasonFromWord(""), std::nullopt);
}

// What clients were promised: changing a line here breaks them.
TEST(Reason, CodesOfThePublicTable) {
  const struct {
    const char* word;
    absl::StatusCode code;
  } cases[] = {
      {"ILLEGAL_ACTION", absl::StatusCode::kFailedPrecondition},
      {"BAD_NOTATION", absl::StatusCode::kInvalidArgument},
      {"BAD_OPTION", absl::StatusCode::kInvalidArgument},
      {"NOT_YOUR_TURN", absl::StatusCode::kFailedPrecondition},
      {"NOT_SEATED", absl::StatusCode::kPermissionDenied},
      {"STALE_SEQUENCE", absl::StatusCode::kAborted},
      {"STALE_VERSION", absl::StatusCode::kAborted},
      {"SEQUENCE_UNKNOWN", absl::StatusCode::kFailedPrecondition},
      {"REQUEST_ID_REUSED", absl::StatusCode::kInvalidArgument},
      {"PAGE_TOKEN_INVALID", absl::StatusCode::kInvalidArgument},
      {"GAME_OVER", absl::StatusCode::kFailedPrecondition},
      {"RULESET_VERSION_UNAVAILABLE", absl::StatusCode::kFailedPrecondition},
      {"REPLAY_MISMATCH", absl::StatusCode::kDataLoss},
      {"RATE_LIMITED", absl::StatusCode::kResourceExhausted},
      {"MESSAGE_TOO_LARGE", absl::StatusCode::kResourceExhausted},
      {"MAILBOX_FULL", absl::StatusCode::kResourceExhausted},
      {"WATCHER_TOO_SLOW", absl::StatusCode::kResourceExhausted},
      {"STORE_UNAVAILABLE", absl::StatusCode::kUnavailable},
      {"DRAINING", absl::StatusCode::kUnavailable},
      {"TOKEN_INVALID", absl::StatusCode::kUnauthenticated},
      {"TOKEN_EXPIRED", absl::StatusCode::kUnauthenticated},
      {"SCOPE_MISSING", absl::StatusCode::kPermissionDenied},
      {"NOT_FOUND", absl::StatusCode::kNotFound},
      {"RULESET_FAULT", absl::StatusCode::kInternal},
  };
  for (const auto& [word, code] : cases) {
    const std::optional<Reason> reason = ReasonFromWord(word);
    ASSERT_TRUE(reason) << word;
    EXPECT_EQ(InfoOf(*reason).code, code) << word;
  }
}

TEST(Reason, TheReadmeSaysWhenEachIsUsed) {
  std::ifstream file(ASTRAGAL_SOURCE_DIR "/services/base/README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), {});
  for (int i = 1; i <= kLastReason; ++i) {
    const std::string word(InfoOf(static_cast<Reason>(i)).word);
    EXPECT_NE(readme.find("| `" + word + "` |"), std::string::npos) << word;
  }
}

TEST(Error, CarriesReasonAndDetails) {
  const absl::Status status = Error(Reason::kStaleSequence, "moved on")
                                  .With("current_sequence", 17)
                                  .With("note", "a b")
                                  .RetryAfterMs(250);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(), "moved on");
  EXPECT_EQ(ReasonOf(status), Reason::kStaleSequence);
  const std::map<std::string, std::string> expected = {
      {"current_sequence", "17"}, {"note", "a b"}, {"retry_after_ms", "250"}};
  EXPECT_EQ(DetailsOf(status), expected);
}

TEST(Error, ALaterValueReplacesAnEarlierOne) {
  const absl::Status status = Error(Reason::kBadField, "x").With("field", "a").With("field", "b");
  EXPECT_EQ(DetailsOf(status).at("field"), "b");
}

TEST(ReasonOf, StatusesOfOthersHaveNone) {
  EXPECT_EQ(ReasonOf(absl::OkStatus()), Reason::kUnspecified);
  EXPECT_EQ(ReasonOf(absl::NotFoundError("x")), Reason::kUnspecified);
  EXPECT_TRUE(DetailsOf(absl::NotFoundError("x")).empty());
  absl::Status odd = absl::NotFoundError("x");
  odd.SetPayload("astragal/reason", absl::Cord("SOMETHING_NEW"));
  odd.SetPayload("other/field", absl::Cord("y"));
  EXPECT_EQ(ReasonOf(odd), Reason::kUnspecified);
  EXPECT_TRUE(DetailsOf(odd).empty());
}

// The plugin host does not know this room; the words and payloads must be the same.
TEST(ReasonOf, UnderstandsThePluginHost) {
  for (const absl::string_view word : {host::kIllegalAction, host::kGameOver, host::kBadNotation,
                                       host::kBadOption, host::kRulesetFault}) {
    const absl::Status status = host::ReasonError(word, "why", "length");
    const ReasonInfo& info = InfoOf(ReasonOf(status));
    EXPECT_EQ(info.word, std::string(word));
    EXPECT_EQ(info.code, status.code()) << word;
    EXPECT_EQ(DetailsOf(status).at("field"), "length");
  }
  const absl::Status ours = Error(Reason::kBadNotation, "why").With("field", "text");
  EXPECT_EQ(host::ReasonOf(ours), "BAD_NOTATION");
  EXPECT_EQ(host::FieldOf(ours), "text");
}

TEST(IsTransient, WhatWaitingMayCure) {
  const std::set<Reason> transient = {Reason::kStoreUnavailable, Reason::kDraining,
                                      Reason::kMailboxFull, Reason::kRateLimited};
  for (int i = 1; i <= kLastReason; ++i) {
    const auto reason = static_cast<Reason>(i);
    EXPECT_EQ(IsTransient(Error(reason, "x")), transient.contains(reason)) << InfoOf(reason).word;
  }
  EXPECT_FALSE(IsTransient(absl::OkStatus()));
}

}  // namespace
}  // namespace astragal::base
