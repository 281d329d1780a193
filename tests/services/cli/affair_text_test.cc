// How a player's own affairs are shown.
#include "services/cli/affair_text.h"

#include <gtest/gtest.h>

namespace astragal::cli {
namespace {

TEST(RatingNews, SayFromWhatToWhat) {
  v1::RatingsRecomputed news;
  news.set_pool_id("patolli/2/blitz/human");
  news.set_first_order(7);
  news.set_rating_before(1510.24);
  news.set_rating_after(1498.66);
  EXPECT_EQ(RatingNewsText(news),
            "patolli/2/blitz/human  your rating was computed again from match 7 on: 1510.2 became "
            "1498.7");
  news.clear_rating_before();
  EXPECT_EQ(RatingNewsText(news),
            "patolli/2/blitz/human  your rating was computed again from match 7 on: none became "
            "1498.7");
}

}  // namespace
}  // namespace astragal::cli
