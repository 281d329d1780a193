#include "tests/support/vector_check/numbers.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace astragal::vector_check {
namespace {

std::string Text(double number) {
  std::ostringstream out;
  out << std::setprecision(17) << number;
  return out.str();
}

}  // namespace

double Number(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) throw std::runtime_error(value.dump() + " is no number");
  const auto text = value.get<std::string>();
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::stod(text);
  return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

double Number(const nlohmann::json& object, const char* field, double otherwise) {
  const auto found = object.find(field);
  return found == object.end() || found->is_null() ? otherwise : Number(*found);
}

double HalfLastDigit(const nlohmann::json& printed) {
  const std::string text = printed.is_string() ? printed.get<std::string>() : printed.dump();
  const size_t point = text.find('.');
  const size_t digits = point == std::string::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(digits)) + 1e-12;
}

void Tolerances::Read(const nlohmann::json& suggested) {
  if (!suggested.is_object()) return;
  rating = Number(suggested, "rating", rating);
  deviation = Number(suggested, "rd", deviation);
  volatility = Number(suggested, "volatility", volatility);
  mu_sigma = Number(suggested, "mu_sigma", mu_sigma);
  fibs = Number(suggested, "fibs", fibs);
}

void Comparison::Near(const std::string& what, double expected, double actual, double tolerance) {
  ++compared_;
  if (std::abs(expected - actual) <= tolerance) return;
  report_.Differ(what + " is " + Text(actual) + ", expected " + Text(expected));
}

void Comparison::NearAll(const std::string& what, const nlohmann::json& expected,
                         const std::vector<double>& actual, double tolerance) {
  if (expected.size() != actual.size()) {
    return report_.Differ(what + " has " + std::to_string(actual.size()) + " values, expected " +
                          std::to_string(expected.size()));
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    Near(what + ' ' + std::to_string(i + 1), Number(expected[i]), actual[i], tolerance);
  }
}

void Comparison::Rating(const std::string& who, const nlohmann::json& expected,
                        const Glicko& actual) {
  const std::string prefix = who.empty() ? "" : who + ' ';
  if (expected.contains("rating")) {
    Near(prefix + "rating", Number(expected.at("rating")), actual.rating, tolerances_.rating);
  }
  if (expected.contains("rd")) {
    Near(prefix + "rd", Number(expected.at("rd")), actual.deviation, tolerances_.deviation);
  }
  if (expected.contains("volatility")) {
    Near(prefix + "volatility", Number(expected.at("volatility")), actual.volatility,
         tolerances_.volatility);
  }
}

void Comparison::Skill(const std::string& who, const nlohmann::json& expected,
                       const WengLin& actual) {
  if (expected.contains("mu")) {
    Near(who + " mu", Number(expected.at("mu")), actual.mu, tolerances_.mu_sigma);
  }
  if (expected.contains("sigma")) {
    Near(who + " sigma", Number(expected.at("sigma")), actual.sigma, tolerances_.mu_sigma);
  }
  if (expected.contains("display")) {
    Near(who + " display", Number(expected.at("display")), std::round(1500 + 30 * (actual.mu - 25)),
         0);
  }
}

}  // namespace astragal::vector_check
