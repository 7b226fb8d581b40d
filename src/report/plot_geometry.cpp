// SPDX-License-Identifier: Apache-2.0
#include "report/plot_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::report {
namespace {

constexpr double kLineWidth = 1.5;
// A wide letter of a sans-serif, as a part of the font's size.
constexpr double kLetter = 0.66;

// Letters, not bytes.
bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// A point in units of the area, 0 to 1; `height` is below 0 or infinite where the curve leaves the area.
struct Sample {
  double x;
  double height;
};

double limited(double height) { return std::clamp(height, 0.0, 1.0); }

// The curve with a point wherever it crosses the edge of the area, so that limiting heights cuts it there.
std::vector<Sample> with_crossings(const std::vector<Sample>& curve) {
  std::vector<Sample> all;
  for (const Sample& next : curve) {
    if (!all.empty()) {
      const Sample last = all.back();
      const bool falls = next.height < last.height;
      for (const double edge : {falls ? 1.0 : 0.0, falls ? 0.0 : 1.0}) {
        const bool crosses = (last.height < edge) != (next.height < edge) && last.height != edge && next.height != edge;
        if (!crosses || !std::isfinite(last.height) || !std::isfinite(next.height)) continue;
        const double t = (edge - last.height) / (next.height - last.height);
        all.push_back({last.x + t * (next.x - last.x), edge});
      }
    }
    all.push_back(next);
  }
  return all;
}

Place in_area(const PlotArea& area, const Sample& sample) {
  return {std::lerp(area.left, area.right, std::clamp(sample.x, 0.0, 1.0)),
          std::lerp(area.bottom, area.top, limited(sample.height))};
}

// What is outside of the area at both ends is not drawn.
std::vector<Path> pieces(const PlotArea& area, const std::vector<Sample>& samples) {
  std::vector<Path> all;
  bool is_open = false;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool is_inside = samples[i].height >= 0.0;
    const bool joins = i > 0 && (is_inside || samples[i - 1].height > 0.0);
    if (joins && is_open)
      all.back().push_back(in_area(area, samples[i]));
    else if (is_inside)
      all.push_back({in_area(area, samples[i])});
    is_open = is_inside;
  }
  return all;
}

std::vector<Sample> samples_of(const BracketPlot& plot, const std::vector<PlotPoint>& points, bool is_upper) {
  std::vector<Sample> samples;
  samples.reserve(points.size());
  for (const PlotPoint& point : points)
    samples.push_back(
        {plot.x.unlimited_place(point.x), plot.y.unlimited_place(is_upper ? point.y.upper() : point.y.lower())});
  return with_crossings(samples);
}

double widest_gap(const BracketPlot& plot, const std::vector<PlotPoint>& points) {
  double widest = 0.0;
  for (const PlotPoint& point : points)
    widest = std::max(widest, plot.y.place(point.y.upper()) - plot.y.place(point.y.lower()));
  return widest;
}

// Places a few pixels apart along the curve.
std::vector<Place> dense(const std::vector<Path>& curve) {
  std::vector<Place> places;
  for (const Path& path : curve)
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double steps = std::ceil(std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y) / 3.0);
      for (double k = 0.0; k <= steps && steps > 0.0; ++k)
        places.push_back(
            {std::lerp(path[i - 1].x, path[i].x, k / steps), std::lerp(path[i - 1].y, path[i].y, k / steps)});
    }
  return places;
}

struct Box {
  double left, right, top, bottom;

  [[nodiscard]] bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

Box box_of(const PlacedLabel& label, double font) {
  return {label.start.x - 2.0, label.start.x + label.width + 2.0, label.start.y - font, label.start.y + 0.35 * font};
}

// Beside the mark, wherever there is room, and off the curves if that can be had: they fall, so the right above comes
// first.
class Labels {
 public:
  Labels(const PlotArea& area, double font, std::vector<Place> curve)
      : area_(area), font_(font), curve_(std::move(curve)) {}

  void avoid(const Place& mark) { taken_.push_back({mark.x - 7.0, mark.x + 7.0, mark.y - 7.0, mark.y + 7.0}); }

  void add(const Place& mark, const std::string& text) {
    for (const bool may_cross : {false, true})
      for (const PlacedLabel& label : candidates(mark, text))
        if (placed(label, may_cross)) return;
  }

  [[nodiscard]] std::vector<PlacedLabel> all() const { return all_; }

