// Results documents to disk.

#include <string>
#include <vector>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/results/document/document_members.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

namespace {

// Writes the members of a document as it is told of them.
class DocumentWriter {
 public:
  explicit DocumentWriter(AtomicFile& file) : file_(file) {}

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

  AtomicFile& file_;
  bool first_ = true;
};

}  // namespace

void write_document(const std::string& path, const Document& document) {
  AtomicFile file(path);
  DocumentWriter writer(file);
  members(writer, document);
  writer.finish();
  file.commit();
}

}  // namespace frictionbench::results
