// Finding somebody to play with.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "services/cli/clock_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/lobby_text.h"
#include "services/cli/match_options.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

constexpr absl::Duration kLookEvery = absl::Seconds(1);

struct ProposalOptions {
  std::string opponent;
  std::string ruleset;
  std::string preset;
  std::vector<std::string> options;
  std::string seat;
  std::string clock;
  MatchOptions match;
  bool rated = false;
  bool contributions = false;
  int min_completion = 0;
  bool unlisted = false;
  bool is_private = false;
  int64_t minutes = 0;
  bool wait = false;
  bool no_wait = false;
  bool json = false;
};

// ---- From words to terms

absl::Status SetSeat(Client& client, const ProposalOptions& options, v1::ProposalTerms& terms) {
  if (options.seat.empty()) return absl::OkStatus();
  absl::StatusOr<int> seat = ReadSeat(options.seat, {});  // a number needs no names
  if (!seat.ok()) {
    v1::GetRulesetRequest request;
    request.set_ruleset_id(options.ruleset);
    const auto ruleset = client.Call(request);
    if (!ruleset.ok()) return ruleset.status();
    const auto& names = ruleset->ruleset().seat_names();
    seat = ReadSeat(options.seat, {names.begin(), names.end()});
  }
  if (!seat.ok()) return seat.status();
  terms.set_seat(*seat);
  return absl::OkStatus();
}

absl::Status SetTerms(Client& client, const ProposalOptions& options, v1::ProposalTerms& terms) {
  terms.set_ruleset_id(options.ruleset);
  terms.set_preset(options.preset);
  for (const std::string& option : options.options) {
    if (absl::Status read = ReadGameOption(option, *terms.mutable_options()); !read.ok()) {
      return read;
    }
  }
  if (!options.clock.empty()) {
    const absl::StatusOr<v1::ClockPolicy> clock = ReadClockPolicy(options.clock);
    if (!clock.ok()) return clock.status();
    *terms.mutable_clock_policy() = *clock;
  }
  if (!options.match.match.empty()) {
    if (absl::Status read = ReadMatch(options.match, *terms.mutable_match()); !read.ok()) {
      return read;
    }
  }
  terms.set_rated(options.rated);
  terms.set_invite_contributions(options.contributions);
  terms.set_min_completion_percent(options.min_completion);
  if (options.unlisted) terms.set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  if (options.is_private) terms.set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  return SetSeat(client, options, terms);
}

absl::Status SetOpponent(Client& client, const ProposalOptions& options,
                         v1::CreateChallengeRequest& request) {
  v1::GetPlayerRequest get;
  get.set_name(options.opponent);
  const auto player = client.Call(get);
  if (!player.ok()) return player.status();
  request.set_opponent_id(player->player().player_id());
  return absl::OkStatus();
}

// ---- Proposing

void PrintGame(Context& context, const std::string& game_id) {
  // The id alone goes to standard output, so that a script can take it.
  context.out() << game_id << "\n" << std::flush;
  context.err() << "Go on with:  " << context.ProgramForOthers() << " play " << game_id << "\n";
}

absl::Status AwaitGame(Context& context, Client& client, v1::Proposal proposal, bool json) {
  v1::GetProposalRequest request;
  request.set_proposal_id(proposal.proposal_id());
  while (proposal.state() == v1::PROPOSAL_STATE_OPEN) {
    absl::SleepFor(kLookEvery);
    auto answer = client.Call(request);
    if (!answer.ok()) return answer.status();
    proposal = std::move(*answer->mutable_proposal());
  }
  if (proposal.state() != v1::PROPOSAL_STATE_TAKEN) {
    return absl::FailedPreconditionError("Nobody came: the proposal is " +
                                         std::string(ProposalStateWord(proposal.state())) + ".");
  }
  if (json) {
    context.out() << JsonDocument(proposal) << "\n";
  } else {
    PrintGame(context, proposal.game_id());
  }
  return absl::OkStatus();
}

