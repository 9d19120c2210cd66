#include "backends/common/check.hpp"

#include <string>

namespace collet::backend::common {
namespace {

// Some errors are of one category whatever was being done.
Category category_of(ErrorCode code, Category doing) {
  switch (code) {
    case ErrorCode::out_of_memory: return Category::memory;
    case ErrorCode::device_lost: return Category::device;
    case ErrorCode::build_failed: return Category::compilation;
    case ErrorCode::timeout: return Category::synchronisation;
    default: return doing;
  }
}

constexpr std::size_t kMostInMessage = 4096;

}  // namespace

std::string bounded(std::string text) {
  if (text.size() <= kMostInMessage) return text;
  const std::size_t more = text.size() - kMostInMessage;
  text.resize(kMostInMessage);
  return text + "\n… (" + std::to_string(more) + " bytes more)";
}

Error native_error(std::string_view api, std::int64_t code, std::string_view name, Meaning meaning,
                   const Doing& doing) {
  const std::string message = meaning.code == ErrorCode::timeout
                                  ? "The deadline passed before the device was done."
                                  : std::string(api) + " reports " + std::string(name) + " (" +
                                        std::to_string(code) + ") while " + std::string(doing.what) + ".";
  return Error(meaning.code, category_of(meaning.code, doing.category),
               meaning.cause == Cause::other ? doing.cause : meaning.cause, message)
      .with_native(code, std::string(name));
}

}  // namespace collet::backend::common
