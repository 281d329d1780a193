#include "services/algorithms/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "services/algorithms/svg.h"

namespace astragal::algorithms {
namespace {

// ---- Colours.

constexpr std::string_view kTable = "#f6f1e7";
constexpr std::string_view kWood = "#e6d3b3";
constexpr std::string_view kEdge = "#8a6f4d";
constexpr std::string_view kLight = "#f3e6cf";
constexpr std::string_view kDark = "#c9a67a";
constexpr std::string_view kTray = "#d9c3a0";
constexpr std::string_view kInk = "#3d3226";
constexpr std::string_view kFaint = "#8c7a62";
constexpr std::string_view kSafe = "#a98758";
constexpr std::string_view kPenalty = "#c96f53";
constexpr std::string_view kExtra = "#dfe8d2";
constexpr std::string_view kCentre = "#efd9a7";

struct SeatColour {
  std::string_view name;  // of a seat that is called by it
  std::string_view fill;
  std::string_view rim;
  std::string_view ink;  // readable on fill
};

// Seats that are named after a colour get it; the others get the first free of the last four.
constexpr std::array<SeatColour, 8> kSeatColours = {{
    {"white", "#fbf6ea", "#8a7a60", "#3d3226"},
    {"black", "#40362e", "#1d1712", "#fbf6ea"},
    {"red", "#bf4b3c", "#7c2a1f", "#fff6ee"},
    {"green", "#5d8f4e", "#365a2c", "#fff6ee"},
    {"", "#c2563f", "#7d3021", "#fff6ee"},
    {"", "#37718e", "#1d4254", "#f2fbff"},
    {"", "#e0ac3c", "#94691a", "#3d3226"},
    {"", "#6a8f4a", "#3e5a27", "#fbfff2"},
}};
constexpr size_t kFirstPlainColour = 4;

const SeatColour& ColourOf(const Scene& scene, int seat) {
  const size_t index = static_cast<size_t>(std::max(seat, 0));
  for (const SeatColour& colour : kSeatColours) {
    const bool named = index < scene.seat_names.size() && !colour.name.empty();
    if (named && scene.seat_names[index] == colour.name) return colour;
  }
  return kSeatColours[kFirstPlainColour + index % 4];
}

// ---- Where things are.

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  Point centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
};

constexpr double kMargin = 24;
constexpr double kHeader = 52;
constexpr double kFooterLine = 26;

// Board coordinates to pixels.
class Layout {
 public:
  Layout(const Scene& scene, const DrawingOptions& options) {
    if (scene.places.empty()) return;
    Box all{1e9, 1e9, -1e9, -1e9};
    for (const host::Place& place : scene.places) {
      all.left = std::min(all.left, place.x - place.width / 2.0);
      all.top = std::min(all.top, place.y - place.height / 2.0);
      all.right = std::max(all.right, place.x + place.width / 2.0);
      all.bottom = std::max(all.bottom, place.y + place.height / 2.0);
    }
    extent_ = all;
    const double longer = std::max({extent_.width(), extent_.height(), 1.0});
    const double unit = options.unit_pixels == 0 ? kPage * 1000 / longer : options.unit_pixels;
    scale_ = std::clamp(unit, 8.0, 200.0) / 1000;
  }
  Box board() const {
    return {kMargin, kMargin + kHeader, kMargin + extent_.width() * scale_,
            kMargin + kHeader + extent_.height() * scale_};
  }
  Box Of(const host::Place& place) const {
    const double x = kMargin + (place.x - extent_.left) * scale_;
    const double y = kMargin + kHeader + (place.y - extent_.top) * scale_;
    const double half_width = place.width * scale_ / 2;
    const double half_height = place.height * scale_ / 2;
    return {x - half_width, y - half_height, x + half_width, y + half_height};
  }
  double unit() const { return scale_ * 1000; }

 private:
  static constexpr double kPage = 700;  // pixels of the longer side

