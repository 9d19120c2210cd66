// OpenCL: kernels, whether they fit their signature, and their arguments.

#include <algorithm>

#include "backends/common/misfit.hpp"
#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

template <class T>
std::optional<T> group_value(const Api& cl, cl_kernel kernel, cl_device_id device,
                             cl_kernel_work_group_info what) {
  T value{};
  if (cl.clGetKernelWorkGroupInfo(kernel, device, what, sizeof value, &value, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  return value;
}

std::string group_text(std::span<const std::size_t, 3> size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

std::array<std::size_t, 3> group_size(const Signature& signature) {
  return {signature.group_size[0], signature.group_size[1], signature.group_size[2]};
}

Error misfit(Cause cause, const KernelDesc& desc, const std::string& what) {
  return common::misfit(cause, "[Kernel \"" + std::string(desc.entry) + "\"] " + what);
}

// What the kernel needs and the device does not have.
Error lacking(Cause cause, const KernelDesc& desc, const std::string& what) {
  return Error(ErrorCode::unsupported, Category::compilation, cause,
               "[Kernel \"" + std::string(desc.entry) + "\"] " + what);
}

const char* kind_text(cl_kernel_arg_address_qualifier kind) {
  switch (kind) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return "a __global pointer";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return "a __constant pointer";
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return "a __local pointer";
    default: return "a value";
  }
}

// Of the argument at `index`: a buffer, a constant, or the workgroup memory after the last parameter.
cl_kernel_arg_address_qualifier wanted_kind(const Signature& signature, std::size_t index) {
  if (index >= signature.parameters.size()) return CL_KERNEL_ARG_ADDRESS_LOCAL;
  const bool buffer = signature.parameters[index].kind == Parameter::Kind::buffer;
  return buffer ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

}  // namespace

Error OpenClDevice::kernel_not_found(cl_program program, std::string_view entry) {
  const std::string listed = text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl_.clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, to, needed);
  });
  std::vector<std::string_view> names;
  for (std::string_view rest = listed; !rest.empty();) {
    names.push_back(rest.substr(0, rest.find(';')));
    rest.remove_prefix(std::min(names.back().size() + 1, rest.size()));
  }
  return common::no_such_kernel("The program has no kernel", entry, names);
}

Result<void> OpenClDevice::check_arguments(cl_kernel kernel, const KernelDesc& desc) {
  const Signature& signature = *desc.signature;
  const std::size_t wanted = signature.parameters.size() + (signature.shared_bytes != 0 ? 1 : 0);
  cl_uint count = 0;
  COLLET_CHECK(
      check(cl_.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), kAskKernel));
  if (count != wanted) {
    return misfit(
        Cause::argument_count, desc,
        "has " + std::to_string(count) + " arguments, and its signature asks for " + std::to_string(wanted) +
            (signature.shared_bytes != 0 ? " (a __local pointer for the workgroup memory included)." : "."));
  }

  for (cl_uint i = 0; i < count; ++i) {
    cl_kernel_arg_address_qualifier kind = 0;
    const cl_int status =
        cl_.clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof kind, &kind, nullptr);
    if (status != CL_SUCCESS) return {};  // binaries and SPIR-V need not carry it
    const auto right = wanted_kind(signature, i);
    const bool constant_buffer =
        right == CL_KERNEL_ARG_ADDRESS_GLOBAL && kind == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    if (kind == right || constant_buffer) continue;
    return misfit(Cause::argument_type, desc,
                  "has " + std::string(kind_text(kind)) + " as argument " + std::to_string(i) +
                      ", and its signature asks for " + kind_text(right) + ".");
  }
  return {};
}

Result<void> OpenClDevice::check_group(cl_kernel kernel, const KernelDesc& desc) {
  const Signature& signature = *desc.signature;
  const auto wanted = group_size(signature);
  using Sizes = std::array<std::size_t, 3>;
  const auto fixed = group_value<Sizes>(cl_, kernel, candidate_.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  if (fixed && (*fixed)[0] != 0 && *fixed != wanted) {
    return misfit(Cause::pipeline_failed, desc,
                  "is compiled for groups of " + group_text(*fixed) + ", and its signature has " +
                      group_text(wanted) + ".");
  }
  const std::size_t items = wanted[0] * wanted[1] * wanted[2];
  const auto most = group_value<std::size_t>(cl_, kernel, candidate_.device, CL_KERNEL_WORK_GROUP_SIZE);
  if (most && items > *most) {
    return lacking(Cause::pipeline_failed, desc,
                   "runs with at most " + std::to_string(*most) +
                       " items in a group on this device, and its signature has " + std::to_string(items) +
                       ".");
  }
  const std::uint64_t declared =
      group_value<cl_ulong>(cl_, kernel, candidate_.device, CL_KERNEL_LOCAL_MEM_SIZE).value_or(0);
  if (declared + signature.shared_bytes > caps_.max_shared_bytes) {
    return lacking(Cause::shared_memory_unsupported, desc,
                   "declares " + std::to_string(declared) + " bytes of workgroup memory and is given " +
                       std::to_string(signature.shared_bytes) + " more, and the device has " +
                       std::to_string(caps_.max_shared_bytes) + ".");
  }
  return {};
}

Result<void> OpenClDevice::check_kernel(cl_kernel kernel, const KernelDesc& desc) {
  COLLET_CHECK(check_arguments(kernel, desc));
  COLLET_CHECK(check_group(kernel, desc));

  // Setting zeros shows whether the driver agrees with the sizes.
  const std::vector<Parameter>& parameters = desc.signature->parameters;
  const std::vector<std::byte> zeros(desc.signature->constants_size);
  for (cl_uint i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind != Parameter::Kind::constant) continue;
    const cl_int status = cl_.clSetKernelArg(kernel, i, parameters[i].size, zeros.data());
    if (status != CL_INVALID_ARG_SIZE) {
      COLLET_CHECK(check(status, kAskKernel));
      continue;
    }
    return misfit(Cause::argument_type, desc,
                  "does not take " + std::to_string(parameters[i].size) + " bytes as argument " +
                      std::to_string(i) + ".")
        .with_native(status, std::string(Codes::name_of(status)));
  }
  return {};
}

