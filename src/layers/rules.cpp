// The rules, command by command.

#include "layers/rules.hpp"

#include <string>

#include "base/checked.hpp"

namespace collet::layers {
namespace {

using backend::Access;
using backend::Caps;
using backend::Slice;

Error broken(const std::string& what) {
  return Error(ErrorCode::internal, Category::runtime, "A rule of the waist is broken: " + what + ".");
}

std::string described(const Slice& slice) {
  return std::to_string(slice.size) + " bytes from byte " + std::to_string(slice.offset) + " on";
}

// Threads: one at a time.
class Rules {
 public:
  explicit Rules(const Caps& caps) : caps_(caps) {}

  Result<void> operator()(const backend::Copy& copy) const {
    COLLET_CHECK(aligned("a copy", copy.from));
    COLLET_CHECK(aligned("a copy", copy.to));
    if (copy.from.size != copy.to.size)
      return broken("a copy from " + described(copy.from) + " to " + described(copy.to));
    if (copy.from.memory == copy.to.memory &&
        base::ranges_overlap(copy.from.offset, copy.from.size, copy.to.offset, copy.to.size)) {
      return broken("a copy from " + described(copy.from) + " to " + described(copy.to) + ", which overlap");
    }
    return {};
  }
  Result<void> operator()(const backend::Fill& fill) const {
    if (fill.to.size == 0 || fill.to.offset % 4 != 0 || fill.to.size % 4 != 0)
      return broken("a fill of " + described(fill.to));
    return {};
  }
  Result<void> operator()(const backend::Write& write) const { return host_command("a write", write.to); }
  Result<void> operator()(const backend::Read& read) const { return host_command("a read", read.from); }
  Result<void> operator()(const backend::Timestamp&) const { return {}; }

  Result<void> operator()(const backend::Dispatch& dispatch) const {
    if (dispatch.slices.size() > caps_.max_bindings)
      return broken("a dispatch with " + std::to_string(dispatch.slices.size()) + " buffers");
    if (dispatch.constants.size() > caps_.max_constants_size)
      return broken("a dispatch with " + std::to_string(dispatch.constants.size()) + " bytes of constants");
    for (std::size_t d = 0; d < 3; ++d) {
      if (dispatch.groups[d] == 0 || dispatch.groups[d] > caps_.max_groups[d]) {
        return broken("a dispatch of " + std::to_string(dispatch.groups[d]) + " groups in dimension " +
                      std::to_string(d));
      }
    }
    for (const Slice& slice : dispatch.slices) {
      if (slice.size == 0 || slice.size > caps_.max_binding_range ||
          slice.offset % caps_.offset_alignment != 0) {
        return broken("a dispatch on " + described(slice));
      }
    }
    return caps_.mixed_access ? Result<void>() : alike(dispatch.slices);
  }

 private:
  Result<void> aligned(const std::string& what, const Slice& slice) const {
    if (slice.size != 0 && slice.offset % caps_.copy_alignment == 0 && slice.size % caps_.copy_alignment == 0)
      return {};
    return broken(what + " of " + described(slice));
  }
  Result<void> host_command(const std::string& what, const Slice& slice) const {
    if (!caps_.host_commands) return broken(what + " on a device that takes none");
    return aligned(what, slice);
  }
  static Result<void> alike(std::span<const Slice> slices) {
    for (const Slice& a : slices) {
      for (const Slice& b : slices) {
        if (a.memory == b.memory && a.access == Access::read && b.access != Access::read) {
          return broken("a dispatch that reads " + described(a) + " and writes " + described(b) +
                        " of the same memory");
        }
      }
    }
    return {};
  }

  const Caps& caps_;
};

}  // namespace

Result<void> check_rules(const backend::Command& command, const Caps& caps) {
  return std::visit(Rules(caps), command.what);
}

}  // namespace collet::layers
