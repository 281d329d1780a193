// Failures: from the wire's bytes to what a person reads and a script branches on.
#include "services/cli/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/random.h"
#include "services/base/status.h"
#include "services/cli/call_status.h"
#include "services/cli/retry.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Details(const std::string& reason) {
  google::rpc::Status wire;
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("astragal");
  (*info.mutable_metadata())["current_sequence"] = "17";
  wire.add_details()->PackFrom(info);
  return wire.SerializeAsString();
}

TEST(DecodeStatusTest, KeepsReasonAndMetadata) {
  const absl::Status status = DecodeStatus(10, "moved on", Details("STALE_SEQUENCE"));
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(base::ReasonOf(status), base::Reason::kStaleSequence);
  EXPECT_EQ(base::DetailsOf(status).at("current_sequence"), "17");
}

TEST(DecodeStatusTest, KeepsWordsOfNewerServers) {
  EXPECT_EQ(ReasonWordOf(DecodeStatus(9, "no", Details("FUTURE_WORD"))), "FUTURE_WORD");
}

TEST(DecodeStatusTest, ReadsFieldsDelaysAndLimits) {
  google::rpc::Status wire;
  google::rpc::BadRequest bad;
  bad.add_field_violations()->set_field("options[seats]");
  bad.add_field_violations()->set_field("preset");
  wire.add_details()->PackFrom(bad);
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(2);
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  wire.add_details()->PackFrom(retry);
  google::rpc::QuotaFailure quota;
  quota.add_violations()->set_description("8 streams");
  wire.add_details()->PackFrom(quota);
  const absl::Status status = DecodeStatus(8, "no", wire.SerializeAsString());
  EXPECT_EQ(base::DetailsOf(status).at("field"), "options[seats], preset");
  EXPECT_EQ(base::DetailsOf(status).at("limit"), "8 streams");
  EXPECT_EQ(RetryDelayOf(status), absl::Milliseconds(2'500));
}

TEST(DecodeStatusTest, BytesThatAreNoStatusChangeNothing) {
  const absl::Status status = DecodeStatus(14, "gone", "\xff\xff\xff nonsense");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "gone");
  EXPECT_EQ(ReasonWordOf(status), "");
  EXPECT_EQ(RetryDelayOf(status), std::nullopt);
}

struct Meaning {
  std::string name;
  absl::Status status;
  int exit_code;
  bool worth_repeating;
  std::string says;
};

class MeaningTest : public testing::TestWithParam<Meaning> {};

TEST_P(MeaningTest, Is) {
  EXPECT_EQ(ExitCodeOf(GetParam().status), GetParam().exit_code);
  EXPECT_EQ(IsWorthRepeating(GetParam().status), GetParam().worth_repeating);
  EXPECT_THAT(Explain(GetParam().status), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Failures, MeaningTest,
    testing::Values(
        Meaning{"usage", UsageError("an option is NAME=VALUE"), 2, false, "--help"},
        Meaning{"notation", DecodeStatus(3, "what is 'x'?", Details("BAD_NOTATION")), 1, false,
                "BAD_NOTATION: what is 'x'?"},
        Meaning{"not_seated", base::Error(base::Reason::kNotSeated, "no seat"), 1, false,
                "astragal join GAME"},
        Meaning{"no_key", base::Error(base::Reason::kTokenMissing, "nobody"), 1, false,
                "astragal player new NAME"},
        Meaning{"stale", DecodeStatus(10, "moved on", Details("STALE_SEQUENCE")), 1, false,
                "current_sequence: 17"},
        Meaning{"aborted_without_reason", absl::AbortedError("again"), 1, true, "again"},
        Meaning{"connection_broke", absl::UnknownError("Stream removed"), 1, true,
                "Stream removed"},
        Meaning{"server_fault", DecodeStatus(13, "fault", Details("RULESET_FAULT")), 1, false,
                "RULESET_FAULT"},
        Meaning{"down", absl::UnavailableError("failed to connect"), 3, true, "deploy/run"},
        Meaning{"draining", base::Error(base::Reason::kDraining, "stopping"), 3, true, "DRAINING"},
        Meaning{"late", absl::DeadlineExceededError("late"), 3, true, "--timeout"},
        Meaning{"mailbox", base::Error(base::Reason::kMailboxFull, "full"), 1, true,
                "MAILBOX_FULL"},
        Meaning{"local", absl::FailedPreconditionError("keys: others can read these"), 1, false,
                "keys: others can read these"}),
    [](const testing::TestParamInfo<Meaning>& the) { return the.param.name; });

TEST(ExplainTest, ALocalFailureNeedsNoWord) {
  EXPECT_EQ(Explain(absl::FailedPreconditionError("keys: unreadable")), "keys: unreadable");
}

TEST(ExplainTest, KeepsDetailsForProgramsToItself) {
  const absl::Status status =
      base::Error(base::Reason::kStoreUnavailable, "away").RetryAfterMs(1'000);
  EXPECT_THAT(Explain(status), Not(HasSubstr("retry_after_ms")));
}

TEST(BackoffTest, GrowsToItsLimitAndStartsAnew) {
  base::SystemRandom random;
  Backoff backoff(random);
  const absl::Status away = absl::UnavailableError("away");
  absl::Duration planned = Backoff::kFirst;
  for (int i = 0; i < 10; ++i) {
    const absl::Duration wait = backoff.Next(away);
    EXPECT_LE(wait, planned) << i;
    EXPECT_GE(wait, planned / 2) << i;
    planned = std::min(planned * 2, Backoff::kMost);
  }
  backoff.Reset();
  EXPECT_LE(backoff.Next(away), Backoff::kFirst);
}

TEST(BackoffTest, WaitsAsLongAsTheServerAsks) {
  base::SystemRandom random;
  const absl::Status busy = base::Error(base::Reason::kMailboxFull, "full").RetryAfterMs(7'000);
  EXPECT_GE(Backoff(random).Next(busy), absl::Seconds(7));
}

}  // namespace
}  // namespace astragal::cli
