#include "services/admin/file_text.h"

#include <gtest/gtest.h>

namespace astragal::admin {
namespace {

TEST(FileText, NamesWithoutFolders) {
  EXPECT_EQ(WithoutFolder("/srv/plugins/libx.so"), "libx.so");
  EXPECT_EQ(WithoutFolder("libx.so"), "libx.so");
  EXPECT_EQ(WithoutFolder(""), "");
}

TEST(FileText, SentencesWithoutFolders) {
  const struct {
    const char* sentence;
    const char* shown;
  } cases[] = {
      {"/data/rulesets/ab12/ruleset.so: undefined symbol: foo",
       "ruleset.so: undefined symbol: foo"},
      {"open '/a/b': no such file", "open 'b': no such file"},
      {"wrote \"/x/y z\" (/p/q)", "wrote \"y z\" (q)"},
      {"signal 11 (Segmentation fault) at stage open",
       "signal 11 (Segmentation fault) at stage open"},
      {"either/or is no path", "either/or is no path"},
      {"line\n/two/x", "line\nx"},
      {"/", ""},
      {"", ""},
  };
  for (const auto& [sentence, shown] : cases) EXPECT_EQ(WithoutFolders(sentence), shown);
}

}  // namespace
}  // namespace astragal::admin
