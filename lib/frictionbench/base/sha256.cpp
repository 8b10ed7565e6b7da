#include "frictionbench/base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace frictionbench {

namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 16;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

class Hash {
 public:
  Hash() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  }
  void add(const void* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int length = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &length);
    std::string text;
    for (unsigned int k = 0; k < length; ++k) text += fmt::format("{:02x}", digest[k]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, FreeContext> context_;
};

}  // namespace

std::string sha256_of(std::span<const std::byte> bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hexadecimal();
}

std::string sha256_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(path, "", std::strerror(errno));
  Hash hash;
  std::vector<unsigned char> chunk(chunk_size);
  while (const std::size_t length = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    hash.add(chunk.data(), length);
  // A folder opens like a file and fails only here.
  if (std::ferror(file.get())) throw FileError(path, "", std::strerror(errno));
  return hash.hexadecimal();
}

}  // namespace frictionbench
