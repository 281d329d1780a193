// What the seats of a game add to its dice, so that nobody chose the throws alone.
//
// Who wants to contribute pledges first: the SHA-256 of at most 32 bytes of the seat's own making.
// A pledge can be given from joining on. When all seats are taken and somebody has pledged (or the
// game was created with an invitation) the game is CONTRIBUTING instead of running:
//   - for kContributionWindowMs the other seats may pledge too; with the last pledge, or at the end
//     of that time, pledges are closed;
//   - for another kContributionWindowMs those who pledged may send their contributions. With the
//     last one, or at the end of that time, the game starts. One that is missing is empty.
// So every hash is there before any contribution is shown, and no seat can fit its own to
// another's.
//
// Part of the fold over the log (Proceedings). Values and pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_CONTRIBUTIONS_H_
#define ASTRAGAL_SERVICES_CORE_CONTRIBUTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "services/base/bytes.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"

namespace astragal::core {

inline constexpr size_t kMaxContributionBytes = 32;
inline constexpr int64_t kContributionWindowMs = 2'000;

struct Contributions {
  struct OfSeat {
    base::Bytes32 pledge{};
    std::string given;  // empty until it is sent

    friend bool operator==(const OfSeat&, const OfSeat&) = default;
  };
  bool invited = false;            // by the game's creator
  bool closed = false;             // no more pledges
  base::Instant since;             // when the present wait began
  std::map<int8_t, OfSeat> seats;  // that have pledged

  friend bool operator==(const Contributions&, const Contributions&) = default;
};

// Somebody is to be waited for, or was.
bool IsAwaited(const Contributions& contributions);
bool AllPledged(const Contributions& contributions, size_t seats);
// Pledges are closed and everything that was pledged is there.
bool AllGiven(const Contributions& contributions);

void AddPledge(Contributions& contributions, int8_t seat, const base::Bytes32& pledge);
void DropPledge(Contributions& contributions, int8_t seat);
void ClosePledges(Contributions& contributions, base::Instant at);
// False for anything but what the seat has pledged.
bool AddContribution(Contributions& contributions, int8_t seat, const std::string& given);

// One entry for each seat: its contribution, empty where there is none.
std::vector<std::string> GivenBySeat(const Contributions& contributions, size_t seats);

// Layout, integers little-endian: u8 invited | u8 closed | i64 since | u8 count, then for each that
// has pledged i8 seat | pledge (32) | u8 length and bytes of the contribution.
void Put(const Contributions& contributions, base::ByteWriter& out);
Contributions GetContributions(base::ByteReader& in);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_CONTRIBUTIONS_H_
