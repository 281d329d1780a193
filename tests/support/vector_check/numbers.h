// Numbers of reference data: how they are read, and how near is near enough.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_NUMBERS_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_NUMBERS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "services/algorithms/glicko2.h"
#include "services/algorithms/weng_lin.h"
#include "tests/support/vector_check/report.h"

namespace astragal::vector_check {

using algorithms::Glicko;
using algorithms::WengLin;

// A number, or a text with one or with a fraction such as "25/3". Throws std::runtime_error.
double Number(const nlohmann::json& value);
// A field of an object; `otherwise` when it is not there or null.
double Number(const nlohmann::json& object, const char* field, double otherwise);

// Half a unit of the last digit that a number is written with, and a hair more.
double HalfLastDigit(const nlohmann::json& printed);

// Absolute differences that are none; the defaults hold for files that state none.
struct Tolerances {
  double rating = 1e-6;
  double deviation = 1e-6;
  double volatility = 1e-8;
  double mu_sigma = 1e-9;
  double fibs = 1e-9;

  void Read(const nlohmann::json& suggested);
};

// Compares the numbers of the record that was begun last, and counts them. Fields that are not in
// `expected` are not compared. What is no number is never near.
class Comparison {
 public:
  Comparison(const Tolerances& tolerances, Report& report)
      : tolerances_(tolerances), report_(report) {}

  const Tolerances& tolerances() const { return tolerances_; }
  int compared() const { return compared_; }

  void Differ(const std::string& difference) { report_.Differ(difference); }
  void Near(const std::string& what, double expected, double actual, double tolerance);
  void NearAll(const std::string& what, const nlohmann::json& expected,
               const std::vector<double>& actual, double tolerance);
  // {"rating", "rd", "volatility"}
  void Rating(const std::string& who, const nlohmann::json& expected, const Glicko& actual);
  // {"mu", "sigma", "display"}
  void Skill(const std::string& who, const nlohmann::json& expected, const WengLin& actual);

 private:
  const Tolerances& tolerances_;
  Report& report_;
  int compared_ = 0;
};

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_NUMBERS_H_
