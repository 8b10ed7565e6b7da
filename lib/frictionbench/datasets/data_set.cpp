#include "frictionbench/datasets/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::datasets {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

bool is_name(const std::string& text) {
  return !text.empty() && text[0] != '.' &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '.' || c == '_' || c == '-';
         });
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Whether a path names a file below the folder that it is relative to, on every system.
bool is_inside(const std::string& path) {
  if (path.empty() || path.starts_with('/') || path.ends_with('/')) return false;
  if (path.find('\\') != std::string::npos || one_line(path) != path) return false;
  const fs::path parts(path);
  return std::all_of(parts.begin(), parts.end(), [](const fs::path& part) {
    return !part.empty() && part != "." && part != "..";
  });
}

// An object of a description, and the way to it for messages.
class Object {
 public:
  Object(const std::string& file, std::string place, const Json& json)
      : file_(file), place_(std::move(place)), json_(json) {
    if (!json_.is_object()) fail("", "is not an object");
  }

  [[noreturn]] void fail(const std::string& member, const std::string& reason) const {
    throw FileError(file_, place_ + (place_.empty() || member.empty() ? "" : ".") + member, reason);
  }

  bool has(const char* member) const { return json_.contains(member); }

  const Json& at(const char* member) const {
    if (!has(member)) fail(member, "is missing");
    return json_.at(member);
  }

  std::string text(const char* member) const {
    if (!at(member).is_string()) fail(member, "is not a text");
    const auto value = at(member).get<std::string>();
    if (one_line(value) != value) fail(member, "has characters that cannot be printed");
    return value;
  }
  std::string text_or_nothing(const char* member) const { return has(member) ? text(member) : ""; }

  std::string checked(const char* member, bool (*legal)(const std::string&),
                      const char* wanted) const {
    std::string value = text(member);
    if (!legal(value)) fail(member, fmt::format("'{}' is not {}", value, wanted));
    return value;
  }

  std::uint64_t count(const char* member) const {
    if (!at(member).is_number_unsigned()) fail(member, "is not a whole number >= 0");
    return at(member).get<std::uint64_t>();
  }

  std::vector<std::string> texts(const char* member) const {
    std::vector<std::string> values;
    if (!has(member)) return values;
    if (!at(member).is_array()) fail(member, "is not a list");
    for (const Json& item : at(member)) {
      if (!item.is_string()) fail(member, "is not a list of texts");
      values.push_back(one_line(item.get<std::string>()));
    }
    return values;
  }

  std::vector<Object> objects(const char* member) const {
    std::vector<Object> items;
    if (!has(member)) return items;
    if (!at(member).is_array()) fail(member, "is not a list");
    for (const Json& item : at(member))
      items.emplace_back(
          file_, fmt::format("{}{}{}[{}]", place_, place_.empty() ? "" : ".", member, items.size()),
          item);
    return items;
  }

 private:
  const std::string& file_;
  std::string place_;
  const Json& json_;
};

SetFile file_of(const Object& object) {
  SetFile file;
  file.path = object.checked("path", is_inside, "a path inside the set's folder");
  file.bytes = object.count("bytes");
  file.sha256 = object.checked("sha256", is_sha256, "64 hexadecimal digits in lower case");
  if (object.has("contacts")) file.contacts = static_cast<std::int64_t>(object.count("contacts"));
  return file;
}

SceneRecipe scene_of(const Object& object) {
  SceneRecipe recipe;
  recipe.scene = object.text("scene");
  if (object.has("form")) recipe.form = object.text("form");
  recipe.compliance = object.text_or_nothing("compliance");
  if (!object.has("parameters")) return recipe;
  const Json& parameters = object.at("parameters");
  if (!parameters.is_object()) object.fail("parameters", "is not an object");
  for (const auto& [name, value] : parameters.items()) {
    if (!value.is_string())
      object.fail("parameters." + one_line(name), "is not a text, such as \"10\"");
    recipe.parameters.emplace_back(name, value.get<std::string>());
  }
  return recipe;
}

void check_paths(const DataSet& set, const Object& whole) {
  std::set<std::string> paths;
  for (const SetFile& file : set.files)
    if (!paths.insert(file.path).second)
      whole.fail("files", fmt::format("'{}' is listed twice", file.path));
}

// A value on one line, with blanks as people write them.
std::string line_of(const Json& json) {
  if (!json.is_structured()) return json.dump(-1, ' ', false);
  const bool object = json.is_object();
  std::string text(1, object ? '{' : '[');
  for (const auto& [name, value] : json.items()) {
    if (text.size() > 1) text += ", ";
    if (object) text += Json(name).dump() + ": ";
    text += line_of(value);
  }
  return text + (object ? '}' : ']');
}

