// Windows: follows links. Who may write a file is left to the system: programs are installed where only
// administrators may, and no access list is read here.

#include <filesystem>
#include <system_error>

#include "platform/trust.hpp"
#include "platform/windows.hpp"

namespace collet::platform {
namespace {

Error failed_with(const std::string& what, const std::error_code& code) {
  return Error(ErrorCode::unavailable, Category::runtime, what + ": " + code.message() + ".");
}

}  // namespace

Result<std::string> trusted_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(wide(path), failed);
  if (failed) return failed_with(path + " can't be looked at", failed);
  return narrow(real.wstring());
}

Result<void> make_private_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(wide(path), failed);
  if (failed) return failed_with("The folder " + path + " can't be made", failed);
  return {};
}

}  // namespace collet::platform
