#include "frictionbench/scenes/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "frictionbench/scenes/internal/shapes.hpp"

namespace frictionbench::scenes {

namespace {

using Vector2 = Eigen::Vector2d;
using Color = std::array<double, 3>;  // 0 to 255

constexpr double width = 800, margin = 24;  // pixels
constexpr double longest_impulse = width / 7;

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

bool is_ground(const Plane& plane) { return plane.normal.z() > 0.7; }

// Where points are on the paper: a parallel projection, fitted to what is to be seen.
class Camera {
 public:
  explicit Camera(std::span<const Frame> frames) {
    const bool plane_world = frames.front().world.dimension == 2;
    towards_ = plane_world ? Vector3(0, 0, 1) : Vector3(0.45, -1, 0.42).normalized();
    const Vector3 up = plane_world ? Vector3::UnitY() : Vector3::UnitZ();
    right_ = up.cross(towards_).normalized();
    up_ = towards_.cross(right_);
    for (const Frame& frame : frames) see(frame);
    for (const Plane& plane : frames.front().world.planes)
      if (!plane_world && is_ground(plane))
        for (const Vector3& corner : ground(plane)) see(corner, 0);
    if (low_.x() > high_.x()) low_ = Vector2(-1, -1), high_ = Vector2(1, 1);
    const Vector2 size = (high_ - low_).cwiseMax(1e-9);
    scale_ = std::min((width - 2 * margin) / size.x(), (width - 2 * margin) / size.y());
    height_ = size.y() * scale_ + 2 * margin;
    left_ = (width - size.x() * scale_) / 2;
  }

  double height() const { return height_; }  // pixels
  double scale() const { return scale_; }    // pixels per metre
  double strongest() const { return strongest_; }
  const Vector3& towards() const { return towards_; }
  double depth(const Vector3& point) const { return point.dot(towards_); }
  Vector2 operator()(const Vector3& point) const {
    const Vector2 flat = projected(point);
    return {left_ + (flat.x() - low_.x()) * scale_,
            height_ - margin - (flat.y() - low_.y()) * scale_};
  }
  // Brightness of a face.
  double light(const Vector3& normal) const {
    const Vector3 lamp = (towards_ + up_ - 0.5 * right_).normalized();
    return std::clamp(0.5 + 0.5 * normal.dot(lamp), 0.0, 1.0);
  }
  // The rectangle of a level plane under all that is seen.
  std::array<Vector3, 4> ground(const Plane& plane) const {
    const Vector3 center = (box_low_ + box_high_) / 2;
    const Vector3 half = (box_high_ - box_low_) / 2;
    std::array<Vector3, 4> corners;
    for (int k = 0; k < 4; ++k) {
      Vector3 corner = center;
      corner.x() += (k == 0 || k == 3 ? -1.0 : 1.0) * half.x();
      corner.y() += (k < 2 ? -1.0 : 1.0) * half.y();
      corner.z() += (plane.offset - plane.normal.dot(corner)) / plane.normal.z();
      corners[static_cast<std::size_t>(k)] = corner;
    }
    return corners;
  }

 private:
  Vector2 projected(const Vector3& point) const { return {point.dot(right_), point.dot(up_)}; }

  void see(const Vector3& point, double reach) {
    const Vector2 flat = projected(point);
    low_ = low_.cwiseMin(flat - Vector2::Constant(reach));
    high_ = high_.cwiseMax(flat + Vector2::Constant(reach));
  }

