// How trf.h reads: lines one by one, then the whole. For trf.cc (players, the whole) and
// trf_settings.cc (all other lines).
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_PARSER_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_PARSER_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/trf.h"
#include "services/algorithms/pairing/trf_text.h"
#include "services/base/status.h"

namespace astragal::algorithms::trf {

struct PlayerLine {
  int line = 0;
  Entrant player;  // opponents are numbers until all lines are read
  TrfDetails details;
  Tenths points = 0;
};

struct ByeLine {
  int line = 0;
  int round = 0;  // from 1
  Outcome outcome = Outcome::kZeroBye;
  std::vector<int> numbers;
};

struct LentLine {
  int line = 0;
  Tenths points = 0;
  int first_round = 0;  // from 1
  int last_round = 0;
  int first_number = 0;
  int last_number = 0;
};

struct GroupLine {
  int line = 0;
  ForbiddenGroup group;  // players are numbers
};

class Parser {
 public:
  absl::StatusOr<TrfFile> Parse(std::string_view text);

 private:
  absl::Status Line(std::string_view text);
  absl::Status Player(const Columns& line);
  absl::Status Rounds(const Columns& line, PlayerLine& read);
  absl::Status Round(const Columns& line, int at, RoundEntry& entry, bool& blank);
  absl::Status Planned(const Columns& line);
  absl::Status FirstSide(const Columns& line);
  absl::Status Configuration(const Columns& line);
  absl::Status Points(const Columns& line);
  absl::Status OnePoint(const Columns& line);
  absl::Status Byes(const Columns& line);
  absl::Status Lent(const Columns& line);
  absl::Status LentToPlayer(const Columns& line);
  absl::Status Forbidden(const Columns& line);
  absl::Status ForbiddenForEver(const Columns& line);
  absl::Status System(const Columns& line);
  absl::Status Refused(const Columns& line);
  absl::StatusOr<std::vector<int>> Numbers(const Columns& line, int from);

  absl::Status Finish();
  absl::Status Connect();
  absl::Status ApplyByes();
  absl::Status ApplyLent();
  absl::Status ApplyForbidden();
  absl::Status CheckPoints();
  void CountRounds();
  int IndexOf(int number) const;

  absl::Status Bad(std::string_view what) const { return BadIn(line_, what); }
  static absl::Status BadIn(int line, std::string_view what) {
    return base::Error(base::Reason::kBadField,
                       absl::StrCat("Line ", line, ": ", std::string(what)))
        .With("line", line);
  }

  struct Handler {
    std::string_view code;
    absl::Status (Parser::*read)(const Columns&);
  };
  static const Handler kHandlers[];

  int line_ = 0;
  bool by_line_order_ = false;
  bool pairing_bye_given_ = false;
  TrfFile file_;
  std::vector<PlayerLine> players_;
  std::vector<ByeLine> byes_;
  std::vector<LentLine> lent_;
  std::vector<GroupLine> groups_;
  std::map<int, int> index_of_;  // by number
};

}  // namespace astragal::algorithms::trf

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_PARSER_H_
