#include "options.hpp"

#include "frictionbench/base/suggestions.hpp"

namespace frictionbench::python {

namespace {

std::string shown(const py::handle& given) { return py::repr(given).cast<std::string>(); }

[[noreturn]] void refuse(const py::handle& given, const char* name, const char* kind,
                         const Field& field) {
  const std::string range = field.range.text();
  throw py::value_error(fmt::format("{}: {} is not {}{}{}", name, shown(given), kind,
                                    range.empty() ? "" : " ", range));
}

[[noreturn]] void refuse_type(const py::handle& given, const char* name, const char* kind) {
  throw py::type_error(fmt::format("{}: expected {}, not {}", name, kind, shown(given)));
}

bool is_a_text(const py::handle& given) { return py::isinstance<py::str>(given); }

// As a text if it is one, or a path; else null.
py::object path_text(const py::handle& given) {
  const auto text = py::reinterpret_steal<py::object>(PyOS_FSPath(given.ptr()));
  if (!text) PyErr_Clear();
  return text && is_a_text(text) ? text : py::object();
}

}  // namespace

void set_value(const py::handle& given, const char* name, const Field& field, double& value) {
  value = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    refuse_type(given, name, "a number");
  }
  if (!field.range.contains(value)) refuse(given, name, "a number", field);
}

void set_value(const py::handle& given, const char* name, const Field& field, int& value) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!number) {
    PyErr_Clear();
    refuse_type(given, name, "a whole number");
  }
  int overflow = 0;
  const long wide = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || wide != static_cast<int>(wide) ||
      !field.range.contains(static_cast<double>(wide)))
    refuse(given, name, "a whole number", field);
  value = static_cast<int>(wide);
}

void set_value(const py::handle& given, const char* name, const Field&, bool& value) {
  if (!py::isinstance<py::bool_>(given)) refuse_type(given, name, "True or False");
  value = given.cast<bool>();
}

std::string text_from(const py::handle& given, const char* name) {
  if (is_a_text(given)) return given.cast<std::string>();
  if (PyNumber_Check(given.ptr()) == 0) refuse_type(given, name, "a text");
  return py::str(given).cast<std::string>();  // a compliance of 1e-3
}

py::object Keywords::take(const char* name) {
  known_.emplace_back(name);
  if (!given_.contains(name)) return {};
  return given_[name];
}

std::vector<std::string> Keywords::take_texts(const char* name) {
  const py::object given = take(name);
  if (!given) return {};
  const bool several = py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given);
  std::vector<std::string> texts;
  for (const py::handle& one : several ? given : py::make_tuple(given)) {
    const py::object text = path_text(one);
    if (!text) refuse_type(one, name, "a text or a path");
    texts.push_back(text.cast<std::string>());
  }
  return texts;
}

std::string path_from(const py::handle& given, const char* name) {
  const py::object text = path_text(given);
  if (!text) refuse_type(given, name, "a path");
  return text.cast<std::string>();
}

void Keywords::check_all_known() const {
  for (const auto& [name, value] : given_) {
    const auto text = name.cast<std::string>();
    if (std::count(known_.begin(), known_.end(), text) == 0)
      throw py::type_error(unknown_name("option", text, known_));
  }
}

std::string in_python_words(std::string text) {
  const auto is_in_name = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    text.erase(at, 2);
    for (; at < text.size() && is_in_name(text[at]); ++at)
      if (text[at] == '-') text[at] = '_';
  }
  return text;
}

void OptionsText::add(const std::string& option, const std::string& help) {
  const std::string indent(6, ' ');
  const py::object filled =
      py::module_::import("textwrap")
          .attr("fill")(in_python_words(help), 100, py::arg("initial_indent") = indent,
                        py::arg("subsequent_indent") = indent);
  text += fmt::format("  {}\n{}\n", option, filled.cast<std::string>());
}

}  // namespace frictionbench::python
