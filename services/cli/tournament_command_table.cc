#include <array>

#include "services/cli/tournament_commands.h"
#include "services/cli/trf_commands.h"

namespace astragal::cli {
namespace {

constexpr std::array kTable = {
    Command{"tournament create", "Create a tournament and hold it; prints its id",
            "astragal tournament create \"Friday open\" --rounds 5 --max-players 16\n"
            "astragal tournament create Cup --format double --match points:7 --clock "
            "delay:14m+8s --start +1h --check-in 10m\n"
            "astragal tournament create Fun --format single --consolation 2 --last-chance 1\n"
            "astragal tournament create League --format round-robin --then single --qualify 8\n"
            "astragal tournament create Club --manual --rated --code 1984 --json\n"
            "astragal tournament create Blitz --format arena --duration 45m --start +10m",
            DefineTournamentCreate},
    Command{"tournament import", "Go on with a tournament from a report file; prints its id",
            "astragal tournament import \"Club open\" open.trf --ruleset long_narde",
            DefineTournamentImport},
    Command{"tournament list", "Tournaments, newest first",
            "astragal tournament list\n"
            "astragal tournament list --status registration",
            DefineTournamentList},
    Command{"tournament show", "One tournament",
            "astragal tournament show TOURNAMENT\n"
            "astragal tournament show TOURNAMENT --json",
            DefineTournamentShow},
    Command{"tournament register", "Take part",
            "astragal tournament register TOURNAMENT\n"
            "astragal tournament register TOURNAMENT --rating 1720",
            DefineTournamentRegister},
    Command{"tournament challenge", "Challenge somebody above you in a ladder",
            "astragal tournament challenge TOURNAMENT bob", DefineTournamentChallenge},
    Command{"tournament check-in", "Say that you are there",
            "astragal tournament check-in TOURNAMENT", DefineTournamentCheckIn},
    Command{"tournament leave", "Be paired no more; the match you are in is played on",
            "astragal tournament leave TOURNAMENT", DefineTournamentLeave},
    Command{"tournament return", "Be paired again; with a name, a director lets somebody return",
            "astragal tournament return TOURNAMENT\n"
            "astragal tournament return TOURNAMENT bob --reason \"was stuck in a lift\"",
            DefineTournamentReturn},
    Command{"tournament bye",
            "Rest in a round that is not published; with a name, a director's bye",
            "astragal tournament bye TOURNAMENT 3 --value half\n"
            "astragal tournament bye TOURNAMENT 3 bob --value full --reason \"came from afar\"",
            DefineTournamentBye},
    Command{"tournament players", "Who takes part, by number",
            "astragal tournament players TOURNAMENT", DefineTournamentPlayers},
    Command{"tournament pairings", "A round; without a number the last one",
            "astragal tournament pairings TOURNAMENT\n"
            "astragal tournament pairings TOURNAMENT 2 --json",
            DefineTournamentPairings},
    Command{"tournament explain", "Why a round of a Swiss tournament is paired as it is",
            "astragal tournament explain TOURNAMENT\n"
            "astragal tournament explain TOURNAMENT 2",
            DefineTournamentExplain},
    Command{"tournament check", "Whether a round of a Swiss tournament is paired right",
            "astragal tournament check TOURNAMENT\n"
            "astragal tournament check TOURNAMENT 2 --json",
            DefineTournamentCheck},
    Command{"tournament standings", "The standings after what has ended",
            "astragal tournament standings TOURNAMENT\n"
            "astragal tournament standings TOURNAMENT --around bob --size 7",
            DefineTournamentStandings},
    Command{"tournament export", "The tournament as a file: report, standings, crosstable, bracket",
            "astragal tournament export TOURNAMENT trf > open.trf\n"
            "astragal tournament export TOURNAMENT crosstable --format html --out table.html\n"
            "astragal tournament export TOURNAMENT bracket --format svg --out bracket.svg",
            DefineTournamentExport},
    Command{"tournament log", "Everything that happened, by whom and why",
            "astragal tournament log TOURNAMENT\n"
            "astragal tournament log TOURNAMENT --after 40 --json",
            DefineTournamentLog},
    Command{"tournament watch", "Follow a tournament until it ends",
            "astragal tournament watch TOURNAMENT\n"
            "astragal tournament watch TOURNAMENT --after 40 --json\n"
            "astragal tournament watch TOURNAMENT --standings 10 --around bob",
            DefineTournamentWatch},
    Command{"tournament open", "Director: players may register",
            "astragal tournament open TOURNAMENT", DefineTournamentOpen},
    Command{"tournament open-check-in", "Director: players say from now on that they are there",
            "astragal tournament open-check-in TOURNAMENT", DefineTournamentOpenCheckIn},
    Command{"tournament start", "Director: number the players and begin",
            "astragal tournament start TOURNAMENT --dry-run\n"
            "astragal tournament start TOURNAMENT --seed-by official\n"
            "astragal tournament start TOURNAMENT",
            DefineTournamentStart},
    Command{"tournament draft", "Director: pair the next round, or the draft again",
            "astragal tournament draft TOURNAMENT --dry-run\n"
            "astragal tournament draft TOURNAMENT",
            DefineTournamentDraft},
    Command{"tournament pair", "Director: pair boards of the draft by hand, the rest around them",
            "astragal tournament pair TOURNAMENT 1-4 7-2\n"
            "astragal tournament pair TOURNAMENT 5-bye --accept SECOND_BYE",
            DefineTournamentPair},
    Command{"tournament publish", "Director: publish the draft; its matches begin",
            "astragal tournament publish TOURNAMENT --expect 41", DefineTournamentPublish},
    Command{"tournament unpublish", "Director: make the round a draft again",
            "astragal tournament unpublish TOURNAMENT --reason \"wrong list\" --accept "
            "MATCHES_VOID",
            DefineTournamentUnpublish},
    Command{"tournament close", "Director: close the round, with results missing or not",
            "astragal tournament close TOURNAMENT --accept RESULTS_MISSING", DefineTournamentClose},
    Command{"tournament result", "Director: decide a pairing, whatever its match says",
            "astragal tournament result TOURNAMENT 3 win loss --reason \"wrong set-up\"\n"
            "astragal tournament result TOURNAMENT 3 zero zero --round 2 --reason annulled\n"
            "astragal tournament result TOURNAMENT 1 --places 2,1,3,3 --reason \"typed wrongly\"",
            DefineTournamentResult},
    Command{"tournament replay", "Director: another match for a pairing",
            "astragal tournament replay TOURNAMENT 3 --reason \"the server was away\"",
            DefineTournamentReplay},
    Command{"tournament add", "Director: register somebody",
            "astragal tournament add TOURNAMENT bob --rating 1650", DefineTournamentAdd},
    Command{"tournament withdraw", "Director: somebody is paired no more",
            "astragal tournament withdraw TOURNAMENT bob --forfeit", DefineTournamentWithdraw},
    Command{"tournament pause", "Director: nothing is published; with a name, nobody pairs him",
            "astragal tournament pause TOURNAMENT\n"
            "astragal tournament pause TOURNAMENT bob",
            DefineTournamentPause},
    Command{"tournament resume", "Director: it goes on", "astragal tournament resume TOURNAMENT",
            DefineTournamentResume},
    Command{"tournament expel", "Director: somebody is out of the tournament and its standings",
            "astragal tournament expel TOURNAMENT bob --reason cheating --accept "
            "OUT_OF_STANDINGS",
            DefineTournamentExpel},
    Command{"tournament forbid", "Director: two players must not meet",
            "astragal tournament forbid TOURNAMENT bob carol --reason \"one household\"",
            DefineTournamentForbid},
    Command{"tournament adjust", "Director: give or take points",
            "astragal tournament adjust TOURNAMENT bob -0.5 --reason \"came late\"",
            DefineTournamentAdjust},
    Command{"tournament rounds", "Director: another number of rounds",
            "astragal tournament rounds TOURNAMENT 7 --reason \"time is left\" --accept "
            "ROUNDS_CHANGED",
            DefineTournamentRounds},
    Command{"tournament tie-break-order", "Director: another order of tie-breaks",
            "astragal tournament tie-break-order TOURNAMENT PTS,DE,BH --reason \"as announced\" "
            "--accept TIE_BREAKS_CHANGED",
            DefineTournamentTieBreakOrder},
    Command{"tournament finish", "Director: the standings are final",
            "astragal tournament finish TOURNAMENT", DefineTournamentFinish},
    Command{"tournament reopen", "Owner: back to work on a finished tournament",
            "astragal tournament reopen TOURNAMENT --reason \"a result was wrong\" --accept "
            "STANDINGS_OPEN_AGAIN",
            DefineTournamentReopen},
    Command{"tournament cancel", "Director: it ends without standings, for good",
            "astragal tournament cancel TOURNAMENT --reason \"nobody came\" --accept "
            "ENDS_WITHOUT_STANDINGS",
            DefineTournamentCancel},
    Command{"tournament role", "Owner: make somebody director, deputy or streamer",
            "astragal tournament role TOURNAMENT bob director\n"
            "astragal tournament role TOURNAMENT bob none",
            DefineTournamentRole},
    Command{"tournament demo", "A whole tournament of bots, from registration to final standings",
            "astragal tournament demo --format swiss --players 64 --ruleset long_narde\n"
            "astragal tournament demo --format double --players 11 --bot greedy\n"
            "astragal tournament demo --format tables --players 10 --ruleset ashtapada\n"
            "astragal tournament demo --format arena --players 12 --duration 60s",
            DefineTournamentDemo},
};

}  // namespace

std::span<const Command> TournamentCommands() { return kTable; }

}  // namespace astragal::cli
