// What tests of the lobby share: a lobby on each of two nodes, over one simulated database.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_LOBBY_FIXTURE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_LOBBY_FIXTURE_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "services/core/lobby.h"
#include "tests/services/core/sim/core_test.h"
#include "tests/services/core/sim/simulated_lobby_store.h"
#include "tests/services/core/sim/simulated_match_store.h"

namespace astragal::tests {

using core::Acceptance;
using core::Lobby;
using core::MutationStamp;
using core::NewProposal;
using core::Proposal;
using core::ProposalId;
using storage::ProposalKind;
using storage::ProposalState;
using Accepted = absl::StatusOr<Acceptance>;

struct Letter {
  int answers = 0;
  Accepted result = absl::UnknownError("no answer");
  Lobby::Done Done() {
    return [this](Accepted answer) {
      ++answers;
      result = std::move(answer);
    };
  }
};

class LobbyTest : public CoreTest {
 protected:
  MutationStamp Stamp(int player, const std::string& body = "body") {
    return {Player(static_cast<uint8_t>(player)), Request(++requests_), Body(body)};
  }
  static NewProposal Asked(ProposalKind kind = ProposalKind::kSeek, int opponent = 0) {
    NewProposal asked;
    asked.kind = kind;
    asked.terms.ruleset = "race";
    if (opponent != 0) asked.opponent = Player(static_cast<uint8_t>(opponent));
    return asked;
  }
  Proposal Made(int player, const NewProposal& asked) {
    const auto made = lobby_a_.Propose(asked, Stamp(player));
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? *made : Proposal{};
  }
  Proposal Seek(int player) { return Made(player, Asked()); }

  Accepted Await(Letter& letter) {
    for (int ms = 0; ms < 2'000 && letter.answers == 0; ++ms) {
      RunAll();
      clock_.Advance(1'000);
    }
    EXPECT_EQ(letter.answers, 1);
    return letter.result;
  }
  Accepted Accept(Lobby& lobby, ProposalId id, const MutationStamp& stamp) {
    Letter letter;
    lobby.Accept(id, stamp, letter.Done());
    return Await(letter);
  }
  Accepted Rematch(Lobby& lobby, GameId game, const MutationStamp& stamp) {
    Letter letter;
    lobby.Rematch(game, stamp, letter.Done());
    return Await(letter);
  }
  // The game of a fresh seek, resigned.
  GameId Finished() {
    const Accepted game = Accept(lobby_b_, Seek(1).record.id, Stamp(2));
    const GameId id = game->game->after->facts->id;
    EXPECT_TRUE(Do(*a_, id, ResignBy(1, ++requests_)).ok());
    clock_.Advance(1'000'000);
    return id;
  }
  static Reason Why(const absl::Status& status) { return base::ReasonOf(status); }
  // All games there are, newest first.
  std::vector<storage::GameSummary> Games() { return store_.List({}, {}, 1'000).value(); }
  ProposalState StateOfProposal(ProposalId id) { return lobby_store_.GetProposal(id)->state; }

  uint64_t requests_ = 1'000;
  SimulatedLobbyStore lobby_store_{clock_, store_};
  SimulatedMatchStore match_store_{store_};
  std::map<base::PlayerId, int> completion_;  // in percent, of those who have missed something
  const Lobby::FindCompletion find_completion_ = [this](base::PlayerId player) {
    const auto found = completion_.find(player);
    return absl::StatusOr<int>(found == completion_.end() ? 100 : found->second);
  };
  Lobby lobby_a_{a_->games, lobby_store_, match_store_, find_completion_};
  Lobby lobby_b_{b_->games, lobby_store_, match_store_, find_completion_};
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_LOBBY_FIXTURE_H_
