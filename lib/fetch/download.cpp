#include "frictionbench/fetch/internal/download.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <stdexcept>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fetch/internal/escape.hpp"
#include "frictionbench/fetch/internal/lfs.hpp"
#include "frictionbench/fetch/internal/transfer.hpp"

namespace frictionbench::fetch {

namespace fs = std::filesystem;

namespace {

using Seconds = std::chrono::duration<double>;
constexpr auto tick = std::chrono::milliseconds(100);  // of progress, stalls and locked parts

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

struct Address {
  std::string text;
  Clock::time_point not_before = {};
  int unreachable = 0;        // attempts in a row
  std::string given_up = {};  // why; empty if it is not
};

// A file on its way.
struct Job {
  Job(const datasets::SetFile& wanted, fs::path path, std::size_t addresses)
      : file(wanted), target(std::move(path)), ruled_out(addresses) {}

  const datasets::SetFile& file;
  fs::path target;
  std::unique_ptr<PartFile> part = {};      // while it is asked for
  std::unique_ptr<Transfer> transfer = {};  // the same
  std::size_t address = 0;                  // that is asked
  std::vector<std::string> ruled_out;       // by address: why it cannot have it; empty if it may
  std::optional<LfsPointer> pointer = {};   // that the address has in its place
  std::optional<LfsPlace> place = {};       // where Git LFS has it
  std::uint64_t size_before = 0;            // of the part, before the attempt
  int fruitless = 0;                        // attempts in a row that brought nothing
  int discarded = 0;                        // parts
  Clock::time_point not_before = {};
  std::string failure = {};  // why it was given up

  bool asks_lfs() const { return pointer && !place; }  // for the place
};

class Multi {
 public:
  Multi() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    handle_ = started == CURLE_OK ? curl_multi_init() : nullptr;
    if (!handle_) throw std::runtime_error("libcurl cannot be started");
  }
  ~Multi() { curl_multi_cleanup(handle_); }
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;
  CURLM* handle() const { return handle_; }

 private:
  CURLM* handle_;
};

class Download {
 public:
  Download(const Source& source, const std::vector<const datasets::SetFile*>& files,
           const fs::path& folder, const Settings& settings, Different different,
           Observer& observer)
      : lfs_{source.lfs}, settings_(settings), different_(different), observer_(observer) {
    for (const std::string& address : source.addresses) addresses_.push_back({address});
    for (const datasets::SetFile* file : files) {
      jobs_.emplace_back(*file, folder / file->path, addresses_.size());
      waiting_.push_back(&jobs_.back());
      progress_.bytes += file->bytes;
    }
    progress_.files = files.size();
  }

  Outcome run() {
    while (!waiting_.empty() || !active_.empty()) {
      start_jobs();
      int running = 0;
      curl_multi_perform(multi_.handle(), &running);
      finish_transfers();
      end_stalled();
      show_progress();
      curl_multi_poll(multi_.handle(), nullptr, 0, milliseconds_to_wait(), nullptr);
    }
    observer_.progressed(progress_);
    for (const Job& job : jobs_)
      if (!job.failure.empty()) outcome_.failures.push_back({job.file.path, job.failure});
    return std::move(outcome_);
  }

 private:
  bool has_room() const { return active_.size() < static_cast<std::size_t>(settings_.connections); }

  // In the order of the files. Those that are there take the time of a SHA-256, so transfers under way
  // get their turn in between.
  void start_jobs() {
    const auto begin = Clock::now();
    for (Job* job : std::exchange(waiting_, {}))
      if (has_room() && job->not_before <= Clock::now() && Clock::now() - begin < tick)
        start(*job);
      else
        waiting_.push_back(job);
  }

  void start(Job& job) {
    if (is_there(job)) return;
    std::error_code error;
    fs::create_directories(job.target.parent_path(), error);
    if (error)
      throw FileError(job.target.parent_path().string(), "",
                      "cannot be created: " + error.message());
    job.part = PartFile::open(job.target.string());
    if (!job.part) return wait(job, Clock::now() + tick);  // another process has it
    if (is_there(job)) return;                             // and has just finished
    if (job.part->size() > job.file.bytes) job.part->clear();
    if (job.part->size() == job.file.bytes) return complete(job);
    if (job.asks_lfs() && lfs_.not_before > Clock::now()) return wait(job, lfs_.not_before);
    if (!choose_address(job)) return;
    job.size_before = job.part->size();
    job.transfer = std::make_unique<Transfer>(request_of(job), multi_.handle());
    active_.push_back(&job);
  }

