#include "frictionbench/simulation/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <variant>

#include "frictionbench/simulation/internal/camera.hpp"

namespace frictionbench::simulation {

namespace {

using Color = std::array<double, 3>;  // 0 to 255

constexpr double longest_impulse = picture_width / 7;

// Okabe and Ito, Color Universal Design (2008), without black and yellow.
constexpr std::array<Color, 6> palette = {
    {{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233}, {213, 94, 0}}};

constexpr Color grey = {150, 150, 150};  // of what does not move

std::string text(const Color& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(color[0]), std::lround(color[1]),
                     std::lround(color[2]));
}

// Brighter with `light` from 0 to 1, dark to full.
Color lit(const Color& color, double light) {
  Color result = color;
  for (double& part : result) part = std::min(255.0, part * (0.55 + 0.45 * light) + 45 * light);
  return result;
}

// Something drawn, and how far in front it is.
struct Mark {
  double depth = 0;  // larger is nearer
  std::string svg;
};

std::string path(const Camera& camera, std::span<const Vector3> points) {
  std::string text;
  for (const Vector3& point : points) {
    const Vector2 at = camera(point);
    text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", at.x(), at.y());
  }
  return text;
}

Vector3 mean(std::span<const Vector3> points) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

Mark polygon(const Camera& camera, std::span<const Vector3> points, const Color& color) {
  return {camera.depth(mean(points)),
          fmt::format("<polygon points='{}' fill='{}' stroke='#333' stroke-width='0.6' "
                      "stroke-linejoin='round'/>",
                      path(camera, points), text(color))};
}

std::vector<Vector3> in_world(const Pose& pose, std::vector<Vector3> points) {
  for (Vector3& point : points) point = pose.position + pose.rotation * point;
  return points;
}

// One solid being drawn.
class Brush {
 public:
  Brush(const Camera& camera, int dimension, const Solid& solid, std::vector<Mark>& marks)
      : camera_(camera),
        dimension_(dimension),
        pose_(solid.pose),
        color_(solid.body == Solid::fixed
                   ? grey
                   : palette[static_cast<std::size_t>(solid.body) % palette.size()]),
        marks_(marks) {}