template <typename Request>
absl::Status Propose(Context& context, const ProposalOptions& options, Request request, bool wait) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  absl::Status set = SetTerms(**client, options, *request.mutable_terms());
  if constexpr (requires { request.opponent_id(); }) {
    if (set.ok()) set = SetOpponent(**client, options, request);
  }
  if (!set.ok()) return set;
  request.set_open_seconds(options.minutes * 60);
  const auto made = (*client)->Call(request);
  if (!made.ok()) return made.status();
  const v1::Proposal& proposal = made->proposal();
  const std::string program = context.ProgramForOthers();
  if (wait) {
    context.err() << "Waiting as " << proposal.proposal_id() << " until "
                  << TimeText(proposal.expire_time()) << " UTC. Whoever ends this program may look "
                  << "again with `" << program << " lobby --mine`.\n";
    return AwaitGame(context, **client, proposal, options.json);
  }
  if (options.json) {
    context.out() << JsonDocument(proposal) << "\n";
    return absl::OkStatus();
  }
  context.out() << proposal.proposal_id() << "\n" << std::flush;
  context.err() << ProposalText(proposal) << "\n";
  if (proposal.kind() != v1::PROPOSAL_KIND_TICKET) {
    context.err() << "The other one types:  " << program << " accept " << proposal.proposal_id()
                  << "\n";
  }
  return absl::OkStatus();
}

std::shared_ptr<ProposalOptions> AddTerms(CLI::App& app) {
  auto options = std::make_shared<ProposalOptions>();
  app.add_option("RULESET", options->ruleset, "One of `astragal rulesets`")->required();
  app.add_option("--preset", options->preset, "A named set of options (default: standard)");
  app.add_option("--option", options->options, "NAME=VALUE, on top of the preset; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--clock", options->clock, "For example delay:14m+8s, fischer:5m+3s or turn:3d");
  AddMatchOptions(app, options->match);
  app.add_flag("--rated", options->rated, "It counts for ratings");
  app.add_option("--min-completion", options->min_completion,
                 "Who accepts has completed so many percent of the last rated games")
      ->check(CLI::Range(0, 100));
  app.add_flag("--contributions", options->contributions,
               "Each game waits up to 4 seconds for what the players add to its dice");
  app.add_flag("--unlisted", options->unlisted, "The game is in no list");
  app.add_option("--minutes", options->minutes, "How long it stays open")
      ->check(CLI::Range(1, 14 * 24 * 60));
  app.add_flag("--json", options->json, "Print the proposal as JSON");
  return options;
}

void AddSeat(CLI::App& app, ProposalOptions& options) {
  app.add_option("--seat", options.seat, "Your seat, by number from 0 or by name (default: any)");
}

// ---- Answering

absl::Status RunAccept(Context& context, const std::string& id, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::AcceptProposalRequest request;
  request.set_proposal_id(id);
  const auto accepted = (*client)->Call(request);
  if (!accepted.ok()) return accepted.status();
  if (json) {
    context.out() << JsonDocument(*accepted) << "\n";
    return absl::OkStatus();
  }
  context.err() << "You play " << Seats(accepted->game()).Name(accepted->seat()) << ". "
                << SeatsText(accepted->game()) << "\n";
  PrintGame(context, accepted->game().game_id());
  return absl::OkStatus();
}

template <typename Request>
absl::Status RunClose(Context& context, const std::string& id, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  Request request;
  request.set_proposal_id(id);
  const auto closed = (*client)->Call(request);
  if (!closed.ok()) return closed.status();
  if (json) {
    context.out() << JsonDocument(closed->proposal()) << "\n";
  } else {
    context.out() << "The proposal is " << ProposalStateWord(closed->proposal().state()) << ".\n";
  }
  return absl::OkStatus();
}

absl::Status RunRematch(Context& context, const std::string& game, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::RequestRematchRequest request;
  request.set_game_id(game);
  const auto asked = (*client)->Call(request);
  if (!asked.ok()) return asked.status();
  if (json) {
    context.out() << JsonDocument(*asked) << "\n";
  } else if (asked->has_game()) {
    PrintGame(context, asked->game().game_id());
  } else {
    context.out() << asked->proposal().proposal_id() << "\n" << std::flush;
    context.err() << "Asked " << asked->proposal().opponent_name()
                  << ", who types:  " << context.ProgramForOthers() << " rematch " << game << "\n";
  }
  return absl::OkStatus();
}

// ---- Looking

struct LobbyOptions {
  bool mine = false;
  bool watch = false;
  bool json = false;
};