  // Whether there is nothing to do for a file because one has its name.
  bool is_there(Job& job) {
    if (!fs::exists(fs::symlink_status(job.target))) return false;
    if (fs::is_regular_file(job.target) && fs::file_size(job.target) == job.file.bytes &&
        sha256_of_file(job.target.string()) == job.file.sha256) {
      ++outcome_.already_there;
      done(job);
      return true;
    }
    if (different_ == Different::replace && fs::is_regular_file(job.target)) return false;
    give_up(job,
            fmt::format("{} is another file, which was left as it is; move it away, or replace "
                        "it with --force",
                        job.target.string()));
    return true;
  }

  // The next address that may have the file and may be asked now. Otherwise the job waits, or is given
  // up.
  bool choose_address(Job& job) {
    std::optional<Clock::time_point> soonest;
    std::string reasons;
    for (std::size_t k = 0; k < addresses_.size(); ++k) {
      const std::size_t which = (job.address + k) % addresses_.size();
      const Address& address = addresses_[which];
      const std::string& out = address.given_up.empty() ? job.ruled_out[which] : address.given_up;
      if (!out.empty()) {
        reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", address.text, out);
      } else if (address.not_before <= Clock::now()) {
        job.address = which;
        return true;
      } else {
        soonest = std::min(soonest.value_or(address.not_before), address.not_before);
      }
    }
    if (soonest)
      wait(job, *soonest);
    else
      give_up(job, reasons.empty() ? "no address is known" : reasons);
    return false;
  }

  Request request_of(const Job& job) const {
    if (job.asks_lfs())
      return {lfs_.text,
              {{"Accept", lfs_media_type}, {"Content-Type", lfs_media_type}},
              lfs_request(*job.pointer)};
    if (job.place)
      return {job.place->address, job.place->headers, {}, job.part.get(), job.file.bytes};
    return {addresses_[job.address].text + "/" + escaped_path(job.file.path),
            {},
            {},
            job.part.get(),
            job.file.bytes};
  }

  void finish_transfers() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.handle(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto job = std::find_if(active_.begin(), active_.end(), [&](const Job* one) {
        return one->transfer->handle() == message->easy_handle;
      });
      finish(**job, (*job)->transfer->finish(message->data.result));
    }
  }

  void end_stalled() {
    for (Job* job : std::vector(active_))
      if (job->transfer->silence() > Seconds(settings_.stall_time))
        finish(*job, {Answer::Kind::interrupted,
                      fmt::format("no byte arrived in {:g} s", settings_.stall_time)});
  }

  void finish(Job& job, const Answer& answer) {
    outcome_.bytes += job.transfer->received();
    job.transfer.reset();
    std::erase(active_, &job);
    const bool at_address = !job.pointer;  // not at a server of Git LFS
    Address& address = addresses_[job.address];
    if (at_address && answer.kind != Answer::Kind::unreachable) address.unreachable = 0;
    switch (answer.kind) {
      case Answer::Kind::complete:
        return job.asks_lfs() ? take_place(job, answer.text) : complete(job);
      case Answer::Kind::pointer:
        return follow_pointer(job, answer.text);
      case Answer::Kind::interrupted:
        return try_again(job, answer.reason);
      case Answer::Kind::busy:
        if (at_address || job.asks_lfs())
          (at_address ? address : lfs_).not_before = after(
              std::min(answer.wait.value_or(back_off(job.fruitless + 1)), settings_.longest_wait));
        return try_again(job, answer.reason);
      case Answer::Kind::unreachable:
        if (!at_address) return try_again(job, answer.reason);
        if (++address.unreachable > settings_.retries) address.given_up = answer.reason;
        address.not_before = after(back_off(address.unreachable));
        observer_.retried(job.file.path, answer.reason);
        return wait(job, Clock::now());
      case Answer::Kind::refused:
        return rule_out(job, answer.reason);
    }
  }

