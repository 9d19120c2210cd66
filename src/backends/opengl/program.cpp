// OpenGL: programs are GLSL, a shader each; kernels are linked programs.

#include <algorithm>

#include "backends/common/misfit.hpp"
#include "backends/common/options.hpp"
#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {
namespace {

constexpr std::string_view kGroupX = "COLLET_GROUP_X", kGroupY = "COLLET_GROUP_Y", kGroupZ = "COLLET_GROUP_Z";
constexpr std::string_view kSharedBytes = "COLLET_SHARED_BYTES";

bool mentions(std::string_view code, std::string_view word) {
  return code.find(word) != std::string_view::npos;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The functions without parameters and results, which may be kernels.
std::vector<std::string_view> entries_of(std::string_view code) {
  constexpr std::string_view kVoid = "void ";
  std::vector<std::string_view> names;
  for (std::size_t at = code.find(kVoid); at != std::string_view::npos; at = code.find(kVoid, at + 1)) {
    const std::size_t begin = at + kVoid.size();
    std::size_t end = begin;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end != begin && code.substr(end).starts_with("()")) names.push_back(code.substr(begin, end - begin));
  }
  return names;
}

// What is written behind the code so that it has a main(): nothing where it has one, which serves any name.
Result<std::string> call_of(std::string_view code, std::string_view entry) {
  const auto names = entries_of(code);
  if (std::ranges::find(names, "main") != names.end()) return std::string();
  if (std::ranges::find(names, entry) != names.end())
    return "\nvoid main() { " + std::string(entry) + "(); }\n";
  return common::no_such_kernel("The GLSL has neither main() nor a kernel", entry, names);
}

// Whether the signature decides a part of the code.
bool is_open(std::string_view code) {
  return mentions(code, "COLLET_GROUP_") || mentions(code, kSharedBytes);
}

// GLSL wants its version first.
std::string with_defines(std::string_view code, const std::string& defines) {
  const std::size_t version = code.find("#version");
  const std::size_t end = version == std::string_view::npos ? version : code.find('\n', version);
  if (end == std::string_view::npos) return defines + std::string(code);
  return std::string(code.substr(0, end + 1)) + defines + std::string(code.substr(end + 1));
}

std::string define(std::string_view name, std::string_view value) {
  return "#define " + std::string(name) + " " + std::string(value) + "\n";
}

std::string with_signature(std::string_view code, const std::array<std::uint32_t, 3>& group,
                           std::uint32_t shared) {
  return with_defines(
      code, define(kGroupX, std::to_string(group[0])) + define(kGroupY, std::to_string(group[1])) +
                define(kGroupZ, std::to_string(group[2])) + define(kSharedBytes, std::to_string(shared)));
}

// Uniform blocks end at a multiple of 16.
std::uint32_t whole_block(std::uint32_t constants_size) { return (constants_size + 15) & ~15u; }

// What a linked program takes.
class Interface {
 public:
  Interface(const Gl& gl, gl::Uint program) : gl_(gl), program_(program) {}

  std::array<std::uint32_t, 3> group_size() const {
    gl::Int size[3] = {1, 1, 1};
    gl_.GetProgramiv(program_, gl::kGroupSizeOfProgram, size);
    return {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
            static_cast<std::uint32_t>(size[2])};
  }
  // The largest number that a property has among all resources of a kind; -1 where there are none.
  gl::Int largest(gl::Enum kind, gl::Enum property) const {
    gl::Int most = -1;
    for (gl::Uint i = 0; i < count(kind); ++i) most = std::max(most, value(kind, i, property));
    return most;
  }
  // Whether it has a uniform outside of any block: nothing would ever set it.
  bool has_loose_uniforms() const {
    for (gl::Uint i = 0; i < count(gl::kUniform); ++i) {
      if (value(gl::kUniform, i, gl::kBlockIndex) == -1) return true;
    }
    return false;
  }

 private:
  gl::Uint count(gl::Enum kind) const {
    gl::Int count = 0;
    gl_.GetProgramInterfaceiv(program_, kind, gl::kActiveResources, &count);
    return static_cast<gl::Uint>(count);
  }
  gl::Int value(gl::Enum kind, gl::Uint index, gl::Enum property) const {
    gl::Int one = -1;
    gl_.GetProgramResourceiv(program_, kind, index, 1, &property, 1, nullptr, &one);
    return one;
  }

