#include "services/algorithms/pairing/round_robin.h"

#include <algorithm>
#include <utility>

namespace astragal::algorithms {
namespace {

// A round of an even table of `places`: the last place stays, the others turn by half of the table
// each round. Board k joins the k-th before and the k-th behind the one who meets the last place,
// who begins in even rounds (counted from 0).
std::vector<Pairing> BergerRound(int places, int round) {
  const int ring = places - 1;
  const int last = places - 1;
  const int pivot = static_cast<int>(static_cast<int64_t>(round) * (places / 2) % ring);
  std::vector<Pairing> boards;
  boards.push_back(round % 2 == 0 ? Pairing{pivot, last} : Pairing{last, pivot});
  for (int board = 1; board < places / 2; ++board) {
    boards.push_back({(pivot + board) % ring, (pivot - board + ring) % ring});
  }
  return boards;
}

}  // namespace

std::vector<std::vector<Pairing>> RoundRobin(int players, const RoundRobinOptions& options) {
  std::vector<std::vector<Pairing>> rounds;
  if (players < 2) return rounds;
  const int places = players + players % 2;
  for (int round = 0; round < places - 1; ++round) {
    rounds.push_back(BergerRound(places, round));
    for (Pairing& board : rounds.back()) {
      if (board.first == players) std::swap(board.first, board.second);
      if (board.second == players) board.second = kNobody;
    }
  }
  const size_t once = rounds.size();
  if (options.swap_last_rounds && once > 1) std::swap(rounds[once - 1], rounds[once - 2]);
  for (size_t i = 0; options.twice && i < once; ++i) {
    // By way of a copy: the list grows.
    std::vector<Pairing> back = rounds[i];
    for (Pairing& board : back) {
      if (board.second != kNobody) std::swap(board.first, board.second);
    }
    rounds.push_back(std::move(back));
  }
  return rounds;
}

std::vector<int> SnakeGroups(int players, int groups) {
  std::vector<int> group_of;
  for (int i = 0; i < players; ++i) {
    const int place = i % groups;
    group_of.push_back(i / groups % 2 == 0 ? place : groups - 1 - place);
  }
  return group_of;
}

}  // namespace astragal::algorithms
