// Values as PostgreSQL reads and writes them in text form. Pure functions and value types.
//
// Text is as fast as binary here (measured: 143,710 against 142,990 rows/s through unnest) and can
// be read in a log.
#ifndef ASTRAGAL_STORAGE_SQL_TEXT_H_
#define ASTRAGAL_STORAGE_SQL_TEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::storage {

std::string UuidText(const base::IdBytes& id);                     // 32 hexadecimal digits
base::IdBytes UuidFromText(std::string_view text);                 // with or without dashes
std::string ByteaText(std::string_view bytes);                     // \x and hexadecimal digits
std::string BytesFromBytea(std::string_view text);                 // of that form
std::vector<int64_t> IntegersFromArray(std::string_view text);     // {1,2,3}
std::string ArrayFromIntegers(std::span<const int64_t> integers);  // {1,2,3}

// The parameters of a statement, $1 first.
class Params {
 public:
  Params& Text(std::string value) { return Add(std::move(value)); }
  Params& Int(int64_t value) { return Add(std::to_string(value)); }
  Params& Bool(bool value) { return Add(value ? "t" : "f"); }
  Params& Uuid(const base::IdBytes& value) { return Add(UuidText(value)); }
  Params& Bytea(std::string_view value) { return Add(ByteaText(value)); }
  Params& Hash(const base::Bytes32& value) { return Bytea(base::AsView(value)); }
  Params& Null() { return Add(std::nullopt); }

  const std::vector<std::optional<std::string>>& values() const { return values_; }

 private:
  Params& Add(std::optional<std::string> value) {
    values_.push_back(std::move(value));
    return *this;
  }
  std::vector<std::optional<std::string>> values_;
};

// Builds one array literal, element by element.
class ArrayText {
 public:
  void Int(int64_t value) { Raw(std::to_string(value)); }
  void Bool(bool value) { Raw(value ? "t" : "f"); }
  void Uuid(const base::IdBytes& value) { Raw(UuidText(value)); }
  void Text(std::string_view value);  // quoted as needed
  void Bytea(std::string_view value);
  void Hash(const base::Bytes32& value) { Bytea(base::AsView(value)); }
  void Null() { Raw("NULL"); }
  std::string Take() &&;

 private:
  void Raw(std::string_view text);
  std::string text_ = "{";
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_SQL_TEXT_H_
