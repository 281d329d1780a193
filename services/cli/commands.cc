// The table of all commands, in the order in which --help lists them.
#include <array>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/rating_commands.h"
#include "services/cli/record_commands.h"
#include "services/cli/staff_commands.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/trf_commands.h"
#include "services/cli/verify_command.h"

namespace astragal::cli {
namespace {

constexpr std::array kGroups = {
    CommandGroup{"player", "Players whose keys are kept on this machine"},
    CommandGroup{"match", "Several games between the same players, with one score"},
    CommandGroup{"ratings", "Ratings: lists, histories, predictions, and what profiles are worth"},
    CommandGroup{"tournament", "Tournaments: hold them, play in them, and files of them"},
    CommandGroup{"admin", "For the operator of a server, with its operator.key"},
    CommandGroup{"admin keys", "API keys of any player"},
    CommandGroup{"admin players", "Accounts: restrictions, their data, their end"},
    CommandGroup{"admin games", "Games that a moderator must end"},
    CommandGroup{"admin rulesets", "The ruleset libraries that a running server has loaded"},
};

constexpr std::array kCommands = {
    Command{"rulesets", "What can be played here; with an id, everything about one ruleset",
            "astragal rulesets\n"
            "astragal rulesets long_narde",
            DefineRulesets},
    Command{"player new", "Create a player, keep its key and play as it from now on",
            "astragal player new alice\n"
            "astragal player new \"Random Bot\" --bot",
            DefinePlayerNew},
    Command{"player list", "Players whose keys are kept here; with --all, everybody who plays here",
            "astragal player list\n"
            "astragal player list --all",
            DefinePlayerList},
    Command{"player use", "Play as another player whose key is kept here",
            "astragal player use bob", DefinePlayerUse},
    Command{"whoami", "The player that commands act for, as the server sees it",
            "astragal whoami\n"
            "astragal --player bob whoami",
            DefineWhoAmI},
    Command{"new", "Create a game and take a seat; prints its id",
            "astragal new long_narde\n"
            "astragal new patolli --option stake=30 --seat green\n"
            "astragal new long_narde --clock delay:14m+8s --first-turn 60s --rated\n"
            "GAME=$(astragal new long_narde --preset federation)",
            DefineNew},
    Command{"join", "Take a free seat of a game",
            "astragal join GAME\nastragal join GAME --seat black", DefineJoin},
    Command{"games", "Games, newest first",
            "astragal games\n"
            "astragal games --mine --status running",
            DefineGames},
    Command{"lobby", "Open seeks of everybody; with --mine, your proposals and challenges to you",
            "astragal lobby\n"
            "astragal lobby --mine\n"
            "astragal lobby --watch --json",
            DefineLobby},
    Command{"seek", "Propose a game to anybody; prints its id",
            "astragal seek long_narde\n"
            "astragal seek patolli --clock fischer:5m+3s --seat red --wait",
            DefineSeek},
    Command{"challenge", "Propose a game to one player; prints its id",
            "astragal challenge bob long_narde\n"
            "astragal challenge bob long_narde --private\n"
            "astragal challenge bob long_narde --match points:7 --clock delay:14m+8s --match-clock",
            DefineChallenge},
    Command{"queue",
            "Wait in the automatic queue for somebody with the same terms; prints the game",
            "astragal queue long_narde\n"
            "astragal queue long_narde --clock delay:14m+8s --rated --minutes 10",
            DefineQueue},
    Command{"accept", "Accept a seek or a challenge; prints the game's id",
            "astragal accept PROPOSAL", DefineAccept},
    Command{"decline", "Decline a challenge to you", "astragal decline PROPOSAL", DefineDecline},
    Command{"withdraw", "Take your seek, challenge or ticket back", "astragal withdraw PROPOSAL",
            DefineWithdraw},
    Command{"rematch", "Ask for another game with the seats swapped, or accept when asked",
            "astragal rematch GAME", DefineRematch},
    Command{"play", "Play a game in the terminal, or with moves from standard input",
            "astragal play GAME\n"
            "printf '24/18 18/15\\n' | astragal play GAME",
            DefinePlay},
    Command{"resign", "Give a game up", "astragal resign GAME --yes", DefineResign},
    Command{"offer", "Offer a draw, to call the game off, or to lose a number of points",
            "astragal offer GAME draw\n"
            "astragal offer GAME resign --points 1",
            DefineOffer},
    Command{"answer", "Accept or decline the open offer, or withdraw your own",
            "astragal answer GAME yes", DefineAnswer},
    Command{"undo", "Take back the last actions of your unfinished turn",
            "astragal undo GAME\nastragal undo GAME 2", DefineUndo},
    Command{"end-turn", "End the turn that was kept open", "astragal end-turn GAME", DefineEndTurn},
    Command{"leave", "Give your seat back while the game waits for players", "astragal leave GAME",
            DefineLeave},
    Command{"abort", "Call a game off before the first action", "astragal abort GAME", DefineAbort},
    Command{"claim", "Claim the result when the other side's time is up", "astragal claim GAME",
            DefineClaim},
    Command{"watch", "Follow a game as it is played",
            "astragal watch GAME\n"
            "astragal watch GAME --from 1 --json",
            DefineWatch},
    Command{"match new",
            "Create a match between named players, with the operator's key; prints its id",
            "astragal match new long_narde alice bob --match points:7\n"
            "astragal match new long_narde alice bob --match points:3 --clock delay:6m+8s "
            "--match-clock --timeout-loses\n"
            "astragal match new patolli alice bob --match best:3 --first alternate --json",
            DefineMatchNew},
    Command{"match show", "The score and the games of a match",
            "astragal match show MATCH\n"
            "astragal match show MATCH --json",
            DefineMatchShow},
    Command{"match list", "Matches of a player, newest first; without a name, yours",
            "astragal match list\n"
            "astragal match list bob --json",
            DefineMatchList},
    Command{"match next", "Start the next game after one that was called off; prints its id",
            "astragal match next MATCH", DefineMatchNext},
    Command{"match watch", "Follow the score of a match; each game has its own `watch`",
            "astragal match watch MATCH\n"
            "astragal match watch MATCH --json",
            DefineMatchWatch},
    Command{"replay", "Step through a game from its log",
            "astragal replay GAME --step                 with keys\n"
            "astragal replay GAME --html game.html       one file for a browser\n"
            "astragal replay GAME --delay 500\n"
            "astragal replay GAME --from 10 --to 40 --boards none",
            DefineReplay},
    Command{"position", "The position of a game, now or after any of its events",
            "astragal position GAME\n"
            "astragal position GAME --at 17 --json\n"
            "astragal position GAME --moment 2026-11-30T18:00:00Z",
            DefinePosition},
    Command{"events", "Your own affairs as they happen; with a game's id, its log",
            "astragal events                      whose turn it is, challenges, offers, ends\n"
            "astragal events --json\n"
            "astragal events GAME",
            DefineEvents},
    Command{"find", "Games that have ended, by what they were, newest first",
            "astragal find --of alice --against bob --place 1\n"
            "astragal find --ruleset long_narde --option scoring=match --ending resigned\n"
            "astragal find --since 2026-11-01 --least-events 300 --json\n"
            "astragal find --tournament TOURNAMENT --of alice\n"
            "astragal find --ruleset long_narde --numbers",
            DefineFind},
    Command{"throws", "Whether the throws of the latest games look like chance, with p-values",
            "astragal throws long_narde\n"
            "astragal throws long_narde --of alice --games 1000",
            DefineThrows},
    Command{"contribute", "Add to the dice of a game that has not begun, and wait until it begins",
            "astragal contribute GAME", DefineContribute},
    Command{"proof", "Everything that is needed to check the dice of a game that has ended",
            "astragal proof GAME -o game.proof\n"
            "astragal proof GAME GAME | astragal verify -",
            DefineProof},
    Command{"receipt", "The server's signature under a game's log as it stands",
            "astragal receipt GAME -o game.receipt\n"
            "astragal receipt --keys",
            DefineReceipt},
    Command{
        "verify", "Check proofs and receipts without a server, or stored games by replaying them",
        "astragal verify game.proof                  needs no network and no rules\n"
        "astragal verify GAME                        replayed by the server, every hash compared\n"
        "astragal verify --all                       for the operator: every game of the store\n"
        "astragal verify --all --after GAME          goes on where it was stopped",
        DefineVerify},
    Command{"compare",
            "Play a game again on another build of its rules and show the first difference",
            "astragal compare GAME\n"
            "astragal compare GAME --rules-version 2\n"
            "astragal compare GAME --build 3f9c01d2ab74...",
            DefineCompare},
    Command{"export", "Write games that have ended down, for programs or for people",
            "astragal export GAME\n"
            "astragal export GAME --format text -o game.rgn\n"
            "astragal export --ruleset long_narde -o all.rgl     goes on where the file ends",
            DefineExport},
    Command{"import", "Store games from their records; for the operator",
            "astragal import games.rgl --check\n"
            "astragal import games.rgl more.rgn",
            DefineImport},
    Command{
        "archive",
        "Write the logs of old games to a file and take them out of the store; for the operator",
        "astragal archive --until 2026-01-01 -o games-2025.rgl\n"
        "astragal import games-2025.rgl              brings them back",
        DefineArchive},
    Command{"demo", "Random players play a whole game, and its replay is printed",
            "astragal demo\n"
            "astragal demo --ruleset patolli --seed 7 --boards all\n"
            "astragal demo --games 20",
            DefineDemo},
    Command{"bot", "Let a program play for the current player",
            "astragal --player robin bot GAME\n"
            "astragal --player robin bot GAME --bot expectimax",
            DefineBot},
    Command{"selfplay", "Bots against each other on this machine, and what came of it",
            "astragal selfplay long_narde --games 10000\n"
            "astragal selfplay patolli --bots greedy,random --games 2000 --seed 7\n"
            "astragal selfplay ashtapada --option players=4 --bots greedy --json",
            DefineSelfPlay},
    Command{"draw", "Draw a position as SVG or PNG",
            "astragal draw GAME -o board.png\n"
            "astragal draw GAME --at 40 > board.svg\n"
            "astragal draw --ruleset patolli -o start.svg",
            DefineDraw},
    Command{"ratings list", "The pools of ratings; with a pool, its ranked players",
            "astragal ratings list\n"
            "astragal ratings list long_narde/2/standard/human\n"
            "astragal ratings list long_narde/2/standard/human --around alice --size 11\n"
            "astragal ratings list long_narde/2/standard/human --on official",
            DefineRatingsList},
    Command{"ratings snapshots", "The lists of a pool that were kept",
            "astragal ratings snapshots long_narde/2/standard/human", DefineRatingsSnapshots},
    Command{"ratings show", "The ratings of a player",
            "astragal ratings show alice\n"
            "astragal ratings show alice --pool patolli/2/blitz/human --json",
            DefineRatingsShow},
    Command{"ratings history", "How a rating came to be, as numbers or as a chart",
            "astragal ratings history alice long_narde/2/standard/human\n"
            "astragal ratings history alice long_narde/2/standard/human --last 1000 --svg a.svg",
            DefineRatingsHistory},
    Command{"ratings head-to-head", "How two players stand in rated matches",
            "astragal ratings head-to-head alice bob", DefineRatingsHeadToHead},
    Command{"ratings predict", "What may be expected of a match, and what each result would do",
            "astragal ratings predict long_narde/2/standard/human alice bob --length 5",
            DefineRatingsPredict},
    Command{"ratings estimate", "Says how strong you are, before your first rated match in a pool",
            "astragal ratings estimate long_narde/2/standard/human strong", DefineRatingsEstimate},
    Command{"ratings check", "Compares stored ratings with what their logs say; 0 is expected",
            "astragal ratings check\n"
            "astragal ratings check long_narde/2/standard/human --json",
            DefineRatingsCheck},
    Command{
        "ratings recompute", "Computes a pool again; corrects the result of a match, or voids it",
        "astragal ratings recompute long_narde/2/standard/human\n"
        "astragal ratings recompute POOL --match MATCH --places 2,1 --reason \"typed wrongly\"\n"
        "astragal ratings recompute POOL --match MATCH --annul --reason cheating --dry-run\n"
        "astragal ratings recompute POOL --player mallory --days 30 --reason cheating",
        DefineRatingsRecompute},
    Command{"ratings pin", "Fixes the rating of a bot", "astragal ratings pin robin POOL 1650",
            DefineRatingsPin},
    Command{"ratings household", "Says who lives together: their tables are not rated",
            "astragal ratings household alice bob\n"
            "astragal ratings household alice            lives with nobody else",
            DefineRatingsHousehold},
    Command{"ratings examine", "Whether a player's choices at tables help one of the others",
            "astragal ratings examine mallory ashtapada/3-4/standard/human\n"
            "astragal ratings examine mallory ashtapada/3-4/standard/human --matches 100 --json",
            DefineRatingsExamine},
    Command{
        "ratings simulate",
        "How well rating profiles predict players of known strength, on this machine",
        "astragal ratings simulate\n"
        "astragal ratings simulate --seeds 50 --any-opponent --json\n"
        "astragal ratings simulate --check        fails unless the dice profile is clearly best",
        DefineRatingsSimulate},
    Command{"ratings calibrate",
            "The starting deviation of a ruleset, from games of bots of different strength",
            "astragal ratings calibrate long_narde\n"
            "astragal ratings calibrate patolli --rounds 120 --svg patolli.svg\n"
            "astragal ratings calibrate ashtapada --option players=4 --json",
            DefineRatingsCalibrate},
    Command{"tournament pair-trf",
            "Pair the next round of a tournament report file; prints a board a line, 0 for the bye",
            "astragal tournament pair-trf open.trf\n"
            "astragal tournament pair-trf open.trf --engine dutch --sides off",
            DefineTournamentPairTrf},
    Command{"tournament check-trf",
            "Whether the rounds of a tournament report file are paired as the FIDE rules pair them",
            "astragal tournament check-trf open.trf\n"
            "astragal tournament check-trf open.trf --round 4 --json",
            DefineTournamentCheckTrf},
    Command{"tournament tiebreaks",
            "Standings of a tournament report file with tie-breaks, separated by tabs",
            "astragal tournament tiebreaks open.trf\n"
            "astragal tournament tiebreaks open.trf --order PTS,DE,BH/C1,BH,SB --json",
            DefineTournamentTieBreaks},
    Command{"health", "Whether the server serves; exit code 0 if it does",
            "astragal health\n"
            "astragal health --wait 60",
            DefineHealth},
    Command{"bench", "Load a server with games and measure it; leaves its players and games there",
            "astragal bench\n"
            "astragal bench --games 1 --duration 5            a lone player\n"
            "astragal bench --games 200 --open-rate 3000 --watchers 400 --json r.json --svg r.svg\n"
            "astragal bench --games 10000 --watchers 2000 --duration 0 --baseline 0   memory",
            DefineBench},
    Command{"admin info", "The server's version, mode and limits; needs no key",
            "astragal admin info\n"
            "astragal admin info --json",
            DefineAdminInfo},
    Command{"admin mode", "Switch the server's mode, or say how many calls it takes a second",
            "astragal admin mode read-only --reason \"the disk is replaced\"\n"
            "astragal admin mode normal --capacity 1000 --reason \"the disk is slow\"",
            DefineAdminMode},
    Command{"admin keys new", "Make a key of a player with any scopes; prints it",
            "astragal admin keys new alice --scopes moderate --days 90 --reason \"on duty\"\n"
            "astragal admin keys new \"Random Bot\" --scopes play --reason \"its program\"",
            DefineAdminKeysNew},
    Command{"admin keys list", "A player's keys, newest first, without their secrets",
            "astragal admin keys list alice", DefineAdminKeysList},
    Command{"admin keys revoke", "End a player's key, on every server within a second",
            "astragal admin keys revoke alice KEY --reason \"it was in a log\"",
            DefineAdminKeysRevoke},
    Command{"admin players restrict", "Keep an account from new games, ban it, or lift that",
            "astragal admin players restrict mallory ban --days 30 --reason \"two accounts\"\n"
            "astragal admin players restrict mallory none --reason \"appeal\"",
            DefineAdminPlayersRestrict},
    Command{"admin players export", "Everything the server keeps about a player, as JSON",
            "astragal admin players export alice", DefineAdminPlayersExport},
    Command{"admin players erase", "Take name, keys and origin from an account; its games stay",
            "astragal admin players erase alice --reason \"asked by letter\"",
            DefineAdminPlayersErase},
    Command{"admin games annul", "End a game without a result",
            "astragal admin games annul GAME --reason \"the wrong rules\"", DefineAdminGamesAnnul},
    Command{"admin games adjudicate", "End a game against one of its players",
            "astragal admin games adjudicate GAME mallory --reason \"help by a program\"",
            DefineAdminGamesAdjudicate},
    Command{"admin audit", "What operators and moderators did, newest first",
            "astragal admin audit\n"
            "astragal admin audit PLAYER_ID --json",
            DefineAdminAudit},
    Command{"admin checks",
            "Replay every game of the store and compare each hash; exit code 1 if one differs",
            "astragal admin checks\n"
            "astragal admin checks --after GAME           goes on where it was stopped\n"
            "astragal admin checks --json",
            DefineAdminChecks},
    Command{"admin rulesets load",
            "Load what is new in the server's plugins folder; exit code 1 if a file was refused",
            "astragal admin rulesets load\n"
            "sudo astragal admin rulesets load --operator-key /srv/astragal/operator.key",
            DefineAdminRulesetsLoad},
    Command{"admin rulesets list", "Every loaded build, and what it serves",
            "astragal admin rulesets list\n"
            "astragal admin rulesets list --json",
            DefineAdminRulesetsList},
    Command{"admin rulesets retire", "Take a build out of service until its file is loaded again",
            "astragal admin rulesets retire 3f9c01d2ab74", DefineAdminRulesetsRetire},
};

}  // namespace

std::span<const Command> Commands() {
  static const std::vector<Command>* const all = [] {
    const std::span<const Command> tournaments = TournamentCommands();
    auto* const rows = new std::vector<Command>(tournaments.begin(), tournaments.end());
    rows->insert(rows->end(), kCommands.begin(), kCommands.end());
    return rows;
  }();
  return *all;
}
std::span<const CommandGroup> CommandGroups() { return kGroups; }

}  // namespace astragal::cli
