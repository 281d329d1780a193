#include "services/admin/file_text.h"

#include <algorithm>

namespace astragal::admin {
namespace {

constexpr std::string_view kBeforeWord = " \t\n\"'`(";

}  // namespace

std::string WithoutFolder(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
}

std::string WithoutFolders(std::string_view sentence) {
  std::string text;
  size_t at = 0;
  while (at < sentence.size()) {
    const size_t end = std::min(sentence.find_first_of(kBeforeWord, at), sentence.size());
    const std::string_view word = sentence.substr(at, end - at);
    text += word.starts_with('/') ? WithoutFolder(word) : std::string(word);
    if (end < sentence.size()) text += sentence[end];
    at = end + 1;
  }
  return text;
}

}  // namespace astragal::admin
