// Replays as people see them, against a real astragald: with keys, and as a page in a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A browser that a machine may have; "" when it has none.
std::string Browser() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/google-chrome"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

// Looks at every event, then presses buttons and keys as a reader does; what it finds is left in
// the document as JSON.
constexpr char kReader[] = R"html(
<script>
addEventListener('error', event => found.errors.push(event.message));
const found = {errors: [], frames: frames.length, turns: turns.length, boards: 0, empty: 0};
const key = name => document.dispatchEvent(new KeyboardEvent('keydown', {key: name}));
const shown = () => Number(document.body.dataset.at);
const board = () => document.getElementById('board').innerHTML;
found.opened = shown();
let before = '';
for (let number = 0; number < frames.length; ++number) {
  show(number);
  if (board() !== before) ++found.boards;
  before = board();
  if (document.querySelectorAll('#board circle').length === 0) ++found.empty;
}
key('Home'); found.home = shown();
key('ArrowRight'); found.right = shown();
document.getElementById('next').click(); found.next = shown();
key('ArrowLeft'); found.left = shown();
key('ArrowDown'); found.down = shown();
key('ArrowUp'); found.up = shown();
const straight = board();
key('f'); found.flipped = board() !== straight;
document.getElementById('flip').click(); found.back = board() === straight;
document.querySelectorAll('#turns li')[5].click();
found.listed = frames[shown()].n === turns[5].l;
found.current = document.querySelectorAll('#turns li.current').length;
key('End'); found.end = shown();
key(' ');
found.playing = shown();
const report = document.createElement('pre');
report.id = 'found';
setTimeout(() => {
  found.played = shown();
  key(' ');
  report.textContent = JSON.stringify(found);
  document.body.append(report);
}, 1500);
</script>
)html";

// What the reader found on this page.
json Read(const std::string& page, const std::string& folder) {
  const std::string path = folder + "/read.html";
  std::ofstream(path) << page << kReader;
  Program browser(
      {Browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
       "--user-data-dir=" + folder + "/browser", "--host-resolver-rules=MAP * ~NOTFOUND",
       "--virtual-time-budget=60000", "--dump-dom", "file://" + path},
      {{"HOME", folder}});
  EXPECT_EQ(browser.Wait(200), 0);
  const std::string begin = "<pre id=\"found\">";
  const size_t at = browser.output().find(begin);
  if (at == std::string::npos) return {{"errors", {browser.output().substr(0, 2'000)}}};
  const size_t from = at + begin.size();
  return json::parse(browser.output().substr(from, browser.output().find("</pre>", at) - from));
}

class ReplayTest : public CliTest {
 protected:
  static std::string PlayedGame(const std::string& ruleset) {
    const Ran demo = RunAs("", {"demo", "--ruleset", ruleset, "--seed", "5", "--boards", "none"});
    EXPECT_EQ(demo.code, 0) << demo.text;
    const size_t id = demo.text.find(" replay ", demo.text.find("Again: ")) + 8;
    return demo.text.substr(id, demo.text.find(' ', id) - id);
  }
};

TEST_F(ReplayTest, KeysStepThroughAGame) {
  const std::string game = PlayedGame("long_narde");
  const std::vector<json> events = Events(game);
  const Ran stepped = RunAs("", {"replay", game, "--step"}, "\x1b[C\x1b[C7\n\x1b[Fq");
  EXPECT_EQ(stepped.code, 0) << stepped.text;
  const std::string of = " of " + std::to_string(events.size()) + "  ";
  EXPECT_THAT(stepped.text, HasSubstr("\n1" + of));
  EXPECT_THAT(stepped.text, Not(HasSubstr("\n8" + of)));
  EXPECT_THAT(RunAs("", {"replay", game, "--step"}, "12\n").text, HasSubstr("\n12" + of))
      << "the end of the input ends it";
  EXPECT_EQ(RunAs("", {"replay", "no-such-game", "--step"}).code, 1);
}

TEST_F(ReplayTest, APageHoldsAWholeGame) {
  for (const char* ruleset : {"long_narde", "patolli", "ashtapada"}) {
    SCOPED_TRACE(ruleset);
    const std::string game = PlayedGame(ruleset);
    const std::string file = data_->path() + "/game.html";
    const Ran made = RunAs("", {"replay", game, "--html", file});
    ASSERT_EQ(made.code, 0) << made.text;
    const std::string page = ReadFile(file);
    EXPECT_THAT(page, HasSubstr(game));
    EXPECT_THAT(page, Not(HasSubstr("%GAME%")));
    for (const char* outside : {"src=", "href=", "url(", "import ", "fetch("}) {
      EXPECT_THAT(page, Not(HasSubstr(outside))) << "the page stands alone";
    }
    EXPECT_LT(page.size(), 2'000'000u);
    if (Browser().empty()) continue;
    const json found = Read(page, data_->path());
    const int frames = static_cast<int>(Events(game).size());
    EXPECT_TRUE(found["errors"].empty()) << found;
    ASSERT_EQ(found.value("frames", 0), frames) << found;
    EXPECT_EQ(found["opened"], frames - 1) << "it opens at the end";
    EXPECT_GT(found["boards"], frames / 2) << "what happens can be seen";
    EXPECT_EQ(found["empty"], 0) << "pieces on every board";
    EXPECT_EQ(found["home"], 0);
    EXPECT_EQ(found["right"], 1);
    EXPECT_EQ(found["next"], 2);
    EXPECT_EQ(found["left"], 1);
    EXPECT_GT(found["down"], found["up"]);
    EXPECT_TRUE(found["flipped"]);
    EXPECT_TRUE(found["back"]);
    EXPECT_TRUE(found["listed"]);
    EXPECT_EQ(found["current"], 1);
    EXPECT_EQ(found["end"], frames - 1);
    EXPECT_EQ(found["playing"], 0) << "playing at the end begins again";
    EXPECT_GT(found["played"], 0);
  }
  EXPECT_EQ(RunAs("", {"replay", PlayedGame("patolli"), "--html", "/no/such/folder/x"}).code, 2);
  if (Browser().empty()) GTEST_SKIP() << "no browser on this machine: the page was not opened";
}

}  // namespace
}  // namespace astragal::cli
