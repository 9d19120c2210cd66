// Scalars of the kernel language as text and as bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/ir/type.hpp"

namespace collet::tool {

using Bytes = std::vector<std::byte>;

// The number as the bytes of a scalar of that type; nothing where it is none, or does not fit.
std::optional<Bytes> scalar_bytes(ir::Scalar scalar, std::string_view text);

// Whether a scalar of that type stands at `at` that is no number.
bool is_nan(ir::Scalar scalar, const std::byte* at);

// The scalar that stands at `at`; a half as its bits.
std::string scalar_text(ir::Scalar scalar, const std::byte* at);

}  // namespace collet::tool
