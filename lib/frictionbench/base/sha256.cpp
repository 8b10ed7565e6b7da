#include "frictionbench/base/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace frictionbench::fclib {

namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 16;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

std::string hexadecimal(const unsigned char* bytes, std::size_t length) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * length);
  for (std::size_t k = 0; k < length; ++k) {
    text += digits[bytes[k] >> 4];
    text += digits[bytes[k] & 0x0f];
  }
  return text;
}

}  // namespace

std::string sha256_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(path, "", std::strerror(errno));

  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available in this OpenSSL");

  std::vector<unsigned char> chunk(chunk_size);
  while (const std::size_t length = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    EVP_DigestUpdate(context.get(), chunk.data(), length);
  // A folder opens like a file and fails only here.
  if (std::ferror(file.get())) throw FileError(path, "", std::strerror(errno));

  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int digest_length = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &digest_length);
  return hexadecimal(digest.data(), digest_length);
}

}  // namespace frictionbench::fclib
