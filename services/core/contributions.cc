#include "services/core/contributions.h"

#include <algorithm>

namespace astragal::core {

bool IsAwaited(const Contributions& contributions) {
  return contributions.invited || !contributions.seats.empty();
}

bool AllPledged(const Contributions& contributions, size_t seats) {
  return contributions.seats.size() == seats;
}

bool AllGiven(const Contributions& contributions) {
  return contributions.closed && std::ranges::none_of(contributions.seats, [](const auto& seat) {
           return seat.second.given.empty();
         });
}

void AddPledge(Contributions& contributions, int8_t seat, const base::Bytes32& pledge) {
  contributions.seats[seat] = {pledge, {}};
}

void DropPledge(Contributions& contributions, int8_t seat) { contributions.seats.erase(seat); }

void ClosePledges(Contributions& contributions, base::Instant at) {
  contributions.closed = true;
  contributions.since = at;
}

bool AddContribution(Contributions& contributions, int8_t seat, const std::string& given) {
  const auto pledged = contributions.seats.find(seat);
  if (pledged == contributions.seats.end() || given.empty()) return false;
  if (given.size() > kMaxContributionBytes) return false;
  if (base::Sha256(given) != pledged->second.pledge) return false;
  pledged->second.given = given;
  return true;
}

std::vector<std::string> GivenBySeat(const Contributions& contributions, size_t seats) {
  std::vector<std::string> given(seats);
  for (const auto& [seat, of_seat] : contributions.seats) {
    if (static_cast<size_t>(seat) < seats) given[static_cast<size_t>(seat)] = of_seat.given;
  }
  return given;
}

void Put(const Contributions& contributions, base::ByteWriter& out) {
  out.Put(static_cast<uint8_t>(contributions.invited));
  out.Put(static_cast<uint8_t>(contributions.closed)).Put(contributions.since.micros);
  out.Put(static_cast<uint8_t>(contributions.seats.size()));
  for (const auto& [seat, of_seat] : contributions.seats) {
    out.Put(seat).Put(of_seat.pledge);
    out.Put(static_cast<uint8_t>(of_seat.given.size())).Put(std::string_view(of_seat.given));
  }
}

Contributions GetContributions(base::ByteReader& in) {
  Contributions contributions;
  contributions.invited = in.Get<uint8_t>() != 0;
  contributions.closed = in.Get<uint8_t>() != 0;
  contributions.since.micros = in.Get<int64_t>();
  const int count = in.Get<uint8_t>();
  for (int i = 0; i < count && in.ok(); ++i) {
    const auto seat = in.Get<int8_t>();
    Contributions::OfSeat& of_seat = contributions.seats[seat];
    of_seat.pledge = in.GetArray<32>();
    of_seat.given = std::string(in.Take(in.Get<uint8_t>()));
  }
  return contributions;
}

}  // namespace astragal::core
