// Help texts and the manual page, from the description of the commands.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "command_line.hpp"

namespace frictionbench::app {

namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t left_width = 30;

// Words of `text` in lines from column `indent` on; the first line is already there up to it.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > line_width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string row(const std::string& left, const std::string& right) {
  const std::string start = "  " + left;
  const bool fits = start.size() + 2 <= left_width;
  return start +
         (fits ? std::string(left_width - start.size(), ' ')
               : "\n" + std::string(left_width, ' ')) +
         wrapped(right, left_width) + "\n";
}

// "-o, --output FILE", "PROBLEMS..."
std::string usage_of(const Argument& argument) {
  if (argument.positional()) return argument.name() + (argument.repeatable ? "..." : "");
  std::string text = fmt::format("{}", fmt::join(argument.names, ", "));
  if (argument.values > 0) text += " " + argument.details.value;
  return text;
}

// The help of an argument with all that is known of its value.
std::string explained(const Argument& argument) {
  const Details& details = argument.details;
  std::vector<std::string> facts;
  if (!details.choices.empty())
    facts.push_back(fmt::format("one of {}", fmt::join(details.choices, ", ")));
  if (const std::string range = details.range.text(); !range.empty()) facts.push_back(range);
  if (details.shown_default && !details.shown_default->empty())
    facts.push_back("default " + *details.shown_default);
  if (details.required && !argument.positional()) facts.push_back("required");
  if (argument.repeatable && !argument.positional()) facts.push_back("repeatable");
  return argument.help + (facts.empty() ? "" : fmt::format(" [{}]", fmt::join(facts, "; ")));
}

std::string synopsis(const Command& command) {
  std::string text = command.full_name();
  text += " [OPTIONS]";
  for (const Argument& argument : command.arguments)
    if (argument.positional())
      text +=
          argument.details.required ? " " + usage_of(argument) : " [" + usage_of(argument) + "]";
  if (!command.commands.empty()) text += command.run ? " [SUBCOMMAND]" : " SUBCOMMAND";
  return text;
}

// Titles of groups in the order in which they first appear, with rows of what is in them.
using Section = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;

void add_row(std::vector<Section>& sections, const std::string& title, std::string left,
             std::string right) {
  auto section = std::find_if(sections.begin(), sections.end(),
                              [&](const Section& s) { return s.first == title; });
  if (section == sections.end()) section = sections.insert(section, {title, {}});
  section->second.emplace_back(std::move(left), std::move(right));
}

std::vector<Section> sections_of(const Command& command) {
  std::vector<Section> sections;
  for (const Argument& argument : command.arguments)
    if (argument.positional())
      add_row(sections, "Arguments", usage_of(argument), explained(argument));
  add_row(sections, "Options", "-h, --help", "print this help");
  if (!command.parent) add_row(sections, "Options", "--version", "print the version");
  for (const Argument& argument : command.arguments)
    if (!argument.positional())
      add_row(sections, argument.details.group, usage_of(argument), explained(argument));
  for (const auto& below : command.commands)
    add_row(sections, below->group, below->name, below->summary);
  return sections;
}

// Notes hold examples of this command; those of the nearest command above serve where there are
// none.
const std::string& notes_of(const Command& command) {
  return command.notes.empty() && command.parent ? notes_of(*command.parent) : command.notes;
}

// Text that troff shows as it is.
std::string roff(const std::string& text) {
  static const std::map<char, std::string_view> escapes{
      {'\\', "\\e"},  {'-', "\\-"},   {'`', "\\(ga"}, {'\'', "\\(aq"},
      {'"', "\\(dq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    const auto escape = escapes.find(c);
    if (escape != escapes.end())
      result += escape->second;
    else
      result += c;
    line_start = c == '\n';
  }
  return result;
}

std::string as_typed(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string roff(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string text;
  for (const auto& [left, right] : rows)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(left), roff(right));
  return text;
}

// Commands in a group of their own, the scenes of `generate`, have their options in --help only.
void append_commands(const Command& command, std::string& page) {
  for (const auto& below : command.commands) {
    if (below->group != command.group) continue;
    page += fmt::format(".SS {}\n{}\n.PP\n.B {}\n", roff(below->full_name()), roff(below->summary),
                        roff(synopsis(*below)));
    for (const auto& [title, rows] : sections_of(*below))
      page += fmt::format(".PP\n{}:\n{}", roff(title), roff(rows));
    if (!below->notes.empty()) page += ".PP\n" + as_typed(below->notes);
    append_commands(*below, page);
  }
}

}  // namespace

std::string help_text(const Command& command) {
  std::string text = fmt::format("{}\n\nUsage: {}\n", command.summary, synopsis(command));
  for (const auto& [title, rows] : sections_of(command)) {
    text += "\n" + title + ":\n";
    for (const auto& [left, right] : rows) text += row(left, right);
  }
  return text + "\n" + notes_of(command) + "\n";
}

std::string manual_page(const Command& program, const std::string& version) {
  std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.ad l\n.SH NAME\n",
                                 program.name, program.name, version);
  const std::string summary = program.summary.substr(0, program.summary.find('\n'));
  page += fmt::format("{} \\- {}\n.SH SYNOPSIS\n.B {}\n[OPTIONS] SUBCOMMAND\n.SH DESCRIPTION\n{}\n",
                      program.name, roff(summary), program.name, roff(program.summary));
  page += ".SH OPTIONS\n";
  for (const auto& [title, rows] : sections_of(program)) page += roff(rows);
  page += ".SH EXAMPLES\n" + as_typed(program.notes) + ".SH COMMANDS\n";
  append_commands(program, page);
  return page;
}

}  // namespace frictionbench::app