  void operator()(const Ball& ball) const {
    const Vector2 at = camera_(pose_.position);
    const double depth = camera_.depth(pose_.position);
    marks_.push_back(
        {depth, fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' fill='{}' "
                            "stroke='#333' stroke-width='0.6'/>",
                            at.x(), at.y(), ball.radius * camera_.scale(), text(middling()))});
    // Two dots on its skin show how it turns.
    for (const double side : {1.0, -1.0}) {
      const Vector3 dot = pose_.position + side * ball.radius * (pose_.rotation * Vector3::UnitX());
      if (camera_.depth(dot) < depth) continue;
      const Vector2 on_paper = camera_(dot);
      marks_.push_back(
          {depth + 1e-9, fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' "
                                     "fill='#333'/>",
                                     on_paper.x(), on_paper.y(),
                                     std::max(0.8, ball.radius * camera_.scale() / 9))});
    }
  }

  void operator()(const Polyhedron& solid) const {
    const std::vector<Vector3> points = in_world(pose_, solid.corners);
    for (const std::vector<int>& face : solid.faces) {
      std::vector<Vector3> outline;
      for (const int corner : face) outline.push_back(points[static_cast<std::size_t>(corner)]);
      if (dimension_ == 2) {
        marks_.push_back(polygon(camera_, outline, middling()));
        continue;
      }
      Vector3 normal = (outline[1] - outline[0]).cross(outline[2] - outline[0]).normalized();
      if (normal.dot(mean(outline) - mean(points)) < 0) normal = -normal;
      if (normal.dot(camera_.towards()) > 0)
        marks_.push_back(polygon(camera_, outline, lit(color_, camera_.light(normal))));
    }
  }

  // Capsules along the core: dark outlines, and the colour on top.
  void operator()(const Tube& tube) const {
    const std::vector<Vector3> points = in_world(pose_, tube.core);
    const double thickness = std::max(1.0, 2 * tube.radius * camera_.scale());
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const Vector2 from = camera_(points[k]), to = camera_(points[k + 1]);
      const double depth = camera_.depth((points[k] + points[k + 1]) / 2);
      const auto line = [&](double stroke_width, const std::string& stroke) {
        return fmt::format(
            "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' "
            "stroke-width='{:.1f}' stroke-linecap='round'/>",
            from.x(), from.y(), to.x(), to.y(), stroke, stroke_width);
      };
      marks_.push_back({depth, line(thickness + 1.2, "#333") + line(thickness, text(middling()))});
    }
  }

  // What is seen of the side is between the two rims; the nearer end is on top of it.
  void operator()(const Cylinder& cylinder) const {
    const Vector3 axis = pose_.rotation * Vector3::UnitZ();
    const double side = axis.dot(camera_.towards()) < 0 ? -1 : 1;
    const std::vector<Vector3> near = rim(cylinder, side), far = rim(cylinder, -side);
    std::vector<Vector3> both = near;
    both.insert(both.end(), far.begin(), far.end());
    const Mark barrel = polygon(camera_, hull(both), middling());
    const Mark end = polygon(camera_, near, lit(color_, camera_.light(side * axis)));
    marks_.push_back({camera_.depth(pose_.position), barrel.svg + end.svg});
  }

  // Its outline is where directions towards the viewer touch it: with the map A from the unit ball to the
  // ellipsoid, the circle of the unit ball at right angles to A^-1 d.
  void operator()(const Ellipsoid& ellipsoid) const {
    const Vector3 seen_from = pose_.rotation.conjugate() * camera_.towards();
    const Vector3 pole = seen_from.cwiseQuotient(ellipsoid.radii.cwiseMax(1e-12)).normalized();
    const Vector3 first = pole.unitOrthogonal(), second = pole.cross(first);
    std::vector<Vector3> outline;
    for (int k = 0; k < round_corners; ++k)
      outline.emplace_back(ellipsoid.radii.cwiseProduct(cosine(k) * first + sine(k) * second));
    marks_.push_back(polygon(camera_, in_world(pose_, outline), middling()));
  }

 private:
  static constexpr int round_corners = 36;  // of the polygons that stand for circles
  static double cosine(int k) { return std::cos(2 * std::numbers::pi * k / round_corners); }
  static double sine(int k) { return std::sin(2 * std::numbers::pi * k / round_corners); }

  Color middling() const { return lit(color_, 0.8); }

  std::vector<Vector3> rim(const Cylinder& cylinder, double side) const {
    std::vector<Vector3> points;
    for (int k = 0; k < round_corners; ++k)
      points.emplace_back(cylinder.radius * cosine(k), cylinder.radius * sine(k),
                          side * cylinder.half_length);
    return in_world(pose_, std::move(points));
  }

  // Corners of the convex hull on paper, by Andrew's monotone chains.
  std::vector<Vector3> hull(std::vector<Vector3> points) const {
    const auto left_of = [this](const Vector3& a, const Vector3& b) {
      const Vector2 p = camera_(a), q = camera_(b);
      return std::pair(p.x(), p.y()) < std::pair(q.x(), q.y());
    };
    const auto turns_right = [this](const Vector3& a, const Vector3& b, const Vector3& c) {
      const Vector2 p = camera_(b) - camera_(a), q = camera_(c) - camera_(a);
      return p.x() * q.y() - p.y() * q.x() <= 0;
    };
    std::sort(points.begin(), points.end(), left_of);
    std::vector<Vector3> around;
    for (int half = 0; half < 2; ++half) {
      const std::size_t begin = around.size();
      for (const Vector3& point : points) {
        while (around.size() >= begin + 2 &&
               turns_right(around[around.size() - 2], around.back(), point))
          around.pop_back();
        around.push_back(point);
      }
      around.pop_back();
      std::reverse(points.begin(), points.end());
    }
    return around;
  }

  const Camera& camera_;
  int dimension_;
  const Pose& pose_;
  const Color& color_;
  std::vector<Mark>& marks_;
};

