// OpenGL: what a display's device says of itself, and which limits follow.

#include <algorithm>
#include <array>

#include "backends/common/alignment.hpp"
#include "backends/common/identity.hpp"
#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {
namespace {

// OpenGL names no limit of a buffer's size; many drivers count its bytes in 32 bits.
constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 32) - 16;

// Of the current context.
class Asked {
 public:
  explicit Asked(const Gl& gl) : gl_(gl) {
    const gl::Int count = number(gl::kExtensionCount);
    for (gl::Int i = 0; i < count; ++i)
      extensions_ += text(gl.GetStringi(gl::kExtensions, static_cast<gl::Uint>(i))) + " ";
  }

  std::string said(gl::Enum name) const { return text(gl_.GetString(name)); }
  gl::Int number(gl::Enum name) const {
    gl::Int value = 0;
    gl_.GetIntegerv(name, &value);
    return value;
  }
  // A limit that is never below 0.
  std::uint32_t limit(gl::Enum name) const { return static_cast<std::uint32_t>(std::max(number(name), 0)); }
  std::uint64_t wide(gl::Enum name) const {
    std::int64_t value = 0;
    gl_.GetInteger64v(name, &value);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
  }
  std::array<std::uint32_t, 3> three(gl::Enum name) const {
    std::array<std::uint32_t, 3> values{};
    for (gl::Uint i = 0; i < 3; ++i) {
      gl::Int value = 0;
      gl_.GetIntegeri_v(name, i, &value);
      values[i] = static_cast<std::uint32_t>(std::max(value, 0));
    }
    return values;
  }
  bool has(std::string_view extension) const { return is_listed(extensions_, extension); }

 private:
  static std::string text(const unsigned char* said) {
    return said == nullptr ? "" : reinterpret_cast<const char*>(said);
  }

  const Gl& gl_;
  std::string extensions_;
};

Features features_of(const Asked& asked, Flavour flavour, std::pair<int, int> version) {
  if (flavour == Flavour::es) {
    return {.storage = asked.has("GL_EXT_buffer_storage"),
            .timer = asked.has("GL_EXT_disjoint_timer_query"),
            .disjoint = true,
            .reset = asked.has("GL_EXT_robustness"),
            .labels = asked.has("GL_KHR_debug")};
  }
  return {.storage = version >= std::pair(4, 4) || asked.has("GL_ARB_buffer_storage"),
          .clear = true,
          .timer = true,
          .reset = version >= std::pair(4, 5) || asked.has("GL_KHR_robustness"),
          .labels = true};
}

Limits limits_of(const Asked& asked) {
  return {.max_buffers = std::min(asked.limit(gl::kMaxComputeBuffers), asked.limit(gl::kMaxBufferBindings)),
          .max_buffer_block = asked.wide(gl::kMaxBufferBlock),
          .buffer_alignment = common::alignment(asked.limit(gl::kBufferAlignment)),
          .max_uniform_block = asked.limit(gl::kMaxUniformBlock),
          .uniform_alignment = common::alignment(asked.limit(gl::kUniformAlignment))};
}

// Of drivers that EGL's own word for it is not known of.
bool is_software(std::string_view renderer) {
  constexpr std::string_view kNames[] = {"llvmpipe", "softpipe", "SwiftShader", "swrast", "Basic Render"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view one) { return renderer.find(one) != std::string::npos; });
}

std::optional<std::string> uuid_of(const Gl& gl, const Asked& asked) {
  if (!asked.has("GL_EXT_memory_object") || gl.GetUnsignedBytei_vEXT == nullptr) return std::nullopt;
  std::array<unsigned char, 16> bytes{};
  gl.GetUnsignedBytei_vEXT(gl::kDeviceUuid, 0, bytes.data());
  if (gl.GetError() != gl::kNoError || bytes == std::array<unsigned char, 16>{}) return std::nullopt;
  return common::hexadecimal(bytes);
}

