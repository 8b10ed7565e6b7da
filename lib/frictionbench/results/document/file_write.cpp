// Results documents to disk.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frictionbench/results/document/document_members.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

namespace {

// A file that replaces `path` when it is complete, and is gone if it never is.
class Replacement {
 public:
  explicit Replacement(const std::string& path)
      : path_(path), beside_(path + ".part"), file_(std::fopen(beside_.c_str(), "we")) {
    if (!file_) fail();
  }
  ~Replacement() {
    if (!file_) return;
    std::fclose(file_);
    std::remove(beside_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }

  // On the disk before it has its name: a name must never lead to half a document.
  void finish() {
    if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) fail();
    if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail();
    std::fclose(std::exchange(file_, nullptr));
  }

 private:
  [[noreturn]] void fail() const {
    throw ResultsError(path_ + ": cannot be written: " + std::strerror(errno));
  }

  std::string path_, beside_;
  std::FILE* file_;
};

// Writes the members of a document as it is told of them.
class DocumentWriter {
 public:
  explicit DocumentWriter(Replacement& file) : file_(file) {}

  template <typename T>
  void operator()(const char* name, const T& value) {
    begin(name);
    file_.write(to_value(value).dump());
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>& list) {
    begin(name);
    const char* separator = "[\n";
    for (const T& element : list) {
      file_.write(separator);
      file_.write(to_value(element).dump());
      separator = ",\n";
    }
    file_.write(list.empty() ? "[]" : "\n]");
  }
  template <typename T>
  void derived(const char* name, const T& value) {
    (*this)(name, value);
  }
  void finish() { file_.write("\n}\n"); }

 private:
  void begin(const char* name) {
    file_.write(first_ ? "{\n" : ",\n");
    file_.write(to_value(std::string(name)).dump() + ": ");
    first_ = false;
  }

  Replacement& file_;
  bool first_ = true;
};

}  // namespace

void write_document(const std::string& path, const Document& document) {
  Replacement file(path);
  DocumentWriter writer(file);
  members(writer, document);
  writer.finish();
  file.finish();
}

}  // namespace frictionbench::results