  double scale_ = 0.044;
  Box extent_;
};

double LabelSize(double unit) { return unit * 0.2; }
bool IsWide(const Box& box) { return box.width() >= box.height(); }

// Where a heap of pieces may lie: not on a tray's label, nor on the ring around a square.
Box RoomOf(const host::Place& place, Box box, double unit) {
  constexpr double kWidthOfLetter = 0.62;  // of the size, on average
  const double size = LabelSize(unit);
  if (place.shape != host::Shape::kTray) {
    const double inset = box.width() * 0.08;
    return {box.left + inset, box.top + inset, box.right - inset, box.bottom - inset};
  }
  if (place.label.empty()) return box;
  if (IsWide(box)) {
    box.left += size * (1 + kWidthOfLetter * static_cast<double>(place.label.size()));
    box.right -= size * 0.5;
  } else {
    box.top += size * 0.5;
    box.bottom -= size * 1.8;
  }
  return box;
}

bool Has(const host::Place& place, uint32_t mark) { return (place.marks & mark) != 0; }
bool IsTriangle(const host::Place& place) {
  return place.shape == host::Shape::kTriangleUp || place.shape == host::Shape::kTriangleDown;
}

// ---- Places.

std::string_view FillOf(const host::Place& place) {
  if (place.shape == host::Shape::kTray) return kTray;
  if (Has(place, host::kMarkExtra)) return kExtra;
  if (Has(place, host::kMarkCentre)) return kCentre;
  return Has(place, host::kMarkDark) ? kDark : kLight;
}

void DrawCross(const Box& box, Svg& svg) {
  const double inset = box.width() * 0.25;
  const Paint paint{{}, kSafe, std::max(1.0, box.width() * 0.045)};
  svg.Line({box.left + inset, box.top + inset}, {box.right - inset, box.bottom - inset}, paint);
  svg.Line({box.right - inset, box.top + inset}, {box.left + inset, box.bottom - inset}, paint);
}

// A wedge cut into the side of a square.
void DrawWedge(const Box& box, Svg& svg) {
  const double depth = box.height() * 0.42;
  const Point middle = box.centre();
  svg.Polygon({{box.left, box.bottom}, {middle.x, box.bottom - depth}, {box.right, box.bottom}},
              {kPenalty, {}, 0, 0.75});
}

// A ring that says whose start or home this is.
void DrawOwner(const Scene& scene, const host::Place& place, const Box& box, Svg& svg) {
  if (place.seat < 0 || place.shape == host::Shape::kTray || IsTriangle(place)) return;
  const double inset = box.width() * 0.045;
  svg.Rect({box.left + inset, box.top + inset}, box.width() - 2 * inset, box.height() - 2 * inset,
           box.width() * 0.06, {{}, ColourOf(scene, place.seat).fill, box.width() * 0.06, 0.8});
}

void DrawPlace(const Scene& scene, const host::Place& place, const Box& box, Svg& svg) {
  const Paint paint{FillOf(place), kEdge, 1};
  switch (place.shape) {
    case host::Shape::kTriangleUp:
      svg.Polygon({{box.left, box.bottom}, {box.centre().x, box.top}, {box.right, box.bottom}},
                  paint);
      break;
    case host::Shape::kTriangleDown:
      svg.Polygon({{box.left, box.top}, {box.centre().x, box.bottom}, {box.right, box.top}}, paint);
      break;
    case host::Shape::kCircle:
      svg.Rect({box.left, box.top}, box.width(), box.height(), box.width() * 0.35, paint);
      break;
    case host::Shape::kTray:
      svg.Rect({box.left, box.top}, box.width(), box.height(), 6, {kTray, kEdge, 1, 0.7});
      break;
    case host::Shape::kSquare:
      svg.Rect({box.left, box.top}, box.width(), box.height(), 2, paint);
      break;
  }
  if (Has(place, host::kMarkSafe)) DrawCross(box, svg);
  if (Has(place, host::kMarkPenalty)) DrawWedge(box, svg);
  DrawOwner(scene, place, box, svg);
}

void DrawLabel(const host::Place& place, const Box& box, double unit, Svg& svg) {
  if (place.label.empty()) return;
  const double size = LabelSize(unit);
  const TextStyle style{kFaint, size};
  if (place.shape == host::Shape::kTriangleUp) {
    svg.Text({box.centre().x, box.bottom + size * 0.8}, place.label, style);
  } else if (place.shape == host::Shape::kTriangleDown) {
    svg.Text({box.centre().x, box.top - size * 0.8}, place.label, style);
  } else if (place.shape != host::Shape::kTray) {
    svg.Text({box.left + size * 0.55, box.top + size * 0.85}, place.label,
             {kFaint, size * 0.8, Anchor::kStart});
  } else if (IsWide(box)) {
    svg.Text({box.left + size * 0.6, box.centre().y}, place.label, {kFaint, size, Anchor::kStart});
  } else {
    svg.Text({box.centre().x, box.bottom - size}, place.label, style);
  }
}

// ---- Pieces.

void DrawToken(Point at, double radius, const SeatColour& colour, Svg& svg) {
  svg.Circle({at.x + radius * 0.06, at.y + radius * 0.1}, radius, {"#000000", {}, 0, 0.18});
  svg.Circle(at, radius, {colour.fill, colour.rim, std::max(1.0, radius * 0.1)});
  svg.Circle(at, radius * 0.62, {{}, colour.rim, std::max(0.6, radius * 0.05), 0.45});
}

void DrawCount(Point at, double radius, int count, const SeatColour& colour, Svg& svg) {
  svg.Text(at, std::to_string(count), {colour.ink, radius * 0.95, Anchor::kMiddle, true});
}

// A stack that grows from the base of a triangle towards its tip; one too high closes up.
void DrawStack(const Scene& scene, const host::Place& place, const Box& box,
               const std::vector<host::Piece>& pieces, Svg& svg) {
  const double radius = box.width() * 0.44;
  const bool down = place.shape == host::Shape::kTriangleDown;
  int total = 0;
  for (const host::Piece& piece : pieces) total += piece.count;
  const double room = box.height() * 0.96 - 2 * radius;
  const double step = total > 1 ? std::min(2 * radius, room / (total - 1)) : 0;
  double offset = radius;
  for (const host::Piece& piece : pieces) {
    const SeatColour& colour = ColourOf(scene, piece.seat);
    Point at;
    for (int i = 0; i < piece.count; ++i, offset += step) {
      at = {box.centre().x, down ? box.top + offset : box.bottom - offset};
      DrawToken(at, radius, colour, svg);
    }
    if (piece.count > 5) DrawCount(at, radius, piece.count, colour, svg);
  }
}

// Tokens in rows within a box, as large as they can be; many of a kind become one with a number.
void DrawHeap(const Scene& scene, const Box& box, const std::vector<host::Piece>& pieces,
              double most_radius, Svg& svg) {
  constexpr int kMostTokens = 16;
  int total = 0;
  for (const host::Piece& piece : pieces) total += piece.count;
  const bool numbers = total > kMostTokens;
  const int tokens = numbers ? static_cast<int>(pieces.size()) : total;
  int columns = 1;
  double best = 0;
  for (int c = 1; c <= tokens; ++c) {
    const int rows = (tokens + c - 1) / c;
    const double radius = std::min(box.width() / c, box.height() / rows) / 2;
    if (radius >= best) {  // side by side rather than one above the other
      best = radius;
      columns = c;
    }
  }
  const int rows = (tokens + columns - 1) / columns;
  const double radius = std::min(best * 0.86, most_radius);
  const double pitch = std::min(best * 2, most_radius * 2.2);
  int index = 0;
  for (const host::Piece& piece : pieces) {
    const SeatColour& colour = ColourOf(scene, piece.seat);
    for (int i = 0; i < (numbers ? 1 : piece.count); ++i, ++index) {
      const int row = index / columns;
      const int in_row = std::min(columns, tokens - row * columns);
      const Point at{box.centre().x + (index % columns - (in_row - 1) / 2.0) * pitch,
                     box.centre().y + (row - (rows - 1) / 2.0) * pitch};
      DrawToken(at, radius, colour, svg);
      if (numbers) DrawCount(at, radius, piece.count, colour, svg);
    }
  }
}

void DrawPieces(const Scene& scene, const Layout& layout, Svg& svg) {
  std::map<int, std::vector<host::Piece>> on_place;
  for (const host::Piece& piece : scene.pieces) on_place[piece.place].push_back(piece);
  for (const host::Place& place : scene.places) {
    const auto found = on_place.find(place.id);
    if (found == on_place.end()) continue;
    const Box box = layout.Of(place);
    if (IsTriangle(place)) {
      DrawStack(scene, place, box, found->second, svg);
    } else {
      const Box room = RoomOf(place, box, layout.unit());
      DrawHeap(scene, room, found->second, layout.unit() * 0.36, svg);
    }
  }
}

// ---- Text around the board.

void DrawThrows(const Scene& scene, Point right, Svg& svg) {
  constexpr double kSize = 30;
  const int count = static_cast<int>(scene.throws.size());
  for (int i = 0; i < count; ++i) {
    const host::Throw& thrown = scene.throws[static_cast<size_t>(i)];
    const Point corner{right.x - (count - i) * (kSize + 6), right.y - kSize / 2};
    const SeatColour& colour = ColourOf(scene, thrown.seat);
    svg.Rect(corner, kSize, kSize, 6, {colour.fill, colour.rim, 1.5, thrown.used ? 0.3 : 1});
    svg.Text({corner.x + kSize / 2, corner.y + kSize / 2}, std::to_string(thrown.value),
             {thrown.used ? kFaint : colour.ink, 17, Anchor::kMiddle, true});
  }
}

std::string Readable(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string CountersOf(const Scene& scene, int seat) {
  std::string text;
  for (const host::Counter& counter : scene.counters) {
    if (counter.seat != seat) continue;
    if (!text.empty()) text += " \u00b7 ";
    text += Readable(counter.name) + " " + std::to_string(counter.value);
  }
  return text;
}

// Counters in one line, smaller where there are many.
void DrawCounters(const Scene& scene, int seat, Point at, double right, Svg& svg) {
  constexpr double kSize = 13;
  constexpr double kWidthOfLetter = 0.58;  // of the size, on average
  const std::string text = CountersOf(scene, seat);
  if (text.empty()) return;
  const double room = (right - at.x) / (static_cast<double>(text.size()) * kWidthOfLetter);
  svg.Text(at, text, {kFaint, std::clamp(room, 8.0, kSize), Anchor::kStart});
}

void DrawFooter(const Scene& scene, const Box& board, Svg& svg) {
  double y = board.bottom + kMargin + kFooterLine / 2;
  for (size_t i = 0; i < scene.seat_names.size(); ++i, y += kFooterLine) {
    const int seat = static_cast<int>(i);
    DrawToken({board.left + 9, y}, 8, ColourOf(scene, seat), svg);
    const std::string& name = scene.seat_names[i];
    svg.Text({board.left + 26, y}, name, {kInk, 14, Anchor::kStart, seat == scene.actor});
    DrawCounters(scene, seat, {board.left + 110, y}, board.right, svg);
  }
  DrawCounters(scene, -1, {board.left + 110, y}, board.right, svg);
}

}  // namespace

std::string CaptionOfEnd(const std::vector<std::string>& seat_names,
                         const std::vector<int>& places) {
  std::string winners;
  int count = 0;
  for (size_t i = 0; i < places.size() && i < seat_names.size(); ++i) {
    if (places[i] != 1) continue;
    winners += (count++ == 0 ? "" : " and ") + seat_names[i];
  }
  if (count == 0) return "game over";
  return "game over: " + winners + (count == 1 ? " won" : " drew");
}

absl::StatusOr<Scene> SceneOf(const host::Ruleset& ruleset, const host::Position& position) {
  Scene scene;
  scene.title = ruleset.about().name;
  scene.actor = ruleset.Actor(position);
  const int seats = ruleset.Seats(position);
  for (int i = 0; i < seats; ++i) {
    scene.seat_names.push_back(ruleset.about().seat_names[static_cast<size_t>(i)]);
  }
  const auto result = ruleset.Result(position);
  if (!result.ok()) return result.status();
  if (scene.actor >= 0 && scene.actor < seats) {
    scene.caption = scene.seat_names[static_cast<size_t>(scene.actor)] + " to play";
  } else if (scene.actor == host::kOver) {
    std::vector<int> won;
    for (const host::SeatResult& seat : *result) won.push_back(seat.place);
    scene.caption = CaptionOfEnd(scene.seat_names, won);
  } else {
    scene.caption = "a throw is next";
  }
  auto places = ruleset.Places(position);
  auto pieces = ruleset.Pieces(position);
  auto throws = ruleset.Throws(position);
  auto counters = ruleset.Counters(position);
  if (!places.ok()) return places.status();
  if (!pieces.ok()) return pieces.status();
  if (!throws.ok()) return throws.status();
  if (!counters.ok()) return counters.status();
  scene.places = *std::move(places);
  scene.pieces = *std::move(pieces);
  scene.throws = *std::move(throws);
  scene.counters = *std::move(counters);
  return scene;
}

std::string DrawSvg(const Scene& scene, const DrawingOptions& options) {
  const Layout layout(scene, options);
  const Box board = layout.board();
  const bool table_line = !CountersOf(scene, -1).empty();
  const double lines = static_cast<double>(scene.seat_names.size()) + (table_line ? 1 : 0);
  const double width = std::max(board.right + kMargin, 420.0);
  Svg svg(width, board.bottom + kMargin * 1.5 + lines * kFooterLine);
  svg.Group("board");
  svg.Rect({0, 0}, width, board.bottom + kMargin * 1.5 + lines * kFooterLine, 0, {kTable});
  constexpr double kRim = 14;
  svg.Rect({board.left - kRim, board.top - kRim}, board.width() + 2 * kRim,
           board.height() + 2 * kRim, 10, {kWood, kEdge, 1.5});
  for (const host::Place& place : scene.places) {
    DrawPlace(scene, place, layout.Of(place), svg);
  }
  if (options.labels) {
    svg.Group("labels");
    for (const host::Place& place : scene.places) {
      DrawLabel(place, layout.Of(place), layout.unit(), svg);
    }
  }
  svg.Group("pieces");
  DrawPieces(scene, layout, svg);
  svg.Group("text");
  svg.Text({board.left, kMargin}, scene.title, {kInk, 20, Anchor::kStart, true});
  svg.Text({board.left, kMargin + 22}, scene.caption, {kFaint, 14, Anchor::kStart});
  DrawThrows(scene, {board.right, kMargin + 10}, svg);
  DrawFooter(scene, board, svg);
  return svg.Finish();
}

}  // namespace astragal::algorithms
