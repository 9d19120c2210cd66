// OpenCL platforms and devices that only answer questions: what drivers that do not run here say of
// themselves. What is not said is not known to the device.
#pragma once

#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <string_view>
#include <vector>

#include "backends/opencl/api.hpp"

namespace collet::test {

class DescribedOpenCl {
 public:
  struct Device {
    std::map<cl_device_info, std::vector<char>> answers;

    Device& says(cl_device_info what, std::string_view text) {
      answers[what] = {text.begin(), text.end()};
      answers[what].push_back('\0');
      return *this;
    }
    template <class T>
      requires(!std::is_convertible_v<T, std::string_view>)
    Device& says(cl_device_info what, const T& value) {
      static_assert(std::is_trivially_copyable_v<T>);
      const char* const bytes = reinterpret_cast<const char*>(&value);
      answers[what].assign(bytes, bytes + sizeof value);
      return *this;
    }
  };

  struct Platform {
    std::string_view name;
    std::deque<Device> devices;
    cl_int status = CL_SUCCESS;  // of clGetDeviceIDs
    cl_uint counted = 0;         // what it says in place of the number of its devices, unless 0
  };

  std::deque<Platform> platforms;

  backend::opencl::Api api() const {
    shown = this;
    backend::opencl::Api api{};
    api.clGetPlatformIDs = &platform_ids;
    api.clGetPlatformInfo = &platform_info;
    api.clGetDeviceIDs = &device_ids;
    api.clGetDeviceInfo = &device_info;
    return api;
  }

 private:
  static inline const DescribedOpenCl* shown = nullptr;  // the API gives its functions no place for a pointer

  static cl_int CL_API_CALL platform_ids(cl_uint most, cl_platform_id* ids, cl_uint* count) {
    if (count != nullptr) *count = static_cast<cl_uint>(shown->platforms.size());
    for (cl_uint i = 0; ids != nullptr && i < most && i < shown->platforms.size(); ++i)
      ids[i] = reinterpret_cast<cl_platform_id>(const_cast<Platform*>(&shown->platforms[i]));
    return CL_SUCCESS;
  }

  static cl_int CL_API_CALL device_ids(cl_platform_id id, cl_device_type, cl_uint most, cl_device_id* ids,
                                       cl_uint* count) {
    auto& platform = *reinterpret_cast<Platform*>(id);
    if (count != nullptr)
      *count = platform.counted != 0 ? platform.counted : static_cast<cl_uint>(platform.devices.size());
    for (cl_uint i = 0; ids != nullptr && i < most && i < platform.devices.size(); ++i)
      ids[i] = reinterpret_cast<cl_device_id>(&platform.devices[i]);
    return platform.status;
  }

  static cl_int answer(std::string_view bytes, std::size_t size, void* to, std::size_t* needed) {
    if (needed != nullptr) *needed = bytes.size();
    if (to == nullptr) return CL_SUCCESS;
    if (size < bytes.size()) return CL_INVALID_VALUE;
    std::memcpy(to, bytes.data(), bytes.size());
    return CL_SUCCESS;
  }

  static cl_int CL_API_CALL platform_info(cl_platform_id id, cl_platform_info what, std::size_t size,
                                          void* to, std::size_t* needed) {
    if (what != CL_PLATFORM_NAME) return CL_INVALID_VALUE;
    return answer(reinterpret_cast<Platform*>(id)->name, size, to, needed);
  }

  static cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info what, std::size_t size, void* to,
                                        std::size_t* needed) {
    const auto& answers = reinterpret_cast<Device*>(id)->answers;
    const auto found = answers.find(what);
    if (found == answers.end()) return CL_INVALID_VALUE;
    return answer({found->second.data(), found->second.size()}, size, to, needed);
  }
};

}  // namespace collet::test
