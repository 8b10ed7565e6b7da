#include "frictionbench/bench/run/internal/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "frictionbench/bench/run/internal/rounds.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::bench {

using nlohmann::json;

namespace {

JournalError failed(const std::string& path, const char* what) {
  return JournalError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

JournalError no_journal(const std::string& path) {
  return JournalError(path + ": no journal to resume from");
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw no_journal(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

json first_line(const json& identity) { return {{"frictionbench_journal", 1}, {"run", identity}}; }

// The first member in which two identities differ, in words.
std::string difference(const json& journal, const json& wanted) {
  for (const auto& [key, value] : wanted.items())
    if (!journal.contains(key) || journal[key] != value) {
      if (value.is_primitive())
        return fmt::format("{} was {}, is {}", key, journal.value(key, json()).dump(),
                           value.dump());
      return fmt::format("{} are not the same", key);
    }
  return "it was written by another version";
}

void take_round(const json& line, JournalContents& contents) {
  const json& round = line.at("round");
  const std::pair pair{round.at("problem").get<std::string>(),
                       round.at("solver").get<std::string>()};
  RoundOutcome outcome;
  if (!round.at("time").is_null()) outcome.time = round.at("time").get<double>();
  outcome.change = round.at("change").get<std::string>();
  add_round(contents.records.at(pair), round.at("number").get<int>(), outcome);
  contents.answers.erase(pair);
  if (line.contains("r")) contents.answers[pair] = results::vector_from_json(line.at("r"));
}

void take_line(const json& line, JournalContents& contents) {
  if (line.contains("problem")) {
    auto problem = results::problem_from_json(line.at("problem"));
    contents.problems[problem.id] = problem;
  } else if (line.contains("round")) {
    take_round(line, contents);
  } else {
    auto record = results::record_from_json(line.at("record"));
    const std::pair pair{record.problem, record.solver};
    if (line.contains("r")) contents.answers[pair] = results::vector_from_json(line.at("r"));
    contents.records[pair] = std::move(record);
  }
}

}  // namespace

// Workers inherit the lock, and end with the run at the latest. Some file systems of clusters have no locks;
// there, runs go on without.
Journal::Journal(std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw JournalError(path_ +
                     ": another run has this journal open; wait for its end, or give this run "
                     "another --output");
}

Journal Journal::start(const std::string& path, const json& identity) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == EEXIST)
    throw JournalError(path +
                       ": an unfinished run left this journal; use --resume to continue it, or "
                       "delete it to start over");
  if (descriptor < 0) throw failed(path, "cannot be made");
  Journal journal(path, descriptor);
  journal.append(first_line(identity));
  return journal;
}

std::pair<Journal, JournalContents> Journal::resume(const std::string& path, const json& identity) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) throw no_journal(path);
  if (descriptor < 0) throw failed(path, "cannot be opened to continue");
  // Locked before it is read, so that no other run adds lines in between.
  Journal journal(path, descriptor);
  const std::string text = read_all(path);
  JournalContents contents;
  std::size_t good = 0;  // bytes of whole lines
  bool first = true;
  while (good < text.size()) {
    const std::size_t end = text.find('\n', good);
    const json line = json::parse(text.substr(good, end - good), nullptr, false);
    if (end == std::string::npos || line.is_discarded()) {
      if (end != std::string::npos && end + 1 != text.size())
        throw JournalError(path + ": is damaged in the middle; delete it to start over");
      contents.repaired = true;
      break;
    }
    if (first) {
      if (!line.is_object() || line.value("frictionbench_journal", 0) != 1)
        throw JournalError(path + ": is not a frictionbench journal");
      if (line.at("run") != identity)
        throw JournalError(fmt::format("{}: belongs to another run: {}", path,
                                       difference(line.at("run"), identity)));
      first = false;
    } else {
      try {
        take_line(line, contents);
      } catch (const std::exception& error) {
        throw JournalError(fmt::format(
            "{}: line {} is not a journal entry: {}; delete the file to start over", path,
            1 + std::count(text.begin(), text.begin() + static_cast<long>(good), '\n'),
            error.what()));
      }
    }
    good = end + 1;
  }
  // The journal of a run killed before its first line was whole is empty and starts over.
  if (first && text.find('\n') != std::string::npos)
    throw JournalError(path + ": is not a frictionbench journal");

  if (good != text.size() && ftruncate(descriptor, static_cast<off_t>(good)) != 0)
    throw failed(path, "its last line is cut off and cannot be removed");
  if (first) journal.append(first_line(identity));
  return {std::move(journal), std::move(contents)};
}

void discard_journal(const std::string& path) { Journal::discard(path); }

void Journal::discard(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return;
  if (descriptor < 0) throw failed(path, "cannot be opened to delete it");
  const Journal locked(path, descriptor);
  if (unlink(path.c_str()) != 0) throw failed(path, "cannot be deleted");
}

std::string write_answers(const std::string& journal, const std::string& path) {
  std::ifstream file(journal, std::ios::binary);
  if (!file) throw JournalError(journal + ": cannot be read");
  AnswersWriter writer(path);
  const auto vector = [](const json& line, const char* name) {
    return line.contains(name) ? results::vector_from_json(line[name]) : Vector();
  };
  for (std::string text; std::getline(file, text);) {
    const json line = json::parse(text);
    if (!line.contains("record") || !line.contains("r")) continue;
    const json& record = line["record"];
    writer.add(record.at("problem"), record.at("solver"),
               {vector(line, "r"), vector(line, "compliance"), vector(line, "velocity")});
  }
  return writer.finish();
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void Journal::add(const results::ProblemEntry& problem) {
  append({{"problem", results::to_json(problem)}});
}

void Journal::add(const results::Record& record, const Answer& kept) {
  json line{{"record", results::to_json(record)}};
  const auto keep = [&](const char* name, const Vector& values) {
    if (values.size() > 0) line[name] = results::to_json(values);
  };
  keep("r", kept.r);
  keep("compliance", kept.compliance);
  keep("velocity", kept.velocity);
  append(line);
}

void Journal::add(const results::Record& record, int round, const RoundOutcome& outcome) {
  json line{{"round",
             {{"problem", record.problem},
              {"solver", record.solver},
              {"number", round},
              {"time", outcome.time ? json(*outcome.time) : json()},
              {"change", outcome.change}}}};
  if (outcome.r.size() > 0) line["r"] = results::to_json(outcome.r);
  append(line);
}

void Journal::append(const json& line) {
  const std::string text = line.dump() + '\n';
  struct stat before {};
  if (fstat(descriptor_, &before) != 0) throw failed(path_, "cannot be written");
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = errno;
      if (ftruncate(descriptor_, before.st_size) != 0) errno = error;  // resume repairs the line
      errno = error;
      throw failed(path_,
                   "cannot be written; its contents are kept, so --resume continues from here");
    }
    done += static_cast<std::size_t>(written);
  }
  if (fdatasync(descriptor_) != 0) throw failed(path_, "cannot be flushed to the disk");
}

}  // namespace frictionbench::bench
