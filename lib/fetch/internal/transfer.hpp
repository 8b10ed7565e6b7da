/// \file
/// One attempt to receive a file, with libcurl.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/fetch/internal/part_file.hpp"

namespace frictionbench::fetch {

using Clock = std::chrono::steady_clock;

/// What is asked for.
struct Request {
  std::string address;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< to be sent, by name
  std::string body = {};                                          ///< to be posted; empty: GET
  PartFile* part = nullptr;  ///< takes the answer, after what it has; null: Answer::text takes it
  std::uint64_t bytes = 0;   ///< of the whole file; without a meaning if part is null
};

/// How an attempt ended.
struct Answer {
  enum class Kind {
    complete,     ///< the part has the size of the file, or `text` is the whole answer
    pointer,      ///< `text` begins as a pointer of Git LFS does
    interrupted,  ///< try again
    busy,         ///< the server asks to wait
    unreachable,  ///< there is no server
    refused,      ///< the server answers, and will not answer otherwise
  };
  Kind kind = Kind::interrupted;
  std::string reason = {};          ///< one line, unless it is complete
  std::string text = {};            ///< of a pointer, or if there is no part
  std::optional<double> wait = {};  ///< s, that the server asks for
};

/// An attempt under way in a multi handle. What arrives is appended to the part if it belongs there: a
/// server that does not know ranges starts anew, and an answer of another size than the file's is left.
class Transfer {
 public:
  Transfer(Request request, CURLM* multi);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() const { return handle_; }
  std::uint64_t received() const { return received_; }               ///< bytes of the body
  Clock::duration silence() const { return Clock::now() - heard_; }  ///< since the last byte

  /// What `code`, the result of libcurl, means. \throws FileError if the disk cannot be written.
  Answer finish(CURLcode code);

 private:
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* transfer);
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* transfer);
  bool begin_body(std::string_view first);
  bool take(std::string_view bytes);
  bool reject(std::string reason);
  Answer finish_body();
  Answer finish_status(long status);

  Request request_;
  CURLM* multi_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  char error_[CURL_ERROR_SIZE] = {};
  std::uint64_t start_;  // bytes that the part had
  bool begun_ = false, in_memory_;
  std::string text_, rejection_;
  std::optional<std::uint64_t> range_start_, range_total_;  // as the answer states them
  std::uint64_t received_ = 0;
  Clock::time_point heard_ = Clock::now();
  std::exception_ptr disk_error_;
};

}  // namespace frictionbench::fetch
