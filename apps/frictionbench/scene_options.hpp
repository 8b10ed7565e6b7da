/// \file
/// The parameters of a scene as options of a command.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "frictionbench/scenes/catalogue.hpp"

namespace frictionbench::app {

/// What the user gave for the parameters of a family. Copies share it.
class SceneOptions {
 public:
  /// Adds an option for each parameter. \param without names of parameters that are left out.
  SceneOptions(Command& command, const scenes::Family& family,
               const std::vector<std::string>& without = {});

  Assignments assignments() const;  ///< those that were given

 private:
  // Values go to the scene as text, because it knows what is legal.
  std::shared_ptr<std::deque<std::pair<std::string, std::string>>> values_ =
      std::make_shared<std::deque<std::pair<std::string, std::string>>>();
};

}  // namespace frictionbench::app
