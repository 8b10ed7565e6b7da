/// \file
/// A program that solves problems, kept running between them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// What went wrong between us and the program, in one line.
class ProcessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when the program has not answered in time.
class ProcessTimeout : public ProcessError {
 public:
  using ProcessError::ProcessError;
};

/// A running program that reads JSON lines from its standard input and answers each by one on its
/// standard output: the protocol of solvers/external/README.md. It runs by `/bin/sh -c` in a session
/// of its own, which ends with this object or with the harness, and holds its memory limit. A program that
/// owes no answer when this object ends has a second to end by itself.
///
/// A process forked after it was started may talk to it too, but not at the same time.
class SolverProcess {
 public:
  /// Starts the program, and waits until it has answered the greeting.
  /// \param start_limit s. \throws ProcessError
  SolverProcess(const std::string& command, const Workplace& workplace, double start_limit);
  ~SolverProcess();
  SolverProcess(const SolverProcess&) = delete;
  SolverProcess& operator=(const SolverProcess&) = delete;

  /// Sends a request, to which it adds an `id`, and waits for the answer with that id. If that fails,
  /// the program is killed.
  /// \throws ProcessTimeout, ProcessError
  nlohmann::json ask(nlohmann::json request, std::chrono::steady_clock::time_point deadline);

  /// Whether it can take a request: it runs, and has answered all that were sent, by whatever process.
  bool ready() const;

  /// Kills it and what it started.
  void kill();

  /// A file in memory for the arrays of a problem, and the name under which the program opens it.
  /// @{
  int block() const { return block_; }
  std::string block_path() const;
  /// @}

  const Workplace& workplace() const { return workplace_; }  ///< as given
  std::vector<int> descriptors() const {
    return {input_, output_, errors_, block_};
  }  ///< open files

 private:
  void start(const std::string& command);
  bool is_alive() const;
  void let_go();
  void end();
  void send(const std::string& line);
  std::string receive(std::chrono::steady_clock::time_point deadline);
  std::string with_errors(const std::string& what) const;

  Workplace workplace_;
  pid_t owner_;         // the process that started the program
  pid_t program_ = -1;  // the leader of its session
  int input_ = -1, output_ = -1, errors_ = -1, block_ = -1;
  std::string received_;  // after the last whole line
  struct Shared;
  Shared* shared_ = nullptr;  // with forked processes
};

}  // namespace frictionbench::solvers