  void follow_pointer(Job& job, const std::string& text) {
    const auto pointer = read_lfs_pointer(text);
    if (!pointer) return try_again(job, "the server sent something else than the file");
    if (pointer->sha256 != job.file.sha256)
      return rule_out(job, "has a pointer of Git LFS to another file");
    if (lfs_.text.empty()) return rule_out(job, "has a pointer of Git LFS instead of the file");
    job.pointer = pointer;
    wait(job, Clock::now());
  }

  void take_place(Job& job, const std::string& text) try {
    job.place = read_lfs_answer(text);
    wait(job, Clock::now());
  } catch (const std::invalid_argument& error) {
    try_again(job, error.what());
  }

  void complete(Job& job) {
    if (const std::string sha256 = job.part->sha256(); sha256 != job.file.sha256) {
      job.part->clear();
      return try_again(job, fmt::format("what arrived has the SHA-256 {} instead of {}", sha256,
                                        job.file.sha256));
    }
    job.part->finish();
    ++outcome_.fetched;
    done(job);
  }

  void rule_out(Job& job, const std::string& reason) {
    observer_.retried(job.file.path, reason);
    job.ruled_out[job.address] = reason;
    job.pointer.reset();
    job.place.reset();
    wait(job, Clock::now());
  }

  void try_again(Job& job, const std::string& reason) {
    const std::uint64_t size = job.part->size();
    job.fruitless = size > job.size_before ? 0 : job.fruitless + 1;
    job.discarded += size < job.size_before;
    if (std::max(job.fruitless, job.discarded) > settings_.retries)
      return give_up(
          job,
          fmt::format("{}: {}", (job.asks_lfs() ? lfs_ : addresses_[job.address]).text, reason));
    observer_.retried(job.file.path, reason);
    if (job.asks_lfs()) job.pointer.reset();
    job.place.reset();  // places are for a short time
    job.address = (job.address + 1) % addresses_.size();
    wait(job, after(back_off(std::max(job.fruitless, 1))));
  }

  // s after so many vain attempts; a part of it is random, so that clients do not come back together.
  double back_off(int attempts) {
    const double wait = settings_.first_wait * std::exp2(attempts - 1);
    return std::min(wait, settings_.longest_wait) *
           std::uniform_real_distribution<double>(0.5, 1)(random_);
  }

  void wait(Job& job, Clock::time_point until) {
    job.part.reset();
    job.not_before = until;
    waiting_.push_back(&job);
  }

  void give_up(Job& job, const std::string& reason) {
    job.part.reset();
    job.failure = reason;
  }

  void done(Job& job) {
    job.part.reset();
    ++progress_.files_done;
    done_bytes_ += job.file.bytes;
    progress_.bytes_done = done_bytes_;
  }

  void show_progress() {
    if (Clock::now() - shown_ < tick) return;
    shown_ = Clock::now();
    progress_.bytes_done = done_bytes_;
    for (const Job* job : active_) progress_.bytes_done += job->part->size();
    observer_.progressed(progress_);
  }

  int milliseconds_to_wait() const {
    auto wait = Clock::duration(tick);
    if (has_room())
      for (const Job* job : waiting_) wait = std::min(wait, job->not_before - Clock::now());
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
    return static_cast<int>(std::max<decltype(left)>(left, 0));
  }

  Multi multi_;  // outlives the transfers in jobs_
  std::vector<Address> addresses_;
  Address lfs_;  // of the server of Git LFS; empty if there is none
  Settings settings_;
  Different different_;
  Observer& observer_;
  std::deque<Job> jobs_;  // which never moves them
  std::vector<Job*> waiting_, active_;
  Progress progress_;
  std::uint64_t done_bytes_ = 0;
  Clock::time_point shown_ = {};
  Outcome outcome_;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace

Outcome download(const Source& source, const std::vector<const datasets::SetFile*>& files,
                 const fs::path& folder, const Settings& settings, Different different,
                 Observer& observer) {
  return Download(source, files, folder, settings, different, observer).run();
}

}  // namespace frictionbench::fetch