std::string lines_of(const std::vector<std::string>& items, const std::string& indent) {
  std::string text;
  for (const std::string& item : items)
    text += fmt::format("{}\n{} {}", text.empty() ? "" : ",", indent, item);
  return fmt::format("[{}\n{}]", text, indent);
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(line_of(Json(text)));
  return lines_of(quoted, " ");
}

std::string line_of(const SetFile& file) {
  Json json{{"path", file.path}, {"bytes", file.bytes}};
  if (file.contacts) json["contacts"] = *file.contacts;
  json["sha256"] = file.sha256;
  return line_of(json);
}

std::string lines_of(const DataSet& set, std::size_t scene) {
  const SceneRecipe& recipe = set.scenes[scene];
  std::string text = "{\"scene\": " + line_of(Json(recipe.scene));
  Json parameters = Json::object();
  for (const auto& [name, value] : recipe.parameters) parameters[name] = value;
  text += ", \"parameters\": " + line_of(parameters) + ", \"form\": " + line_of(Json(recipe.form));
  if (!recipe.compliance.empty()) text += ", \"compliance\": " + line_of(Json(recipe.compliance));
  std::vector<std::string> files;
  for (const SetFile& file : set.files)
    if (file.scene == scene) files.push_back(line_of(file));
  return text + ",\n   \"files\": " + lines_of(files, "   ") + "}";
}

}  // namespace

SizeClass size_class(std::int64_t contacts) {
  using enum SizeClass;
  return contacts <= 10     ? to_10
         : contacts <= 100  ? to_100
         : contacts <= 1000 ? to_1000
         : contacts <= 6000 ? to_6000
                            : above_6000;
}

std::uint64_t DataSet::bytes() const {
  return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const SetFile& file) { return sum + file.bytes; });
}

DataSet read_data_set(const fs::path& path) {
  std::ifstream stream(path);
  if (!stream) throw FileError(path.string(), "", "cannot be read");
  const std::string name = path.string();
  Json json;
  try {
    json = Json::parse(stream);
  } catch (const Json::parse_error& error) {
    throw FileError(name, fmt::format("byte {}", error.byte), "is not valid JSON");
  }
  const Object whole(name, "", json);
  DataSet set;
  set.name = whole.checked("name", is_name, "a name of letters, digits, '.', '_' and '-'");
  set.version = whole.checked("version", is_name, "a version of letters, digits, '.', '_' and '-'");
  set.title = whole.text("title");
  set.home = whole.text_or_nothing("home");
  set.references = whole.texts("references");
  if (whole.has("folder"))
    set.folder = (path.parent_path() / whole.text("folder")).lexically_normal().string();
  set.addresses = whole.texts("addresses");
  for (std::string& address : set.addresses)
    while (address.ends_with('/')) address.pop_back();
  set.lfs = whole.text_or_nothing("lfs");
  for (const Object& file : whole.objects("files")) set.files.push_back(file_of(file));
  for (const Object& scene : whole.objects("scenes")) {
    set.scenes.push_back(scene_of(scene));
    for (const Object& file : scene.objects("files")) {
      set.files.push_back(file_of(file));
      set.files.back().scene = set.scenes.size() - 1;
    }
  }
  check_paths(set, whole);
  return set;
}

void write_data_set_file(const DataSet& set, const fs::path& path) {
  std::vector<std::string> members;
  const auto add = [&](const char* name, const std::string& value) {
    members.push_back(fmt::format("\"{}\": {}", name, value));
  };
  const auto add_text = [&](const char* name, const std::string& text) {
    if (!text.empty()) add(name, line_of(Json(text)));
  };
  add_text("name", set.name);
  add_text("version", set.version);
  add_text("title", set.title);
  add_text("home", set.home);
  if (!set.references.empty()) add("references", lines_of(set.references));
  if (!set.folder.empty())
    add_text("folder", fs::relative(set.folder, fs::absolute(path).parent_path()).generic_string());
  if (!set.addresses.empty()) add("addresses", lines_of(set.addresses));
  add_text("lfs", set.lfs);
  std::vector<std::string> items;
  for (const SetFile& file : set.files)
    if (!file.scene) items.push_back(line_of(file));
  if (!items.empty()) add("files", lines_of(items, " "));
  items.clear();
  for (std::size_t scene = 0; scene < set.scenes.size(); ++scene)
    items.push_back(lines_of(set, scene));
  if (!items.empty()) add("scenes", lines_of(items, " "));

  std::string text;
  for (const std::string& member : members)
    text += fmt::format("{}\n {}", text.empty() ? "" : ",", member);
  write_file(path.string(), fmt::format("{{{}\n}}\n", text));
}

}  // namespace frictionbench::datasets
