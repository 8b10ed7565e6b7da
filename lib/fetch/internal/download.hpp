/// \file
/// fetch() with libcurl.
#pragma once

#include "frictionbench/fetch/fetch.hpp"

namespace frictionbench::fetch {

/// \copydoc fetch
Outcome download(const Source& source, const std::vector<const datasets::SetFile*>& files,
                 const std::filesystem::path& folder, const Settings& settings, Different different,
                 Observer& observer);

}  // namespace frictionbench::fetch
