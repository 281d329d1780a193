#include "services/algorithms/svg.h"

#include <cmath>
#include <cstdio>

namespace astragal::algorithms {
namespace {

constexpr std::string_view kFont = "ui-sans-serif, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

std::string_view AnchorName(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
  }
  return "middle";
}

}  // namespace

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

Svg::Svg(double width, double height) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ";
  Put(width);
  out_ += " ";
  Put(height);
  out_ += "\"";
  Attribute("width", width);
  Attribute("height", height);
  out_.append(" font-family=\"").append(kFont).append("\">\n");
}

// One decimal, without a trailing ".0" and without the locale.
void Svg::Put(double number) {
  const long tenths = std::lround(number * 10);
  if (tenths < 0) out_ += '-';
  const long size = tenths < 0 ? -tenths : tenths;
  out_ += std::to_string(size / 10);
  if (size % 10 != 0) out_.append(".").append(std::to_string(size % 10));
}

void Svg::Attribute(std::string_view name, double value) {
  out_.append(" ").append(name).append("=\"");
  Put(value);
  out_ += "\"";
}

void Svg::PutPaint(const Paint& paint) {
  out_.append(" fill=\"").append(paint.fill.empty() ? "none" : paint.fill).append("\"");
  if (!paint.stroke.empty()) {
    out_.append(" stroke=\"").append(paint.stroke).append("\"");
    Attribute("stroke-width", paint.stroke_width);
  }
  if (paint.opacity < 1) Attribute("opacity", paint.opacity);
}

void Svg::Rect(Point corner, double width, double height, double radius, const Paint& paint) {
  out_ += "<rect";
  Attribute("x", corner.x);
  Attribute("y", corner.y);
  Attribute("width", width);
  Attribute("height", height);
  if (radius > 0) Attribute("rx", radius);
  PutPaint(paint);
  out_ += "/>\n";
}

void Svg::Circle(Point centre, double radius, const Paint& paint) {
  out_ += "<circle";
  Attribute("cx", centre.x);
  Attribute("cy", centre.y);
  Attribute("r", radius);
  PutPaint(paint);
  out_ += "/>\n";
}

void Svg::Polygon(const std::vector<Point>& corners, const Paint& paint) {
  out_ += "<polygon points=\"";
  for (size_t i = 0; i < corners.size(); ++i) {
    if (i > 0) out_ += ' ';
    Put(corners[i].x);
    out_ += ',';
    Put(corners[i].y);
  }
  out_ += "\"";
  PutPaint(paint);
  out_ += "/>\n";
}

void Svg::Line(Point from, Point to, const Paint& paint) {
  out_ += "<line";
  Attribute("x1", from.x);
  Attribute("y1", from.y);
  Attribute("x2", to.x);
  Attribute("y2", to.y);
  PutPaint(paint);
  out_ += " stroke-linecap=\"round\"/>\n";
}

void Svg::Text(Point at, std::string_view text, const TextStyle& style) {
  out_ += "<text";
  Attribute("x", at.x);
  // Not dominant-baseline: renderers differ in it. A third of the size is where the middle lies.
  Attribute("y", at.y + style.size * 0.35);
  Attribute("font-size", style.size);
  out_.append(" text-anchor=\"").append(AnchorName(style.anchor)).append("\" fill=\"");
  out_.append(style.fill).append("\"");
  if (style.bold) out_ += " font-weight=\"bold\"";
  out_.append(">").append(EscapeXml(text)).append("</text>\n");
}

void Svg::Group(std::string_view css_class) {
  if (in_group_) out_ += "</g>\n";
  in_group_ = true;
  out_.append("<g class=\"").append(css_class).append("\">\n");
}

std::string Svg::Finish() {
  if (in_group_) out_ += "</g>\n";
  in_group_ = false;
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace astragal::algorithms