void fill_figures(const Asked& asked, const Candidate& candidate, DeviceInfo& info) {
  info.shared_memory_per_group = asked.limit(gl::kMaxSharedBytes);
  info.max_group_items = asked.limit(gl::kMaxGroupItems);
  info.max_group_size = asked.three(gl::kMaxGroupSize);
  info.max_groups = asked.three(gl::kMaxGroups);
  info.max_allocation = kMostBytes;
  info.max_binding_range = candidate.limits.max_buffer_block;
  info.timestamps = candidate.features.timer;
  // GLSL without extensions has none of these, and its fma() may round twice. OpenGL's doubles are of no use
  // to kernels without 64-bit integers, which carry them to and from buffers.
  info.f16 = info.f64 = info.i64 = info.i64_atomics = info.f32_atomics = false;
  info.storage8 = info.storage16 = info.exact_fma = false;
  info.subgroups = info.subgroup_arithmetic = info.subgroup_vote = info.subgroup_broadcast =
      info.subgroup_shuffle = info.subgroup_i64 = false;
  info.device_fences = true;  // memoryBarrier()
}

Candidate examine(const Egl& egl, const Gl& gl, Flavour flavour, const Display& display) {
  Candidate candidate;
  candidate.display = display;
  DeviceInfo& info = candidate.info;
  info.backend = flavour == Flavour::es ? "opengles" : "opengl";
  info.name = "a device without a name";
  info.max_groups = {0, 0, 0};
  const auto refuse = [&](const std::string& why) {
    candidate.refusal = why;
    info.rung = Rung::loaded;
    return candidate;
  };
  auto context = Context::create(egl, display, flavour);
  if (!context) {
    return refuse("it gives no " + std::string(name_of(flavour)) +
                  (flavour == Flavour::es ? " 3.1" : " 4.3") + " (" + context.error().message() + ")");
  }
  if (auto taken = (*context)->take(); !taken) return refuse(taken.error().message());
  const Asked asked(gl);
  info.name = asked.said(gl::kRenderer);
  info.vendor = asked.said(gl::kVendor);
  info.driver = asked.said(gl::kVersion);
  const std::pair version(asked.number(gl::kMajorVersion), asked.number(gl::kMinorVersion));
  info.api_version = std::to_string(version.first) + "." + std::to_string(version.second);
  const bool software = display.software || is_software(info.name);
  info.type = software ? DeviceType::software : DeviceType::other;
  if (software) info.unified_memory = true;
  info.uuid = uuid_of(gl, asked);
  candidate.features = features_of(asked, flavour, version);
  candidate.limits = limits_of(asked);
  fill_figures(asked, candidate, info);
  auto answered = check(gl, kAskDevice);
  (*context)->leave();
  if (!answered) return refuse(answered.error().message());
  if (*info.max_group_items == 0 || candidate.limits.max_buffers == 0)
    return refuse("it has no storage buffers in compute shaders");
  return candidate;
}

}  // namespace

Result<Candidates> find_candidates(const Egl& egl, const Gl& gl, Flavour flavour) {
  COLLET_TRY(displays, find_displays(egl));
  Candidates found{.all = {}, .problems = displays.problems};
  for (const Display& display : displays.all) {
    Candidate candidate = examine(egl, gl, flavour, display);
    candidate.info.index = static_cast<std::uint32_t>(found.all.size());
    found.all.push_back(std::move(candidate));
  }
  return found;
}

Caps device_caps(const Candidate& candidate, Flavour flavour) {
  const Limits& limits = candidate.limits;
  const DeviceInfo& info = candidate.info;
  Caps caps;
  caps.formats = {flavour == Flavour::es ? Format::glsl_es : Format::glsl};
  caps.max_bindings = std::min<std::uint32_t>(limits.max_buffers, 64);
  caps.max_allocation = kMostBytes;
  caps.max_binding_range = limits.max_buffer_block & ~std::uint64_t{15};
  caps.max_constants_size = std::min<std::uint32_t>(limits.max_uniform_block, 16 << 10);
  caps.offset_alignment = limits.buffer_alignment;
  caps.max_groups = *info.max_groups;
  caps.max_group_size = *info.max_group_size;
  caps.max_group_items = *info.max_group_items;
  caps.max_shared_bytes = static_cast<std::uint32_t>(*info.shared_memory_per_group);
  caps.mapped = candidate.features.storage;
  caps.host_commands = !caps.mapped;
  caps.timestamps = candidate.features.timer;
  caps.gather = 64;
  return caps;
}

}  // namespace collet::backend::opengl
