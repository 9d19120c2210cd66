// OpenGL: buffers.

#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {

Result<Allocation> OpenGlDevice::create_memory(const MemoryDesc& desc) {
  const Gl& gl = native_.gl;
  const bool mapped = native_.features.storage &&
                      (desc.placement != Placement::device || info_.unified_memory.value_or(false));
  const gl::Bits reach = gl::kMapRead | gl::kMapWrite | gl::kMapPersistent | gl::kMapCoherent;
  const auto size = static_cast<gl::Offset>(desc.size);
  auto memory = std::make_unique<MemoryState>(MemoryState{.size = desc.size});
  std::byte* host = nullptr;
  Result<void> made;
  owner_->run([&] {
    gl.GenBuffers(1, &memory->buffer);
    gl.BindBuffer(gl::kCopyWriteBuffer, memory->buffer);
    if (native_.features.storage)
      gl.BufferStorage(gl::kCopyWriteBuffer, size, nullptr, mapped ? reach : 0);
    else
      gl.BufferData(gl::kCopyWriteBuffer, size, nullptr, gl::kDynamicCopy);
    const std::string doing = "creating a buffer of " + std::to_string(desc.size) + " bytes";
    made = check(gl, {doing, Category::memory, Cause::allocation_failed});
    if (made && mapped)
      host = static_cast<std::byte*>(gl.MapBufferRange(gl::kCopyWriteBuffer, 0, size, reach));
    if (made && mapped && host == nullptr) {
      made = check(gl, {"mapping a buffer", Category::memory, Cause::allocation_failed});
      if (made)
        made = Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                     "OpenGL does not map a buffer of " + std::to_string(desc.size) + " bytes.");
    }
    if (made) native_.label(gl::kBufferLabel, memory->buffer, desc.label);
    gl.BindBuffer(gl::kCopyWriteBuffer, 0);
    if (!made) gl.DeleteBuffers(1, &memory->buffer);
    gl.Flush();  // the worker's context uses it next
  });
  if (!made) return native_.health.note(made.error());
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(memory.release())}, .host = host};
}

void OpenGlDevice::destroy_memory(Memory memory) {
  const std::unique_ptr<MemoryState> owned(reinterpret_cast<MemoryState*>(memory.id));
  owner_->post([&gl = native_.gl, buffer = owned->buffer] { gl.DeleteBuffers(1, &buffer); });
}

}  // namespace collet::backend::opengl
