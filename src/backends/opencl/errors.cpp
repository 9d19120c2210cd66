// OpenCL: native codes become errors here and nowhere else.

#include "backends/opencl/errors.hpp"

namespace collet::backend::opencl {
namespace {

// NVIDIA's code for an illegal access inside a kernel; in no header.
constexpr cl_int kNvidiaIllegalAccess = -9999;

}  // namespace

common::Meaning Codes::meaning_of(cl_int status) {
  switch (status) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY: return {ErrorCode::out_of_memory, Cause::allocation_failed};
    case CL_INVALID_BUFFER_SIZE: return {ErrorCode::invalid_argument, Cause::allocation_failed};
    case CL_DEVICE_NOT_AVAILABLE:
    case kNvidiaIllegalAccess: return {ErrorCode::device_lost, Cause::other};
    case CL_PLATFORM_NOT_FOUND_KHR:
    case CL_DEVICE_NOT_FOUND: return {ErrorCode::unavailable, Cause::no_device};
    case CL_COMPILER_NOT_AVAILABLE:
    case CL_LINKER_NOT_AVAILABLE: return {ErrorCode::unsupported, Cause::module_failed};
    case CL_BUILD_PROGRAM_FAILURE:
    case CL_COMPILE_PROGRAM_FAILURE:
    case CL_LINK_PROGRAM_FAILURE:
    case CL_INVALID_BINARY:
    case CL_INVALID_BUILD_OPTIONS:
    case CL_INVALID_COMPILER_OPTIONS:
    case CL_INVALID_PROGRAM_EXECUTABLE: return {ErrorCode::build_failed, Cause::module_failed};
    case CL_INVALID_KERNEL_NAME: return {ErrorCode::invalid_argument, Cause::kernel_not_found};
    case CL_INVALID_ARG_INDEX: return {ErrorCode::invalid_argument, Cause::argument_count};
    case CL_INVALID_ARG_VALUE:
    case CL_INVALID_ARG_SIZE: return {ErrorCode::invalid_argument, Cause::argument_type};
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
    case CL_INVALID_GLOBAL_WORK_SIZE: return {ErrorCode::invalid_argument, Cause::other};
    case CL_INVALID_OPERATION: return {ErrorCode::unsupported, Cause::other};
    default: return {};
  }
}

std::string_view Codes::name_of(cl_int status) {
  switch (status) {
#define COLLET_CL_NAME(name) \
  case name: return #name;
    COLLET_CL_NAME(CL_SUCCESS)
    COLLET_CL_NAME(CL_DEVICE_NOT_FOUND)
    COLLET_CL_NAME(CL_DEVICE_NOT_AVAILABLE)
    COLLET_CL_NAME(CL_COMPILER_NOT_AVAILABLE)
    COLLET_CL_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    COLLET_CL_NAME(CL_OUT_OF_RESOURCES)
    COLLET_CL_NAME(CL_OUT_OF_HOST_MEMORY)
    COLLET_CL_NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
    COLLET_CL_NAME(CL_MEM_COPY_OVERLAP)
    COLLET_CL_NAME(CL_BUILD_PROGRAM_FAILURE)
    COLLET_CL_NAME(CL_MAP_FAILURE)
    COLLET_CL_NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
    COLLET_CL_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    COLLET_CL_NAME(CL_COMPILE_PROGRAM_FAILURE)
    COLLET_CL_NAME(CL_LINKER_NOT_AVAILABLE)
    COLLET_CL_NAME(CL_LINK_PROGRAM_FAILURE)
    COLLET_CL_NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
    COLLET_CL_NAME(CL_INVALID_VALUE)
    COLLET_CL_NAME(CL_INVALID_DEVICE_TYPE)
    COLLET_CL_NAME(CL_INVALID_PLATFORM)
    COLLET_CL_NAME(CL_INVALID_DEVICE)
    COLLET_CL_NAME(CL_INVALID_CONTEXT)
    COLLET_CL_NAME(CL_INVALID_QUEUE_PROPERTIES)
    COLLET_CL_NAME(CL_INVALID_COMMAND_QUEUE)
    COLLET_CL_NAME(CL_INVALID_HOST_PTR)
    COLLET_CL_NAME(CL_INVALID_MEM_OBJECT)
    COLLET_CL_NAME(CL_INVALID_BINARY)
    COLLET_CL_NAME(CL_INVALID_BUILD_OPTIONS)
    COLLET_CL_NAME(CL_INVALID_PROGRAM)
    COLLET_CL_NAME(CL_INVALID_PROGRAM_EXECUTABLE)
    COLLET_CL_NAME(CL_INVALID_KERNEL_NAME)
    COLLET_CL_NAME(CL_INVALID_KERNEL_DEFINITION)
    COLLET_CL_NAME(CL_INVALID_KERNEL)
    COLLET_CL_NAME(CL_INVALID_ARG_INDEX)
    COLLET_CL_NAME(CL_INVALID_ARG_VALUE)
    COLLET_CL_NAME(CL_INVALID_ARG_SIZE)
    COLLET_CL_NAME(CL_INVALID_KERNEL_ARGS)
    COLLET_CL_NAME(CL_INVALID_WORK_DIMENSION)
    COLLET_CL_NAME(CL_INVALID_WORK_GROUP_SIZE)
    COLLET_CL_NAME(CL_INVALID_WORK_ITEM_SIZE)
    COLLET_CL_NAME(CL_INVALID_GLOBAL_OFFSET)
    COLLET_CL_NAME(CL_INVALID_EVENT_WAIT_LIST)
    COLLET_CL_NAME(CL_INVALID_EVENT)
    COLLET_CL_NAME(CL_INVALID_OPERATION)
    COLLET_CL_NAME(CL_INVALID_BUFFER_SIZE)
    COLLET_CL_NAME(CL_INVALID_GLOBAL_WORK_SIZE)
    COLLET_CL_NAME(CL_INVALID_PROPERTY)
    COLLET_CL_NAME(CL_INVALID_COMPILER_OPTIONS)
    COLLET_CL_NAME(CL_INVALID_LINKER_OPTIONS)
    COLLET_CL_NAME(CL_PLATFORM_NOT_FOUND_KHR)
#undef COLLET_CL_NAME
    case kNvidiaIllegalAccess: return "NVIDIA_ILLEGAL_ACCESS";
    default: return "an unknown code";
  }
}

Error execution_error(cl_int status) {
  // Drivers report a fault inside a kernel as a lack of resources, and lose the context with it.
  const bool lost = status == CL_OUT_OF_RESOURCES || Codes::meaning_of(status).code == ErrorCode::device_lost;
  const std::string name(Codes::name_of(status));
  return Error(lost ? ErrorCode::device_lost : ErrorCode::internal, Category::runtime,
               "OpenCL ended a command with " + name + " (" + std::to_string(status) + ").")
      .with_native(status, name);
}

}  // namespace collet::backend::opencl