 private:
  [[nodiscard]] std::vector<PlacedLabel> candidates(const Place& mark, const std::string& text) const {
    const double width = width_of(text, font_);
    const double left = area_.left + 4.0;
    const double middle = std::clamp(mark.x - 0.5 * width, left, std::max(left, area_.right - 4.0 - width));
    std::vector<PlacedLabel> all;
    for (const double dy : {-0.6, 1.3, 0.35})
      for (const double x : {mark.x + 10.0, mark.x - 10.0 - width})
        all.push_back({{x, mark.y + dy * font_}, width, text});
    for (const double dy : {-1.1, 1.8, -2.4, 3.0}) all.push_back({{middle, mark.y + dy * font_}, width, text});
    return all;
  }

  bool placed(const PlacedLabel& label, bool may_cross) {
    const Box box = box_of(label, font_);
    const auto is_in_box = [&](const Place& place) {
      return place.x > box.left && place.x < box.right && place.y > box.top && place.y < box.bottom;
    };
    if (!may_cross && std::any_of(curve_.begin(), curve_.end(), is_in_box)) return false;
    if (box.left < area_.left || box.right > area_.right || box.top < area_.top - font_ || box.bottom > area_.bottom)
      return false;
    for (const Box& other : taken_)
      if (box.overlaps(other)) return false;
    taken_.push_back(box);
    all_.push_back(label);
    return true;
  }

  PlotArea area_;
  double font_;
  std::vector<Place> curve_;
  std::vector<Box> taken_ = {};
  std::vector<PlacedLabel> all_ = {};
};

}  // namespace

double width_of(std::string_view text, double font) {
  return kLetter * font * static_cast<double>(std::count_if(text.begin(), text.end(), begins_letter));
}

std::string shortened(const std::string& text, double font, double width) {
  if (width_of(text, font) <= width) return text;
  std::string shorter;
  for (const char c : text) {
    if (begins_letter(c) && width_of(shorter + "…", font) + kLetter * font > width) break;
    shorter += c;
  }
  return shorter + "…";
}

PlotArea area_of(const PlotSize& size) {
  return {.left = 5.2 * size.font,
          .right = size.width - 1.8 * size.font,
          .top = 1.6 * size.font,
          .bottom = size.height - 4.0 * size.font};
}

Place place_of(const BracketPlot& plot, const PlotArea& area, double x, double y) {
  return in_area(area, {plot.x.place(x), plot.y.place(y)});
}

std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<PlotPoint> fewer;
  const std::size_t stride = (points.size() + most - 1) / most;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const std::size_t end = std::min(points.size(), i + stride);
    double lower = points[i].y.lower();
    double upper = points[i].y.upper();
    for (std::size_t j = i; j < end; ++j) {
      lower = std::min(lower, points[j].y.lower());
      upper = std::max(upper, points[j].y.upper());
    }
    for (const std::size_t j : {i, end - 1})
      if (fewer.empty() || points[j].x > fewer.back().x) fewer.push_back({points[j].x, Bracket(lower, upper)});
  }
  return fewer;
}

PlotGeometry geometry_of(const BracketPlot& plot, const PlotSize& size) {
  PlotGeometry geometry;
  const PlotArea area = area_of(size);
  geometry.area = area;
  const std::vector<PlotPoint> points = thinned(plot.points, kMostPoints);
  const std::vector<Sample> upper = samples_of(plot, points, true);
  const std::vector<Sample> lower = samples_of(plot, points, false);
  geometry.upper = pieces(area, upper);
  geometry.is_one_line = widest_gap(plot, points) * (area.bottom - area.top) <= kLineWidth;
  if (!geometry.is_one_line) {
    geometry.lower = pieces(area, lower);
    for (const Sample& sample : upper) geometry.band.push_back(in_area(area, sample));
    for (auto sample = lower.rbegin(); sample != lower.rend(); ++sample)
      geometry.band.push_back(in_area(area, *sample));
  }
  std::vector<Place> taken = dense(geometry.upper);
  for (const Place& place : dense(geometry.lower)) taken.push_back(place);
  Labels labels(area, size.font, taken);
  for (const PlotMark& mark : plot.marks) geometry.marks.push_back(place_of(plot, area, mark.x, mark.y));
  for (const Place& mark : geometry.marks) labels.avoid(mark);
  for (std::size_t i = 0; i < plot.marks.size(); ++i) labels.add(geometry.marks[i], plot.marks[i].label);
  if (plot.level) labels.add(place_of(plot, area, plot.x.low(), plot.level->y), plot.level->label);
  geometry.labels = labels.all();
  return geometry;
}

}  // namespace doeblin::report
