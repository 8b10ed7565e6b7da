#include "frictionbench/fetch/internal/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <regex>

#include "frictionbench/base/text.hpp"
#include "frictionbench/base/version.hpp"
#include "frictionbench/fetch/internal/lfs.hpp"

namespace frictionbench::fetch {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20;  // of an answer that is kept in memory
constexpr long most_redirections = 10;

// Whether both may be the start of the same text.
bool may_start(std::string_view text, std::string_view start) {
  const std::size_t length = std::min(text.size(), start.size());
  return text.substr(0, length) == start.substr(0, length);
}

// libcurl says how long it tried ("after 7 ms"): left out, so that files that fail for the same
// reason are told in one line.
std::string without_duration(const std::string& reason) {
  static const std::regex duration(" after [0-9]+ (ms|milliseconds)");
  return std::regex_replace(reason, duration, "");
}

}  // namespace

Transfer::Transfer(Request request, CURLM* multi)
    : request_(std::move(request)),
      multi_(multi),
      handle_(curl_easy_init()),
      start_(request_.part ? request_.part->size() : 0),
      in_memory_(!request_.part) {
  if (!handle_) throw std::bad_alloc();
  const auto set = [this](CURLoption option, auto value) {
    curl_easy_setopt(handle_, option, value);
  };
  set(CURLOPT_URL, request_.address.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https,file");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, most_redirections);
  set(CURLOPT_FAILONERROR, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, ("frictionbench/" + version()).c_str());
  set(CURLOPT_ERRORBUFFER, error_);
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  if (start_ > 0) set(CURLOPT_RANGE, fmt::format("{}-", start_).c_str());
  if (!request_.body.empty()) {
    set(CURLOPT_POSTFIELDSIZE, static_cast<long>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.c_str());
  }
  for (const auto& [name, value] : request_.headers)
    headers_ = curl_slist_append(headers_, fmt::format("{}: {}", name, value).c_str());
  if (headers_) set(CURLOPT_HTTPHEADER, headers_);
  curl_multi_add_handle(multi_, handle_);
}

Transfer::~Transfer() {
  curl_multi_remove_handle(multi_, handle_);
  curl_easy_cleanup(handle_);
  curl_slist_free_all(headers_);
}

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* transfer) {
  auto& self = *static_cast<Transfer*>(transfer);
  self.heard_ = Clock::now();
  std::string line(data, size);
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (line.starts_with("http/")) self.range_start_ = self.range_total_ = std::nullopt;
  constexpr std::string_view name = "content-range: bytes ";  // 100-299/300
  if (!line.starts_with(name)) return size;
  const std::string_view range =
      std::string_view(line).substr(name.size(), line.find_last_not_of("\r\n ") + 1 - name.size());
  const std::size_t dash = range.find('-'), slash = range.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos) return size;
  self.range_start_ = number_in<std::uint64_t>(range.substr(0, dash));
  self.range_total_ = number_in<std::uint64_t>(range.substr(slash + 1));
  return size;
}

// Anything else than `size` ends the transfer.
std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* transfer) {
  auto& self = *static_cast<Transfer*>(transfer);
  self.heard_ = Clock::now();
  self.received_ += size;
  const std::string_view bytes(data, size);
  try {
    if (!self.begun_ && !self.begin_body(bytes)) return size + 1;
    return self.take(bytes) ? size : size + 1;
  } catch (const FileError&) {
    self.disk_error_ = std::current_exception();
    return size + 1;
  }
}

bool Transfer::reject(std::string reason) {
  rejection_ = std::move(reason);
  return false;
}

// Whether the body is wanted, now that its headers are known.
bool Transfer::begin_body(std::string_view first) {
  begun_ = true;
  if (in_memory_) return true;
  long status = 0;
  curl_off_t length = -1;
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  const bool continued = status == 206 || (status == 0 && start_ > 0);  // no status: file://
  if (status == 206 && range_start_ != start_) {
    request_.part->clear();
    return reject("the server sent another range than asked for");
  }
  if (!continued && start_ > 0) request_.part->clear();
  if (!continued && may_start(first, lfs_pointer_start)) {
    in_memory_ = true;
    return true;
  }
  std::optional<std::uint64_t> total = range_total_;
  if (!total && length >= 0) total = static_cast<std::uint64_t>(length) + (continued ? start_ : 0);
  if (total && *total != request_.bytes) {
    request_.part->clear();
    return reject(fmt::format("the file there has {} bytes instead of {}", *total, request_.bytes));
  }
  return true;
}

bool Transfer::take(std::string_view bytes) {
  if (in_memory_) {
    text_ += bytes;
    return text_.size() <= longest_text || reject("the answer is too long");
  }
  if (request_.part->size() + bytes.size() > request_.bytes) {
    request_.part->clear();
    return reject(fmt::format("the file there has more than {} bytes", request_.bytes));
  }
  request_.part->append(bytes);
  return true;
}

Answer Transfer::finish(CURLcode code) {
  using enum Answer::Kind;
  if (disk_error_) std::rethrow_exception(disk_error_);
  if (!rejection_.empty()) return {interrupted, rejection_};
  if (code == CURLE_OK) return finish_body();
  if (code == CURLE_HTTP_RETURNED_ERROR) {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    return finish_status(status);
  }
  const std::string reason =
      without_duration(one_line(error_[0] ? error_ : curl_easy_strerror(code)));
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
      return {unreachable, reason};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_FILE_COULDNT_READ_FILE:
      return {refused, reason};
    default:
      return {interrupted, reason};
  }
}

Answer Transfer::finish_body() {
  using enum Answer::Kind;
  if (!request_.part) return {complete, {}, text_};
  if (in_memory_) return {pointer, "is a pointer of Git LFS, not the file itself", text_};
  if (request_.part->size() == request_.bytes) return {complete};
  return {interrupted,
          fmt::format("the answer ended at {} of {} bytes", request_.part->size(), request_.bytes)};
}

Answer Transfer::finish_status(long status) {
  using enum Answer::Kind;
  constexpr long timeout = 408, beyond_the_end = 416, too_early = 425, too_many = 429,
                 unavailable = 503;
  const std::string reason = fmt::format("the server answered {}", status);
  if (status == too_many || status == unavailable) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &seconds);
    if (seconds > 0) return {busy, reason, {}, static_cast<double>(seconds)};
    return {busy, reason};
  }
  if (status == beyond_the_end && request_.part) request_.part->clear();
  const bool passing =
      status >= 500 || status == beyond_the_end || status == timeout || status == too_early;
  return {passing ? interrupted : refused, reason};
}

}  // namespace frictionbench::fetch
