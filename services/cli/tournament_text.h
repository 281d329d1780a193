// How tournaments are shown to people, and the words that are typed of them. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_TOURNAMENT_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_TOURNAMENT_TEXT_H_

#include <google/protobuf/repeated_field.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "astragal/v1/tournament.pb.h"
#include "astragal/v1/tournament_service.pb.h"

namespace astragal::cli {

// "swiss", "to-losses", "round-robin", "single", "double", "tables", "arena", "ladder".
std::vector<std::string> FormatWords();
v1::TournamentFormat FormatFromWord(std::string_view word);
std::string FormatWord(v1::TournamentFormat format);
std::string StatusWord(v1::TournamentStatus status);
std::vector<std::string> StatusWords();
v1::TournamentStatus TournamentStatusFromWord(std::string_view word);
// "win", "draw", "loss", "forfeit-win", "forfeit-loss", "half", "full", "zero".
std::vector<std::string> ResultWords();
v1::PairingResult ResultFromWord(std::string_view word);
std::string ResultWord(v1::PairingResult result);

// Tenths as "7.5", "8", "-0.5".
std::string TenthsText(int tenths);
// "Open of Tbilisi: swiss, running, 12 players, round 3 of 7, version 41".
std::string TournamentText(const v1::Tournament& tournament);
// What follows it, of one that has a next stage: "Then single of the first 8: ID".
std::string NextStageText(const v1::Tournament& tournament);
// A heading and a line for each pairing, best board first.
std::string RoundText(const v1::Round& round,
                      const google::protobuf::RepeatedPtrField<v1::Pairing>& pairings);
std::string PairingsText(const google::protobuf::RepeatedPtrField<v1::Pairing>& pairings);
std::string StandingsText(const v1::ListStandingsResponse& standings);
// "17  12:30:05  RESULT_OVERRIDDEN round 2 board 5, by ID: the board was set up wrongly".
std::string TournamentEventText(const v1::TournamentEvent& event);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TOURNAMENT_TEXT_H_
