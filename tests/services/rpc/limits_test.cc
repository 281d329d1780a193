// The limits of calls: who is told apart, what an accepted game is promised, and the capacity.
#include "services/rpc/limits.h"

#include <gtest/gtest.h>

#include "services/base/status.h"

namespace astragal::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000;

base::PlayerId Player(uint8_t number) {
  base::IdBytes bytes{};
  bytes[0] = 1;
  bytes[15] = number;
  return base::PlayerId(bytes);
}

TEST(Limits, AddressesAreHostsOfIpv4AndNetworksOfIpv6) {
  const struct {
    const char* name;
    const char* one;
    const char* other;
    bool same;
  } cases[] = {
      {"ports of a host", "ipv4:192.0.2.1:1000", "ipv4:192.0.2.1:2000", true},
      {"two hosts", "ipv4:192.0.2.1:1000", "ipv4:192.0.2.2:1000", false},
      {"as a proxy writes it", "ipv4:192.0.2.1:1000", "192.0.2.1", true},
      {"hosts of a network", "ipv6:[2001:db8::1]:1", "ipv6:[2001:db8::ffff:2]:2", true},
      {"as gRPC escapes it", "ipv6:%5B2001:db8::1%5D:1", "ipv6:[2001:db8::1]:1", true},
      {"two networks", "ipv6:[2001:db8::1]:1", "ipv6:[2001:db8:0:1::1]:1", false},
      {"IPv4 within IPv6", "ipv6:[::ffff:192.0.2.1]:1", "ipv4:192.0.2.1:1", true},
  };
  for (const auto& c : cases) {
    EXPECT_NE(AddressSubject(c.one), 0U) << c.name;
    EXPECT_EQ(AddressSubject(c.one) == AddressSubject(c.other), c.same) << c.name;
  }
  for (const char* here : {"ipv4:127.0.0.1:5", "ipv6:[::1]:5", "unix:/tmp/x", "127.9.9.9", "",
                           "ipv6:[::ffff:127.0.0.1]:5", "nonsense"}) {
    EXPECT_EQ(AddressSubject(here), 0U) << here;
  }
}

// Those of `tries` that pass at one instant.
template <typename Take>
int Passed(int tries, Take take) {
  int passed = 0;
  for (int i = 0; i < tries; ++i) passed += take().ok() ? 1 : 0;
  return passed;
}

TEST(Limits, AnAcceptedGameIsNotThrottledByWhatItsPlayerDoesElsewhere) {
  const LimitValues values;
  Limits limits(values);
  int64_t now = kSecond;
  const auto act = [&](uint64_t game) {
    return [&, game] { return limits.TakeKey(Player(1), Effect::kActs, game, now); };
  };
  EXPECT_TRUE(act(7)().ok());
  limits.Accepted(Player(1), 7, now);
  // Its player uses up everything else there is.
  Passed(1'000, [&] { return limits.TakeKey(Player(1), Effect::kLooks, 0, now); });
  for (uint64_t game = 100; game < 1'100; ++game) Passed(1, act(game));
  EXPECT_FALSE(act(8)().ok()) << "a game in which it has not acted";
  // Ten actions in each of ten seconds, which no clock asks for.
  int passed = 0;
  for (int i = 0; i < 100; ++i) {
    now += kSecond / 10;
    Passed(1'000, [&] { return limits.TakeKey(Player(1), Effect::kLooks, 0, now); });
    Passed(100, act(8));
    passed += Passed(1, act(7));
  }
  EXPECT_EQ(passed, 100);
  const int at_once = Passed(1'000, act(7));
  EXPECT_LE(at_once, static_cast<int>(values.actions_per_game.burst + 1));
}

TEST(Limits, RefusalsSayWhichLimitWhoseAndHowLong) {
  LimitValues values;
  values.begins_per_key = {1, 1};
  Limits limits(values);
  EXPECT_TRUE(limits.TakeKey(Player(1), Effect::kBegins, 0, kSecond).ok());
  const absl::Status refused = limits.TakeKey(Player(1), Effect::kBegins, 0, kSecond);
  EXPECT_EQ(base::ReasonOf(refused), base::Reason::kRateLimited);
  auto details = base::DetailsOf(refused);
  EXPECT_EQ(details["limit"], "begins_per_key");
  EXPECT_EQ(details["subject"], "key");
  EXPECT_EQ(details["retry_after_ms"], "1001");
  EXPECT_TRUE(limits.TakeKey(Player(1), Effect::kLooks, 0, kSecond).ok());
  EXPECT_TRUE(limits.TakeKey(Player(2), Effect::kBegins, 0, kSecond).ok());
  EXPECT_TRUE(limits.TakeKey(Player(1), Effect::kBegins, 0, 3 * kSecond).ok());
}

TEST(Limits, TriesAndStreamsAreCounted) {
  LimitValues values;
  values.streams_per_key = 3;
  values.streams_per_address = 5;
  Limits limits(values);
  const uint64_t address = AddressSubject("192.0.2.1");
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(limits.LookFailures(address, kSecond).ok()) << i;
    limits.CountFailure(address, kSecond);
  }
  EXPECT_FALSE(limits.LookFailures(address, kSecond).ok()) << "by the 20th try";
  EXPECT_TRUE(limits.LookFailures(AddressSubject("192.0.2.2"), kSecond).ok());
  EXPECT_TRUE(limits.LookFailures(0, kSecond).ok());

  EXPECT_EQ(Passed(9, [&] { return limits.AddStream(Player(1), address); }), 3);
  EXPECT_EQ(Passed(9, [&] { return limits.AddStream(Player(2), address); }), 2);
  EXPECT_EQ(Passed(9, [&] { return limits.AddStream(Player(2), 0); }), 1);
  limits.EndStream(Player(1), address);
  EXPECT_EQ(Passed(9, [&] { return limits.AddStream(Player(1), address); }), 1);
}

TEST(Limits, WhereOnlyThisMachineIsServedNothingIsCounted) {
  LimitValues values;
  values.enforced = false;
  Limits limits(values);
  const auto take = [&] { return limits.TakeKey(Player(1), Effect::kBegins, 0, kSecond); };
  EXPECT_EQ(Passed(10'000, take), 10'000);
  EXPECT_EQ(Passed(1'000, [&] { return limits.AddStream(Player(1), 77); }), 1'000);
}

TEST(Limits, CapacityIsSharedAndActionsAreRefusedLast) {
  LimitValues values;
  values.enforced = false;  // capacity is of the server, whoever calls
  values.capacity = 1'000;
  Limits limits(values);
  int64_t now = kSecond;
  const auto take = [&](Effect effect) {
    return [&, effect] { return limits.TakeCapacity(effect, now); };
  };
  EXPECT_EQ(Passed(1'000, take(Effect::kBegins)), 70);
  EXPECT_EQ(Passed(1'000, take(Effect::kActs)), 30) << "what is kept for actions";
  // Ten times as much as there is, for ten seconds.
  int passed = 0;
  for (int i = 0; i < 100'000; ++i) {
    now += 100;
    passed += Passed(1, take(Effect::kActs));
  }
  EXPECT_NEAR(passed, 10'000, 10);
  limits.set_capacity(0);
  EXPECT_EQ(Passed(1'000, take(Effect::kBegins)), 1'000);
}

}  // namespace
}  // namespace astragal::rpc
