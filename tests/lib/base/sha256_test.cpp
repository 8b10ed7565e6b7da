#include "frictionbench/base/sha256.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

std::string sha256_of(const std::string& content) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("f"), std::ios::binary) << content;
  return sha256_of_file(folder.file("f"));
}

// The examples of FIPS 180-4, and one longer than a read.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, SaysWhatCannotBeRead) {
  EXPECT_THAT([] { sha256_of_file("/no/such/file"); },
              testing::ThrowsMessage<FileError>(testing::HasSubstr("/no/such/file: ")));
  EXPECT_THROW(sha256_of_file("/"), FileError);
}

}  // namespace
}  // namespace frictionbench::fclib