// Walls that face the viewer, and the ground on them; in 2D lines.
std::string planes(const Camera& camera, const Frame& frame) {
  std::string walls, grounds;
  for (const Plane& plane : frame.planes) {
    if (frame.dimension == 2) {
      const Vector3 along(-plane.normal.y(), plane.normal.x(), 0);
      const Vector3 foot = plane.offset * plane.normal;
      const Vector2 a = camera(foot - 1e3 * along), b = camera(foot + 1e3 * along);
      grounds +=
          fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#999'/>",
                      a.x(), a.y(), b.x(), b.y());
    } else if (is_ground(plane)) {
      const auto corners = camera.ground(plane);
      grounds +=
          fmt::format("<polygon points='{}' fill='#e8e8e8' stroke='#bbb'/>", path(camera, corners));
    } else if (camera.is_wall(plane)) {
      const std::vector<Vector3> corners = camera.wall(plane);
      if (!corners.empty())
        walls += fmt::format("<polygon points='{}' fill='#f2f2f2' stroke='#bbb'/>",
                             path(camera, corners));
    }
  }
  return walls + grounds;
}

std::string impulses(const Camera& camera, const Frame& frame) {
  if (camera.strongest() == 0) return {};
  std::string svg;
  for (const ContactImpulse& contact : frame.impulses) {
    if (contact.impulse.norm() < 1e-3 * camera.strongest()) continue;
    const double length = longest_impulse / camera.scale() / camera.strongest();
    const Vector2 from = camera(contact.point),
                  to = camera(contact.point + length * contact.impulse);
    svg += fmt::format(
        "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#b00020' "
        "stroke-width='1.6' stroke-linecap='round'/>"
        "<circle cx='{:.1f}' cy='{:.1f}' r='2' fill='#b00020'/>",
        from.x(), from.y(), to.x(), to.y(), from.x(), from.y());
  }
  return svg;
}

std::string drawn(const Camera& camera, const Frame& frame) {
  std::vector<Mark> marks;
  for (const Solid& solid : frame.solids)
    std::visit(Brush(camera, frame.dimension, solid, marks), solid.shape);
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.depth < b.depth; });
  std::string svg = planes(camera, frame);
  for (const Mark& mark : marks) svg += mark.svg;
  svg += impulses(camera, frame);
  return svg + fmt::format(
                   "<text x='{:.0f}' y='{:.0f}' font-family='sans-serif' font-size='14' "
                   "fill='#333'>t = {:.3f} s</text>",
                   picture_margin / 2, picture_margin * 0.75, frame.time);
}

std::string document(const Camera& camera, const std::string& content) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
      "viewBox='0 0 {0:.0f} {1:.0f}'>\n<rect width='100%' height='100%' "
      "fill='white'/>\n{2}</svg>\n",
      picture_width, camera.height(), content);
}

}  // namespace

std::string svg_picture(const Frame& frame) {
  const Camera camera(std::span(&frame, 1));
  return document(camera, drawn(camera, frame) + "\n");
}

std::string svg_animation(const std::vector<Frame>& frames, double duration) {
  const Camera camera(frames);
  const auto count = static_cast<double>(frames.size());
  std::string content;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto from = static_cast<double>(k) / count, to = static_cast<double>(k + 1) / count;
    const bool first = k == 0;
    content += fmt::format(
        "<g visibility='{}'><animate attributeName='visibility' calcMode='discrete' "
        "values='{}visible;hidden' keyTimes='0;{}{:.6f}' dur='{:.3f}s' "
        "repeatCount='indefinite'/>{}</g>\n",
        first ? "visible" : "hidden", first ? "" : "hidden;",
        first ? "" : fmt::format("{:.6f};", from), to, duration, drawn(camera, frames[k]));
  }
  return document(camera, content);
}

}  // namespace frictionbench::simulation