  const Gl& gl_;
  const gl::Uint program_;
};

Result<void> fit(const Interface& has, const KernelDesc& desc) {
  const Signature& signature = *desc.signature;
  const std::string name = "\"" + std::string(desc.entry) + "\"";
  if (const auto size = has.group_size(); size != signature.group_size) {
    return common::other_group_size("The GLSL", desc.entry, size, signature.group_size)
        .with_hint(
            "Write \"layout(local_size_x = COLLET_GROUP_X, local_size_y = COLLET_GROUP_Y, local_size_z = "
            "COLLET_GROUP_Z) in;\" to leave it to the signature.");
  }
  if (has.has_loose_uniforms()) {
    return common::misfit(Cause::argument_type,
                          "The GLSL of " + name +
                              " uses a uniform that is in no block; its parameters must be storage "
                              "blocks and one uniform block.");
  }
  const gl::Int last = has.largest(gl::kStorageBlock, gl::kBufferBinding);
  if (last >= static_cast<gl::Int>(signature.buffer_count)) {
    return common::misfit(Cause::argument_count, "The GLSL of " + name +
                                                     " uses the storage block of binding " +
                                                     std::to_string(last) + ", but the signature has " +
                                                     std::to_string(signature.buffer_count) + " buffers.");
  }
  if (has.largest(gl::kUniformBlock, gl::kBufferBinding) > 0) {
    return common::misfit(Cause::argument_type,
                          "The GLSL of " + name + " uses a uniform block with a binding other than 0.");
  }
  const gl::Int bytes = has.largest(gl::kUniformBlock, gl::kBufferDataSize);
  if (bytes > static_cast<gl::Int>(whole_block(signature.constants_size))) {
    return common::misfit(Cause::argument_type, "The uniform block of " + name + " has " +
                                                    std::to_string(bytes) +
                                                    " bytes, but the constants of the signature have " +
                                                    std::to_string(signature.constants_size) + ".");
  }
  return {};
}

// What the GLSL's compiler says, after `get` gave its length.
template <class Get>
std::string read_log(gl::Int length, const Get& get) {
  std::string log(static_cast<std::size_t>(std::max(length, 0)), '\0');
  gl::Size used = 0;
  if (!log.empty()) get(static_cast<gl::Size>(log.size()), &used, log.data());
  log.resize(static_cast<std::size_t>(std::clamp<gl::Size>(used, 0, length)));
  return log;
}

}  // namespace

Result<gl::Uint> compile_shader(const Gl& gl, std::string_view code, std::string& log) {
  const gl::Uint shader = gl.CreateShader(gl::kComputeShader);
  const char* text = code.data();
  const auto length = static_cast<gl::Int>(code.size());
  gl.ShaderSource(shader, 1, &text, &length);
  gl.CompileShader(shader);
  gl::Int compiled = 0;
  gl::Int log_length = 0;
  gl.GetShaderiv(shader, gl::kCompileStatus, &compiled);
  gl.GetShaderiv(shader, gl::kInfoLogLength, &log_length);
  log = read_log(log_length, [&](gl::Size size, gl::Size* used, char* to) {
    gl.GetShaderInfoLog(shader, size, used, to);
  });
  auto done = check(gl, kMakeShader);
  if (done && compiled != 0) return shader;
  gl.DeleteShader(shader);
  if (!done) return done.error();
  return common::misfit(Cause::module_failed,
                        "The driver refuses the GLSL. It says:\n" + common::bounded(log));
}

