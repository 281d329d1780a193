// Plain text for people: tables, columns, wrapped paragraphs, times and enum words. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_TEXT_H_

#include <google/protobuf/timestamp.pb.h>

#include <string>
#include <string_view>
#include <vector>

#include "astragal/v1/game.pb.h"

namespace astragal::cli {

// Columns as wide as their widest cell, two spaces between; the first row is the heading. A row may
// have fewer cells.
std::string TableText(const std::vector<std::vector<std::string>>& rows);

// Words side by side in equal columns, reading along the rows, each line after `indent` spaces.
std::string ColumnsText(const std::vector<std::string>& words, int width, int indent);

// Breaks at spaces so that lines have at most `width` characters; every line after `indent` spaces.
// Line breaks in the text stay.
std::string WrapText(std::string_view text, int width, int indent);

// "2026-03-01 12:30:05", UTC; "-" when it is unset.
std::string TimeText(const google::protobuf::Timestamp& time);

// "open", "running", ...; "unknown" for a value of a newer server.
std::string_view StatusWord(v1::GameStatus status);
// Reads such a word; GAME_STATUS_UNSPECIFIED when it is none.
v1::GameStatus StatusFromWord(std::string_view word);

std::string Join(const std::vector<std::string>& parts, std::string_view between);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TEXT_H_
