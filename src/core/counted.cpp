// The end of a counted object.

#include "collet/detail/ref.hpp"

namespace collet::detail {

Counted::~Counted() = default;

void Counted::last_release() const noexcept { const_cast<Counted*>(this)->dispose(); }

void Counted::dispose() noexcept { delete this; }

}  // namespace collet::detail
