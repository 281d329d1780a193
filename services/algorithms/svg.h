// Writing SVG: elements with numbers rounded to a tenth of a pixel and text escaped.
// A value; used by one thread at a time.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_SVG_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_SVG_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace astragal::algorithms {

struct Point {
  double x = 0;
  double y = 0;
};

// How something is painted; colours as CSS writes them, empty: none.
struct Paint {
  std::string_view fill;
  std::string_view stroke = {};
  double stroke_width = 0;
  double opacity = 1;
};

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  std::string_view fill;
  double size = 12;
  Anchor anchor = Anchor::kMiddle;
  bool bold = false;
};

class Svg {
 public:
  Svg(double width, double height);

  void Rect(Point corner, double width, double height, double radius, const Paint& paint);
  void Circle(Point centre, double radius, const Paint& paint);
  void Polygon(const std::vector<Point>& corners, const Paint& paint);
  void Line(Point from, Point to, const Paint& paint);
  // `at` is the middle of the line's height.
  void Text(Point at, std::string_view text, const TextStyle& style);
  // Everything until the next call of Group or Finish belongs to one element of this class.
  void Group(std::string_view css_class);

  // The document; the object is empty afterwards.
  std::string Finish();

 private:
  void Put(double number);
  void Attribute(std::string_view name, double value);
  void PutPaint(const Paint& paint);

  std::string out_;
  bool in_group_ = false;
};

std::string EscapeXml(std::string_view text);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_SVG_H_
