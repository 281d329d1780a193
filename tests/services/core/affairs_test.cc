// A player's own affairs: what counts as news, and pictures that follow the store on any node.
#include "services/core/affairs.h"

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/core/matchmaker.h"
#include "tests/services/core/sim/lobby_fixture.h"
#include "tests/services/core/sim/simulated_affair_store.h"

namespace astragal::tests {
namespace {

using core::AffairDifference;
using core::AffairPicture;
using core::AffairPicturePtr;
using core::Affairs;
using core::GameAffair;
using core::GameNews;
using storage::GameStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A game of players 1 and 2 in seats 0 and 1.
GameAffair AffairIn(GameStatus status, int actor, uint32_t sequence) {
  GameAffair affair;
  affair.game.status = status;
  affair.game.actor = static_cast<int8_t>(actor);
  affair.game.sequence = sequence;
  affair.changed_sequence = sequence;
  affair.game.seats = {{0, Player(1), 0, 0}, {1, Player(2), 0, 0}};
  return affair;
}
GameAffair WithOffer(GameAffair affair, int8_t seat, uint8_t accepted = 0) {
  affair.offer = core::Offer{seat, storage::OfferKind::kDraw, 0, accepted};
  return affair;
}
GameAffair WithoutSeatOf1(GameAffair affair) {
  affair.game.seats[0].player = {};
  return affair;
}
GameAffair Unmoved(GameAffair affair, uint32_t changed) {
  affair.changed_sequence = changed;
  return affair;
}

struct NewsCase {
  std::string name;
  std::optional<GameAffair> before;
  GameAffair after;
  std::vector<GameNews> news;  // of player 1
};

TEST(GameNewsTest, IsWhatConcernsThePlayer) {
  constexpr auto kOpen = GameStatus::kOpen;
  constexpr auto kRunning = GameStatus::kRunning;
  constexpr auto kFinished = GameStatus::kFinished;
  const std::vector<NewsCase> cases = {
      {"a new game that waits", {}, AffairIn(kOpen, -1, 2), {GameNews::kSeated}},
      {"a new game, his turn",
       {},
       AffairIn(kRunning, 0, 5),
       {GameNews::kSeated, GameNews::kStarted, GameNews::kYourTurn}},
      {"a new game, the other's turn",
       {},
       AffairIn(kRunning, 1, 5),
       {GameNews::kSeated, GameNews::kStarted}},
      {"the last seat is taken",
       AffairIn(kOpen, -1, 2),
       AffairIn(kRunning, 1, 5),
       {GameNews::kStarted}},
      {"the other has played",
       AffairIn(kRunning, 1, 5),
       AffairIn(kRunning, 0, 7),
       {GameNews::kYourTurn}},
      {"he has played", AffairIn(kRunning, 0, 5), AffairIn(kRunning, 1, 7), {GameNews::kTurnOver}},
      {"both have", AffairIn(kRunning, 0, 5), AffairIn(kRunning, 0, 9), {GameNews::kYourTurn}},
      {"the other is still at it", AffairIn(kRunning, 1, 5), AffairIn(kRunning, 1, 6), {}},
      {"nothing that changes play",
       AffairIn(kRunning, 0, 5),
       Unmoved(AffairIn(kRunning, 0, 6), 5),
       {}},
      {"an offer to him",
       AffairIn(kRunning, 1, 5),
       WithOffer(Unmoved(AffairIn(kRunning, 1, 6), 5), 1),
       {GameNews::kOfferMade}},
      {"an offer of his own",
       AffairIn(kRunning, 1, 5),
       WithOffer(Unmoved(AffairIn(kRunning, 1, 6), 5), 0),
       {}},
      {"an offer that he has accepted",
       WithOffer(AffairIn(kRunning, 1, 5), 1),
       WithOffer(AffairIn(kRunning, 1, 5), 1, 1),
       {GameNews::kOfferClosed}},
      {"an offer is withdrawn",
       WithOffer(AffairIn(kRunning, 1, 5), 1),
       AffairIn(kRunning, 1, 5),
       {GameNews::kOfferClosed}},
      {"the end",
       AffairIn(kRunning, 0, 5),
       AffairIn(kFinished, -2, 8),
       {GameNews::kTurnOver, GameNews::kEnded}},
      {"he left",
       AffairIn(kOpen, -1, 2),
       WithoutSeatOf1(AffairIn(kOpen, -1, 3)),
       {GameNews::kNotFollowed}},
  };
  for (const NewsCase& one : cases) {
    EXPECT_EQ(core::NewsOf(Player(1), one.before ? &*one.before : nullptr, one.after), one.news)
        << one.name;
  }
}

TEST(AffairPictures, AReaderWhoMissedTooMuchIsTold) {
  AffairPicture before, after;
  before.games.push_back(std::make_shared<const GameAffair>(AffairIn(GameStatus::kRunning, 0, 5)));
  EXPECT_FALSE(core::Compare(Player(1), before, after).has_value());
  after.past_games.push_back(
      std::make_shared<const GameAffair>(AffairIn(GameStatus::kFinished, -2, 8)));
  const auto difference = core::Compare(Player(1), before, after);
  ASSERT_TRUE(difference.has_value());
  ASSERT_THAT(difference->games, SizeIs(1));
  EXPECT_THAT(difference->games[0].news, ElementsAre(GameNews::kTurnOver, GameNews::kEnded));
}

class AffairsTest : public LobbyTest {
 protected:
  // What one stream has seen, and what it was told.
  struct Reader : core::AffairViewer {
    void OnAffairs() override { ++told; }
    int told = 0;
    AffairPicturePtr seen;
  };
  std::shared_ptr<Reader> Watch(Affairs& affairs, int player) {
    auto reader = std::make_shared<Reader>();
    const auto first = affairs.Subscribe(Player(static_cast<uint8_t>(player)), reader);
    EXPECT_TRUE(first.ok()) << first.status();
    if (first.ok()) reader->seen = *first;
    return reader;
  }
  AffairDifference News(Affairs& affairs, Reader& reader, int player) {
    const auto id = Player(static_cast<uint8_t>(player));
    const AffairPicturePtr now = affairs.picture(id);
    const auto difference = core::Compare(id, *reader.seen, *now);
    EXPECT_TRUE(difference.has_value());
    reader.seen = now;
    return difference.value_or(AffairDifference());
  }