  void see(const Frame& frame) {
    const auto see_body = [this](const Body& body) {
      const double reach = extent(body.shape);
      see(body.position, reach);
      box_low_ = box_low_.cwiseMin(body.position - Vector3::Constant(reach));
      box_high_ = box_high_.cwiseMax(body.position + Vector3::Constant(reach));
    };
    std::for_each(frame.world.bodies.begin(), frame.world.bodies.end(), see_body);
    std::for_each(frame.world.fixtures.begin(), frame.world.fixtures.end(), see_body);
    const int dimension = frame.world.dimension;
    for (Index i = 0; i < frame.impulse.size() / dimension; ++i)
      strongest_ = std::max(strongest_, frame.impulse.segment(dimension * i, dimension).norm());
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vector3 towards_, right_, up_;  // the viewer; to the right and upwards on the paper
  Vector2 low_ = Vector2::Constant(infinity), high_ = Vector2::Constant(-infinity);
  Vector3 box_low_ = Vector3::Constant(infinity), box_high_ = Vector3::Constant(-infinity);
  double scale_ = 1, height_ = width, left_ = 0;
  double strongest_ = 0;  // impulse, N s
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

// Corners of the six faces of boxes and wedges, in the order of corners().
constexpr std::array<std::array<int, 4>, 6> faces = {
    {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}}};

void draw_sphere(const Camera& camera, const Body& body, double radius, const Color& color,
                 std::vector<Mark>& marks) {
  const Vector2 at = camera(body.position);
  const double depth = camera.depth(body.position);
  marks.push_back({depth, fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' fill='{}' "
                                      "stroke='#333' stroke-width='0.6'/>",
                                      at.x(), at.y(), radius * camera.scale(), text(color))});
  // Two dots on its skin show how it turns.
  for (const double side : {1.0, -1.0}) {
    const Vector3 dot = body.position + side * radius * (body.rotation * Vector3::UnitX());
    if (camera.depth(dot) < depth) continue;
    const Vector2 on_paper = camera(dot);
    marks.push_back({depth + 1e-9, fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' "
                                               "fill='#333'/>",
                                               on_paper.x(), on_paper.y(),
                                               std::max(0.8, radius * camera.scale() / 9))});
  }
}

void draw_faces(const Camera& camera, const Body& body, int dimension, const Color& color,
                std::vector<Mark>& marks) {
  std::vector<Vector3> points = corners(body.shape, dimension);
  for (Vector3& point : points) point = body.position + body.rotation * point;
  if (dimension == 2) {
    const std::array<Vector3, 4> outline = {points[0], points[1], points[3], points[2]};
    marks.push_back(polygon(camera, outline, lit(color, 0.8)));
    return;
  }
  for (const auto& face : faces) {
    std::array<Vector3, 4> outline;
    for (std::size_t k = 0; k < 4; ++k) outline[k] = points[static_cast<std::size_t>(face[k])];
    Vector3 normal = (outline[1] - outline[0]).cross(outline[2] - outline[0]).normalized();
    if (normal.dot(mean(outline) - body.position) < 0) normal = -normal;
    if (normal.dot(camera.towards()) > 0)
      marks.push_back(polygon(camera, outline, lit(color, camera.light(normal))));
  }
}

// Capsules along the core of a link: dark outlines, and the colour on top.
void draw_wire(const Camera& camera, const Body& body, const Color& color,
               std::vector<Mark>& marks) {
  std::vector<Vector3> points = core(body.shape);
  for (Vector3& point : points) point = body.position + body.rotation * point;
  if (std::holds_alternative<Ring>(body.shape)) points.push_back(points.front());
  const double thickness = std::max(1.0, 2 * round_radius(body.shape) * camera.scale());
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Vector2 from = camera(points[k]), to = camera(points[k + 1]);
    const double depth = camera.depth((points[k] + points[k + 1]) / 2);
    const auto line = [&](double stroke_width, const std::string& stroke) {
      return fmt::format(
          "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' "
          "stroke-width='{:.1f}' stroke-linecap='round'/>",
          from.x(), from.y(), to.x(), to.y(), stroke, stroke_width);
    };
    marks.push_back({depth, line(thickness + 1.2, "#333") + line(thickness, text(color))});
  }
}

void draw_body(const Camera& camera, const Body& body, int dimension, const Color& color,
               std::vector<Mark>& marks) {
  if (const auto* sphere = std::get_if<Sphere>(&body.shape))
    return draw_sphere(camera, body, sphere->radius, lit(color, 0.8), marks);
  if (round_radius(body.shape) > 0) return draw_wire(camera, body, lit(color, 0.8), marks);
  draw_faces(camera, body, dimension, color, marks);
}

// Level planes, or in 2D their lines.
std::string ground(const Camera& camera, const World& world) {
  std::string svg;
  for (const Plane& plane : world.planes) {
    if (world.dimension == 2) {
      const Vector3 along(-plane.normal.y(), plane.normal.x(), 0);
      const Vector3 foot = plane.offset * plane.normal;
      const Vector2 a = camera(foot - 1e3 * along), b = camera(foot + 1e3 * along);
      svg += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#999'/>",
                         a.x(), a.y(), b.x(), b.y());
    } else if (is_ground(plane)) {
      const auto corners = camera.ground(plane);
      svg +=
          fmt::format("<polygon points='{}' fill='#e8e8e8' stroke='#bbb'/>", path(camera, corners));
    }
  }
  return svg;
}

std::string impulses(const Camera& camera, const Frame& frame) {
  if (camera.strongest() == 0) return {};
  const int dimension = frame.world.dimension;
  std::string svg;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const Contact& contact = frame.contacts[i];
    const Vector r = frame.impulse.segment(dimension * static_cast<Index>(i), dimension);
    const Vector3 world = contact.frame.leftCols(dimension) * r;
    if (world.norm() < 1e-3 * camera.strongest()) continue;
    const double length = longest_impulse / camera.scale() / camera.strongest();
    const Vector2 from = camera(contact.point), to = camera(contact.point + length * world);
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
  const World& world = frame.world;
  for (std::size_t k = 0; k < world.bodies.size(); ++k)
    draw_body(camera, world.bodies[k], world.dimension, palette[k % palette.size()], marks);
  for (const Body& fixture : world.fixtures)
    draw_body(camera, fixture, world.dimension, grey, marks);
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.depth < b.depth; });
  std::string svg = ground(camera, world);
  for (const Mark& mark : marks) svg += mark.svg;
  svg += impulses(camera, frame);
  return svg + fmt::format(
                   "<text x='{:.0f}' y='{:.0f}' font-family='sans-serif' font-size='14' "
                   "fill='#333'>t = {:.3f} s</text>",
                   margin / 2, margin * 0.75, frame.time);
}

std::string document(const Camera& camera, const std::string& content) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
      "viewBox='0 0 {0:.0f} {1:.0f}'>\n<rect width='100%' height='100%' "
      "fill='white'/>\n{2}</svg>\n",
      width, camera.height(), content);
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

}  // namespace frictionbench::scenes
