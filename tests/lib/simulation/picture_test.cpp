#include "frictionbench/simulation/picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace frictionbench::simulation {
namespace {

using Points = std::vector<Eigen::Vector2d>;

Frame frame_of(const Shape& shape,
               const Eigen::Quaterniond& rotation = Eigen::Quaterniond::Identity()) {
  Frame frame;
  frame.solids = {{shape, {Vector3::Zero(), rotation}, 0}};
  return frame;
}

// Corners of the polygons of a picture.
std::vector<Points> polygons(const std::string& svg) {
  static const std::regex element("<polygon points='([^']*)'");
  std::vector<Points> all;
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
    std::istringstream numbers(std::regex_replace((*at)[1].str(), std::regex(","), " "));
    Points points;
    for (double x = 0, y = 0; numbers >> x >> y;) points.emplace_back(x, y);
    all.push_back(std::move(points));
  }
  return all;
}

Eigen::Vector2d size_of(const Points& points) {
  Eigen::Vector2d low = points[0], high = points[0];
  for (const Eigen::Vector2d& point : points)
    low = low.cwiseMin(point), high = high.cwiseMax(point);
  return high - low;
}

// The outline of an ellipsoid that is a ball is a circle, as wide as the picture without its margins.
TEST(Picture, ARoundEllipsoidHasTheOutlineOfABall) {
  const std::vector<Points> shown = polygons(svg_picture(frame_of(Ellipsoid{{2, 2, 2}})));
  ASSERT_EQ(shown.size(), 1U);
  for (const Eigen::Vector2d& point : shown[0])
    EXPECT_NEAR((point - Eigen::Vector2d(400, 400)).norm(), 376, 0.1);
}

// Seen from above by alpha, sin(alpha) = 0.42 / |(0.45, -1, 0.42)|, a flat ellipsoid is as high as
// sqrt((r sin)^2 + (c cos)^2).
TEST(Picture, AFlatEllipsoidIsForeshortened) {
  const double sine = 0.42 / Vector3(0.45, -1, 0.42).norm(), cosine = std::sqrt(1 - sine * sine);
  const std::vector<Points> shown = polygons(svg_picture(frame_of(Ellipsoid{{2, 2, 0.5}})));
  const Eigen::Vector2d size = size_of(shown.at(0));
  EXPECT_NEAR(size.x(), 752, 3) << "36 corners";
  EXPECT_NEAR(size.y(), 752 * std::hypot(2 * sine, 0.5 * cosine) / 2, 3);
}

// A cylinder that stands: its upper rim, and an outline that is higher by 2 l cos(alpha).
TEST(Picture, ACylinderHasAnEndAndAnOutline) {
  const double sine = 0.42 / Vector3(0.45, -1, 0.42).norm(), cosine = std::sqrt(1 - sine * sine);
  const Cylinder can{1, 2};
  const double scale = 752 / (2 * extent(can));
  const std::vector<Points> shown = polygons(svg_picture(frame_of(can)));
  ASSERT_EQ(shown.size(), 2U);
  const Eigen::Vector2d outline = size_of(shown[0]), end = size_of(shown[1]);
  EXPECT_NEAR(outline.x(), 2 * scale, 2);
  EXPECT_NEAR(outline.y(), (2 * sine + 4 * cosine) * scale, 2);
  EXPECT_NEAR(end.x(), 2 * scale, 2);
  EXPECT_NEAR(end.y(), 2 * sine * scale, 2);
  // Upside down it looks the same.
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(std::acos(-1), Vector3::UnitX()));
  const std::vector<Points> below = polygons(svg_picture(frame_of(can, turned)));
  EXPECT_NEAR(size_of(below.at(0)).y(), outline.y(), 1);
}

TEST(Picture, ThreeFacesOfABoxAreSeen) {
  EXPECT_EQ(polygons(svg_picture(frame_of(box({1, 2, 3})))).size(), 3U);
}

// A wall behind the ball is the square of its box; one in front would hide it.
TEST(Picture, WallsBehindAreSeen) {
  Frame frame = frame_of(Ball{1});
  frame.planes = {{{0, -1, 0}, -1}};
  const std::vector<Points> shown = polygons(svg_picture(frame));
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].size(), 4U);
  frame.planes = {{{0, 1, 0}, -1}};
  EXPECT_TRUE(polygons(svg_picture(frame)).empty());
  frame.planes = {{{0, -1, 0}, -7}};
  EXPECT_TRUE(polygons(svg_picture(frame)).empty());
  frame.planes = {{Vector3(1, -1, 1).normalized(), 0}};
  const std::vector<Points> tilted = polygons(svg_picture(frame));
  ASSERT_EQ(tilted.size(), 1U);
  EXPECT_EQ(tilted[0].size(), 6U);
}

TEST(Picture, NearerThingsAreInFront) {
  Frame frame = frame_of(Ellipsoid{{1, 1, 1}});
  frame.solids.push_back({Ball{0.5}, {{0, -5, 0}, Eigen::Quaterniond::Identity()}, 1});
  const std::string svg = svg_picture(frame);
  EXPECT_LT(svg.find("<polygon"), svg.find("<circle"));
  frame.solids[1].pose.position.y() = 5;
  const std::string behind = svg_picture(frame);
  EXPECT_GT(behind.find("<polygon"), behind.find("<circle"));
}

// What does not move is grey, and bodies are not.
TEST(Picture, FixedSolidsAreGrey) {
  Frame frame = frame_of(Ball{1});
  const std::string moving = svg_picture(frame);
  frame.solids[0].body = Solid::fixed;
  const std::string fixed = svg_picture(frame);
  static const std::regex grey("fill='#([0-9a-f]{2})\\1\\1'");
  EXPECT_FALSE(std::regex_search(moving, grey));
  EXPECT_TRUE(std::regex_search(fixed, grey));
}

}  // namespace
}  // namespace frictionbench::simulation
