#include "frictionbench/hdf5/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/hdf5/internal/hdf5_write.hpp"

namespace frictionbench {

namespace {

// The groups on the way to a dataset, and its name.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (end > start) parts.push_back(path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

struct Place {
  HdfGroup group;
  std::string name;
};

// Where the dataset of a path is; `step(group, name)` gives or makes the next group on the way to it,
// and nothing if there is none.
template <typename Step>
std::optional<Place> walk(const HdfGroup& root, const std::string& path, const Step& step) {
  const std::vector<std::string> parts = parts_of(path);
  std::optional<HdfGroup> current;
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
    std::optional<HdfGroup> next = step(current ? *current : root, parts[k].c_str());
    if (!next) return std::nullopt;
    current = std::move(next);
  }
  return Place{std::move(*current), parts.back()};
}

std::string path_of(const char* what, const std::string& problem, const std::string& solver) {
  return fmt::format("{}/{}/{}", what, problem, solver);
}

}  // namespace

struct AnswersWriter::Image {
  HdfImage file;
};

AnswersWriter::AnswersWriter(const std::string& path)
    : path_(path), image_(new Image{HdfImage(path)}) {}
AnswersWriter::~AnswersWriter() = default;

void AnswersWriter::add(const std::string& problem, const std::string& solver,
                        const Answer& answer) {
  const auto write = [&](const char* what, const Vector& values) {
    if (values.size() == 0) return;
    const auto place = walk(
        image_->file.root(), path_of(what, problem, solver),
        [](const HdfGroup& parent, const char* name) {
          return std::optional(parent.has(name) ? parent.group(name) : create_group(parent, name));
        });
    constexpr Index least =
        300;  // below it, the index of a compressed dataset takes more than it saves
    write_reals(place->group, place->name.c_str(),
                {values.data(), static_cast<std::size_t>(values.size())},
                values.size() < least ? Packing::none : Packing::deflate);
  };
  write("impulse", answer.r);
  write("compliance", answer.compliance);
  write("velocity", answer.velocity);
}

std::string AnswersWriter::finish() {
  const std::string bytes = image_->file.bytes();
  write_file(path_, bytes);
  return sha256_of(std::as_bytes(std::span(bytes)));
}

struct AnswersFile::File {
  HdfFile file;
};

AnswersFile::AnswersFile(const std::string& path) : file_(new File{HdfFile(path)}) {}
AnswersFile::~AnswersFile() = default;

std::optional<Answer> AnswersFile::read(const std::string& problem,
                                        const std::string& solver) const {
  const auto values = [&](const char* what) {
    const auto place =
        walk(file_->file.root(), path_of(what, problem, solver),
             [](const HdfGroup& parent, const char* name) {
               return parent.has(name) ? std::optional(parent.group(name)) : std::nullopt;
             });
    const bool there = place && place->group.has(place->name.c_str());
    return there ? place->group.reals(place->name.c_str()) : Vector();
  };
  Answer answer{values("impulse"), values("compliance"), values("velocity")};
  if (answer.r.size() == 0) return std::nullopt;
  return answer;
}

}  // namespace frictionbench