Result<Kernel> OpenClDevice::create_kernel(Program program, const KernelDesc& desc) {
  const auto native = reinterpret_cast<cl_program>(program.id);
  auto state = std::make_unique<KernelState>();
  state->serial = next_serial();
  state->program = native;
  state->entry = desc.entry;
  state->signature = *desc.signature;

  cl_int status = CL_SUCCESS;
  const cl_kernel kernel = cl_.clCreateKernel(native, state->entry.c_str(), &status);
  if (status == CL_INVALID_KERNEL_NAME) {
    return kernel_not_found(native, desc.entry).with_native(status, std::string(Codes::name_of(status)));
  }
  COLLET_CHECK(check(status, kMakeKernel));
  if (auto fits = check_kernel(kernel, desc); !fits) {
    cl_.clReleaseKernel(kernel);
    return fits.error();
  }
  const auto bytes = [&](cl_kernel_work_group_info what) -> std::optional<std::uint32_t> {
    const auto value = group_value<cl_ulong>(cl_, kernel, candidate_.device, what);
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  };
  state->figures = {.registers = {},
                    .private_bytes = bytes(CL_KERNEL_PRIVATE_MEM_SIZE),
                    .shared_bytes = bytes(CL_KERNEL_LOCAL_MEM_SIZE),
                    .groups_per_unit = {}};
  state->spare = kernel;
  return Kernel{reinterpret_cast<std::uintptr_t>(state.release())};
}

KernelFigures OpenClDevice::kernel_figures(Kernel kernel) {
  return reinterpret_cast<const KernelState*>(kernel.id)->figures;
}

void OpenClDevice::destroy_kernel(Kernel kernel) {
  const std::unique_ptr<KernelState> state(reinterpret_cast<KernelState*>(kernel.id));
  if (state->spare != nullptr) cl_.clReleaseKernel(state->spare);
  for (const auto& clone : state->clones) {
    if (clone != nullptr) cl_.clReleaseKernel(clone->kernel);
  }
}

Result<KernelClone*> OpenClDevice::clone_for(KernelState& kernel, QueueState& queue) {
  QueueState::Cached& cached = queue.clones[kernel.serial % queue.clones.size()];
  if (cached.serial == kernel.serial) [[likely]]
    return cached.clone;

  const std::lock_guard lock(kernel.mutex);
  if (kernel.clones.size() <= queue.slot) kernel.clones.resize(queue.slot + 1);
  auto& clone = kernel.clones[queue.slot];
  if (clone == nullptr) {
    auto made = std::make_unique<KernelClone>();
    made->kernel = std::exchange(kernel.spare, nullptr);
    if (made->kernel == nullptr) {
      cl_int status = CL_SUCCESS;
      made->kernel = cl_.clCreateKernel(kernel.program, kernel.entry.c_str(), &status);
      COLLET_CHECK(check(status, kMakeKernel));
    }
    made->bound.resize(kernel.signature.buffer_count);
    made->constants.resize(kernel.signature.constants_size);
    clone = std::move(made);
  }
  cached = {.serial = kernel.serial, .clone = clone.get()};
  return clone.get();
}

Result<void> OpenClDevice::set_buffer(KernelClone& clone, cl_uint index, std::uint64_t& bound,
                                      const Slice& slice, QueueState& queue) {
  const auto& memory = *reinterpret_cast<const MemoryState*>(slice.memory.id);
  Binding binding{.mem = memory.mem, .serial = memory.serial};
  if (!memory.is_whole(slice)) {
    COLLET_TRY(part, bind_part(slice));
    queue.parts.push_back(part.mem);
    binding = part;
  }
  if (bound == binding.serial) return {};
  bound = 0;
  COLLET_CHECK(check(cl_.clSetKernelArg(clone.kernel, index, sizeof(cl_mem), &binding.mem), kSetBuffer));
  bound = binding.serial;
  return {};
}

// Skips what the clone already has: a launch that repeats the last one sets nothing.
Result<void> OpenClDevice::set_arguments(const KernelState& kernel, KernelClone& clone, QueueState& queue,
                                         const Dispatch& dispatch) {
  const Signature& signature = kernel.signature;
  const std::byte* const constants = dispatch.constants.data();
  const bool fresh = !std::exchange(clone.constants_set, false);
  std::size_t buffer = 0;
  for (cl_uint i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    if (parameter.kind == Parameter::Kind::buffer) {
      COLLET_CHECK(set_buffer(clone, i, clone.bound[buffer], dispatch.slices[buffer], queue));
      ++buffer;
      continue;
    }
    std::byte* const set = clone.constants.data() + parameter.offset;
    const std::byte* const wanted = constants + parameter.offset;
    if (!fresh && std::memcmp(set, wanted, parameter.size) == 0) continue;
    COLLET_CHECK(check(cl_.clSetKernelArg(clone.kernel, i, parameter.size, wanted), kSetConstant));
    std::memcpy(set, wanted, parameter.size);
  }
  if (fresh && signature.shared_bytes != 0) {
    const auto index = static_cast<cl_uint>(signature.parameters.size());
    COLLET_CHECK(check(cl_.clSetKernelArg(clone.kernel, index, signature.shared_bytes, nullptr), kSetShared));
  }
  clone.constants_set = true;
  return {};
}

}  // namespace collet::backend::opencl