Result<gl::Uint> link_program(const Gl& gl, gl::Uint shader) {
  const gl::Uint program = gl.CreateProgram();
  gl.AttachShader(program, shader);
  gl.LinkProgram(program);
  gl::Int linked = 0;
  gl::Int log_length = 0;
  gl.GetProgramiv(program, gl::kLinkStatus, &linked);
  gl.GetProgramiv(program, gl::kInfoLogLength, &log_length);
  const std::string log = read_log(log_length, [&](gl::Size size, gl::Size* used, char* to) {
    gl.GetProgramInfoLog(program, size, used, to);
  });
  auto done = check(gl, kMakeProgram);
  if (done && linked != 0) {
    gl.DetachShader(program, shader);
    return program;
  }
  gl.DeleteProgram(program);
  if (!done) return done.error();
  return common::misfit(Cause::pipeline_failed,
                        "The driver does not link the GLSL. It says:\n" + common::bounded(log));
}

Result<BuiltProgram> OpenGlDevice::create_program(const ProgramDesc& desc) {
  std::string defines;
  for (const auto& [name, value] : desc.options->defines) defines += define(name, value);
  const std::string_view code(reinterpret_cast<const char*>(desc.code.data()), desc.code.size());
  auto program = std::make_unique<ProgramState>(ProgramState{.code = with_defines(code, defines)});
  BuiltProgram built;
  Result<void> made;
  owner_->run([&] {
    // What the signature decides is not known yet: the least that it may be.
    auto shader = is_open(program->code)
                      ? compile_shader(native_.gl, with_signature(program->code, {1, 1, 1}, 16), built.log)
                      : compile_shader(native_.gl, program->code, built.log);
    if (shader)
      program->shader = *shader;
    else
      made = shader.error();
  });
  if (!made) {
    return native_.health.note(
        made.error().during("making [Program \"" + std::string(desc.label) + "\"] on " + info_.id()));
  }
  built.program = Program{reinterpret_cast<std::uintptr_t>(program.release())};
  constexpr std::array<std::string_view, 1> kHonoured{"defines"};
  built.ignored = common::ignored_options(*desc.options, kHonoured);
  return built;
}

void OpenGlDevice::destroy_program(Program program) {
  const std::unique_ptr<ProgramState> owned(reinterpret_cast<ProgramState*>(program.id));
  owner_->post([&gl = native_.gl, shader = owned->shader] { gl.DeleteShader(shader); });
}

Result<Kernel> OpenGlDevice::create_kernel(Program program, const KernelDesc& desc) {
  const auto& state = *reinterpret_cast<const ProgramState*>(program.id);
  const Signature& signature = *desc.signature;
  COLLET_TRY(call, call_of(state.code, desc.entry));
  if (signature.shared_bytes != 0 && !mentions(state.code, kSharedBytes)) {
    return common::misfit(Cause::shared_memory_unsupported,
                          "[Kernel \"" + std::string(desc.entry) + "\"] is given " +
                              std::to_string(signature.shared_bytes) +
                              " bytes of workgroup memory, and its GLSL has no place for them.")
        .with_hint("Write \"shared uint words[COLLET_SHARED_BYTES / 4];\".");
  }
  auto kernel = std::make_unique<KernelState>();
  kernel->constants_size = whole_block(signature.constants_size);
  Result<void> made;
  owner_->run([&] {
    const Gl& gl = native_.gl;
    made = [&]() -> Result<void> {
      gl::Uint shader = state.shader;
      std::string log;
      if (!call.empty() || is_open(state.code)) {
        COLLET_TRY(
            own,
            compile_shader(
                gl, with_signature(state.code + call, signature.group_size, signature.shared_bytes), log));
        shader = own;
      }
      auto linked = link_program(gl, shader);
      if (shader != state.shader) gl.DeleteShader(shader);
      if (!linked) return linked.error();
      kernel->program = *linked;
      native_.label(gl::kProgramLabel, kernel->program, desc.label);
      COLLET_CHECK(fit(Interface(gl, kernel->program), desc));
      gl.Finish();  // the worker's context uses it next
      return check(gl, kMakeProgram);
    }();
    if (!made && kernel->program != 0) gl.DeleteProgram(kernel->program);
  });
  if (!made) return native_.health.note(made.error());
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel.release())};
}

void OpenGlDevice::destroy_kernel(Kernel kernel) {
  const std::unique_ptr<KernelState> owned(reinterpret_cast<KernelState*>(kernel.id));
  discarded_.add(owned->program);
}

}  // namespace collet::backend::opengl