template <typename Request>
absl::Status PrintProposals(Context& context, Client& client, Request request, bool json) {
  auto all = client.Call(request);
  if (!all.ok()) return all.status();
  while (!all->next_page_token().empty()) {
    request.set_page_token(all->next_page_token());
    const auto page = client.Call(request);
    if (!page.ok()) return page.status();
    all->clear_next_page_token();
    all->MergeFrom(*page);
  }
  if (json) {
    context.out() << JsonDocument(*all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {ProposalHeading()};
  for (const v1::Proposal& proposal : all->proposals()) rows.push_back(ProposalRow(proposal));
  context.out() << TableText(rows);
  if (all->proposals().empty()) {
    context.err() << "Nobody waits; `astragal seek RULESET` proposes a game.\n";
  }
  return absl::OkStatus();
}

void PrintMessage(Context& context, const v1::WatchLobbyResponse& message) {
  for (const v1::Proposal& seek : message.snapshot().seeks()) {
    context.out() << "+ " << ProposalText(seek) << "\n";
  }
  for (const v1::Proposal& seek : message.change().opened()) {
    context.out() << "+ " << ProposalText(seek) << "\n";
  }
  for (const v1::Proposal& seek : message.change().closed()) {
    context.out() << "- " << ProposalText(seek) << ", " << ProposalStateWord(seek.state())
                  << (seek.game_id().empty() ? "" : " as game " + seek.game_id()) << "\n";
  }
  context.out() << std::flush;
}

absl::Status WatchSeeks(Context& context, bool json) {
  StreamStop stop;
  return context.Anonymous().Stream(v1::WatchLobbyRequest(), stop,
                                    [&](const v1::WatchLobbyResponse& message) {
                                      if (json) {
                                        context.out() << JsonLine(message) << "\n" << std::flush;
                                      } else {
                                        PrintMessage(context, message);
                                      }
                                      return true;
                                    });
}

absl::Status RunLobby(Context& context, const LobbyOptions& options) {
  if (options.watch) return WatchSeeks(context, options.json);
  if (!options.mine) {
    return PrintProposals(context, context.Anonymous(), v1::ListSeeksRequest(), options.json);
  }
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  return PrintProposals(context, **client, v1::ListMyProposalsRequest(), options.json);
}

// What one id is asked for.
Action DefineWithId(CLI::App& app, const char* name, const char* what,
                    absl::Status (*run)(Context&, const std::string&, bool)) {
  auto id = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  app.add_option(name, *id, what)->required();
  app.add_flag("--json", *json, "Print the server's answer as JSON");
  return [id, json, run](Context& context) { return run(context, *id, *json); };
}

}  // namespace

Action DefineSeek(CLI::App& app) {
  const auto options = AddTerms(app);
  AddSeat(app, *options);
  app.add_flag("--wait", options->wait, "Wait until somebody accepts; prints the game's id");
  return [options](Context& context) {
    return Propose(context, *options, v1::CreateSeekRequest(), options->wait);
  };
}

Action DefineChallenge(CLI::App& app) {
  auto opponent = std::make_shared<std::string>();
  app.add_option("PLAYER", *opponent, "Whom, by name")->required();
  const auto options = AddTerms(app);
  AddSeat(app, *options);
  app.add_flag("--private", options->is_private, "Nobody else can see the game");
  app.add_flag("--wait", options->wait, "Wait until it is accepted; prints the game's id");
  return [options, opponent](Context& context) {
    options->opponent = *opponent;
    return Propose(context, *options, v1::CreateChallengeRequest(), options->wait);
  };
}

Action DefineQueue(CLI::App& app) {
  const auto options = AddTerms(app);
  app.add_flag("--no-wait", options->no_wait, "Print the ticket's id and do not wait for the game");
  return [options](Context& context) {
    return Propose(context, *options, v1::CreateTicketRequest(), !options->no_wait);
  };
}

Action DefineAccept(CLI::App& app) {
  return DefineWithId(app, "PROPOSAL", "The seek's or challenge's id", RunAccept);
}

Action DefineDecline(CLI::App& app) {
  return DefineWithId(app, "PROPOSAL", "The challenge's id", RunClose<v1::DeclineChallengeRequest>);
}

Action DefineWithdraw(CLI::App& app) {
  return DefineWithId(app, "PROPOSAL", "The id of your seek, challenge or ticket",
                      RunClose<v1::WithdrawProposalRequest>);
}

Action DefineRematch(CLI::App& app) {
  return DefineWithId(app, "GAME", "The id of the game that is over", RunRematch);
}

Action DefineLobby(CLI::App& app) {
  auto options = std::make_shared<LobbyOptions>();
  auto* mine = app.add_flag("--mine", options->mine, "Your open proposals, and challenges to you");
  app.add_flag("--watch", options->watch, "Go on with what changes")->excludes(mine);
  app.add_flag("--json", options->json, "Print as JSON; with --watch one message a line");
  return [options](Context& context) { return RunLobby(context, *options); };
}

}  // namespace astragal::cli