  SimulatedAffairStore affair_store_{store_, lobby_store_};
  Affairs here_{a_->games.world(), affair_store_, lobby_store_};
  Affairs there_{b_->games.world(), affair_store_, lobby_store_};
};

TEST_F(AffairsTest, AGameIsFollowedFromTheSeatToTheEndOnBothNodes) {
  const auto reader_here = Watch(here_, 1), reader_there = Watch(there_, 1);
  EXPECT_THAT(reader_here->seen->games, IsEmpty());
  const GameId id = Started();
  const struct {
    Affairs& affairs;
    Reader& reader;
  } both[] = {{here_, *reader_here}, {there_, *reader_there}};
  const int first = ToAct(id);
  for (auto& [affairs, reader] : both) {
    affairs.Poll();
    EXPECT_EQ(reader.told, 1);
    const AffairDifference news = News(affairs, reader, 1);
    ASSERT_THAT(news.games, SizeIs(1));
    EXPECT_EQ(news.games[0].game->game.id, id);
    const std::vector<GameNews> begun = {GameNews::kSeated, GameNews::kStarted};
    EXPECT_EQ(std::vector<GameNews>(news.games[0].news.begin(), news.games[0].news.begin() + 2),
              begun);
    EXPECT_EQ(news.games[0].game->AwaitsActionOf(Player(1)), first == 1);
    affairs.Poll();
    EXPECT_EQ(reader.told, 1) << "nothing has happened since";
  }
  ASSERT_TRUE(PlayTurn(*a_, id, 100).ok());
  for (auto& [affairs, reader] : both) {
    affairs.Poll();
    const AffairDifference news = News(affairs, reader, 1);
    ASSERT_THAT(news.games, SizeIs(1));
    EXPECT_THAT(news.games[0].news,
                ElementsAre(first == 1 ? GameNews::kTurnOver : GameNews::kYourTurn));
  }
  ASSERT_TRUE(Do(*b_, id, ResignBy(2, 101)).ok());
  for (auto& [affairs, reader] : both) {
    affairs.Poll();
    const AffairDifference news = News(affairs, reader, 1);
    ASSERT_THAT(news.games, SizeIs(1));
    EXPECT_EQ(news.games[0].news.back(), GameNews::kEnded);
    EXPECT_EQ(news.games[0].game->game.ending, storage::Ending::kResigned);
    EXPECT_THAT(affairs.picture(Player(1))->games, IsEmpty());
  }
}

TEST_F(AffairsTest, ProposalsComeAndGoWithTheirState) {
  const auto challenged = Watch(here_, 2), challenger = Watch(there_, 1);
  const Proposal declined = Made(1, Asked(ProposalKind::kChallenge, 2));
  const Proposal withdrawn = Made(1, Asked(ProposalKind::kChallenge, 2));
  const Proposal accepted = Made(1, Asked(ProposalKind::kChallenge, 2));
  const Proposal late = Made(1, Asked(ProposalKind::kChallenge, 2));
  here_.Poll();
  there_.Poll();
  EXPECT_THAT(News(here_, *challenged, 2).proposals, SizeIs(4));
  EXPECT_THAT(News(there_, *challenger, 1).proposals, SizeIs(4));
  ASSERT_TRUE(lobby_a_.Close(declined.record.id, ProposalState::kDeclined, Stamp(2)).ok());
  ASSERT_TRUE(lobby_a_.Close(withdrawn.record.id, ProposalState::kWithdrawn, Stamp(1)).ok());
  const Accepted game = Accept(lobby_b_, accepted.record.id, Stamp(2));
  ASSERT_TRUE(game.ok()) << game.status();
  here_.Poll();
  there_.Poll();
  const AffairDifference news[] = {News(here_, *challenged, 2), News(there_, *challenger, 1)};
  for (const AffairDifference& one : news) {
    std::map<ProposalId, ProposalState> states;
    for (const auto& proposal : one.proposals) {
      states[proposal->record.id] = proposal->record.state;
      const bool taken = proposal->record.state == ProposalState::kTaken;
      EXPECT_EQ(proposal->record.game, taken ? game->game->after->facts->id : GameId());
    }
    EXPECT_EQ(states,
              (std::map<ProposalId, ProposalState>{{declined.record.id, ProposalState::kDeclined},
                                                   {withdrawn.record.id, ProposalState::kWithdrawn},
                                                   {accepted.record.id, ProposalState::kTaken}}));
    EXPECT_THAT(one.games, SizeIs(1)) << "and the game began";
  }
  clock_.Advance(Lobby::kChallengeMs * 1'000 + 1);
  here_.Poll();
  const AffairDifference end = News(here_, *challenged, 2);
  ASSERT_THAT(end.proposals, SizeIs(1));
  EXPECT_EQ(end.proposals[0]->record.id, late.record.id);
  EXPECT_EQ(end.proposals[0]->record.state, ProposalState::kExpired);
}

TEST_F(AffairsTest, WhoseRatingWasComputedAgainIsToldOnce) {
  storage::RatingNews news;
  news.pool = "long_narde/2/standard/human";
  news.revision = 2;
  news.at = clock_.Now();
  news.before = 1510;
  news.after = 1490;
  const auto reader = Watch(here_, 1), other = Watch(here_, 2);
  affair_store_.AddRatingNews(Player(1), news);
  here_.Poll();
  EXPECT_THAT(News(here_, *reader, 1).ratings, ElementsAre(news));
  EXPECT_EQ(here_.picture(Player(2)), other->seen);
  const int told = reader->told;
  here_.Poll();
  EXPECT_EQ(reader->told, told);
  EXPECT_TRUE(News(here_, *reader, 1).empty());
  storage::RatingNews later = news;
  later.revision = 3;
  affair_store_.AddRatingNews(Player(1), later);
  here_.Poll();
  EXPECT_THAT(News(here_, *reader, 1).ratings, ElementsAre(later));
  EXPECT_THAT(Watch(there_, 1)->seen->ratings, ElementsAre(later, news)) << "a whole picture";
  clock_.Advance(Affairs::kRatingNewsMs * 1'000 + 1);
  here_.Poll();
  EXPECT_TRUE(News(here_, *reader, 1).empty()) << "what is forgotten is no news";
  EXPECT_THAT(here_.picture(Player(1))->ratings, IsEmpty());
}

TEST_F(AffairsTest, TheQueueTellsBothWhomItPaired) {
  const auto one = Watch(here_, 1), other = Watch(there_, 2);
  Made(1, Asked(ProposalKind::kTicket));
  Made(2, Asked(ProposalKind::kTicket));
  core::Matchmaker(lobby_a_).Round();
  RunAll();
  here_.Poll();
  there_.Poll();
  const AffairDifference first = News(here_, *one, 1), second = News(there_, *other, 2);
  ASSERT_THAT(first.games, SizeIs(1));
  ASSERT_THAT(second.games, SizeIs(1));
  EXPECT_EQ(first.games[0].game->game.id, second.games[0].game->game.id);
}

TEST_F(AffairsTest, WhatIsOverBetweenTwoLooksIsToldOnce) {
  const auto reader = Watch(here_, 1);
  const Proposal declined = Made(1, Asked(ProposalKind::kChallenge, 2));
  ASSERT_TRUE(lobby_b_.Close(declined.record.id, ProposalState::kDeclined, Stamp(2)).ok());
  const GameId id = Started();
  ASSERT_TRUE(Do(*b_, id, ResignBy(2, 101)).ok());
  here_.Poll();
  const AffairDifference news = News(here_, *reader, 1);
  ASSERT_THAT(news.proposals, SizeIs(1));
  EXPECT_EQ(news.proposals[0]->record.state, ProposalState::kDeclined);
  ASSERT_THAT(news.games, SizeIs(1));
  EXPECT_THAT(news.games[0].news, ElementsAre(GameNews::kSeated, GameNews::kEnded));
  const size_t loaded = affair_store_.loaded();
  here_.Poll();
  EXPECT_EQ(reader->told, 1);
  EXPECT_EQ(affair_store_.loaded(), loaded);
  // To whoever comes now it is history.
  const auto late = Watch(there_, 1);
  there_.Poll();
  EXPECT_THAT(News(there_, *late, 1).games, IsEmpty());
}

TEST_F(AffairsTest, AnAwayStoreIsCaughtUpWith) {
  const auto reader = Watch(here_, 1);
  const GameId id = Started();
  affair_store_.SetAway(true);
  here_.Poll();
  EXPECT_EQ(reader->told, 0);
  EXPECT_TRUE(absl::IsUnavailable(here_.Subscribe(Player(3), reader).status()));
  affair_store_.SetAway(false);
  here_.Poll();
  EXPECT_EQ(News(here_, *reader, 1).games.at(0).game->game.id, id);
  EXPECT_EQ(News(here_, *Watch(here_, 3), 3).games.size(), 0U);
}

TEST_F(AffairsTest, OnlyWhatChangedIsReadAndOnlyForWhoIsWatched) {
  for (uint64_t i = 0; i < 20; ++i) {
    core::CreateGame create = NewRace(500 + i);
    create.seat.reset();
    create.players = {Player(1), Player(2)};
    ASSERT_TRUE(Create(*a_, create).ok());
  }
  here_.Poll();
  EXPECT_EQ(affair_store_.asked(), 0U) << "nobody watches";
  auto reader = Watch(here_, 1);
  const auto same = Watch(here_, 2);
  EXPECT_EQ(reader->seen->games.size(), 20U);
  const GameId id = reader->seen->games.front()->game.id;
  const size_t loaded = affair_store_.loaded(), asked = affair_store_.asked();
  here_.Poll();
  EXPECT_EQ(affair_store_.loaded(), loaded);
  ASSERT_TRUE(PlayTurn(*b_, id, 900).ok());
  here_.Poll();
  EXPECT_EQ(affair_store_.loaded(), loaded + 1) << "one game for both players";
  EXPECT_EQ(affair_store_.asked(), asked + 2) << "one question for both players";
  reader.reset();
  here_.Poll();
  EXPECT_EQ(here_.picture(Player(1)), nullptr);
}

TEST_F(AffairsTest, OneAccountHasEightStreams) {
  std::vector<std::shared_ptr<Reader>> readers;
  for (size_t i = 0; i < Affairs::kMaxViewers; ++i) readers.push_back(Watch(here_, 1));
  EXPECT_EQ(Why(here_.Subscribe(Player(1), readers[0]).status()), Reason::kRateLimited);
  EXPECT_TRUE(here_.Subscribe(Player(2), readers[0]).ok());
  readers.pop_back();
  EXPECT_TRUE(here_.Subscribe(Player(1), readers[0]).ok());
}

TEST_F(AffairsTest, HintsAreGatheredAndBroughtSoon) {
  const auto reader = Watch(here_, 1);
  here_.Poll();
  Started();
  const size_t asked = affair_store_.asked();
  for (int i = 0; i < 100; ++i) here_.Hint();
  Advance(Affairs::kLeastPauseMs + 1);
  EXPECT_EQ(affair_store_.asked(), asked + 1);
  EXPECT_EQ(reader->told, 1);
}

}  // namespace
}  // namespace astragal::tests
