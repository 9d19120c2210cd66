#include "backends/common/submission_copy.hpp"

namespace collet::backend::common {
namespace {

// Appends what `span` points at to `storage`, which has room for it, and lets `span` point there.
template <class Span, class Storage>
void move_to(Span& span, Storage& storage) {
  const std::size_t at = storage.size();
  storage.insert(storage.end(), span.begin(), span.end());
  span = Span(storage.data() + at, span.size());
}

}  // namespace

void SubmissionCopy::assign(const Submission& submission) {
  signal_ = submission.signal;
  waits.assign(submission.waits.begin(), submission.waits.end());
  commands_.assign(submission.commands.begin(), submission.commands.end());
  slices_.clear();
  constants_.clear();
  labels_.clear();
  std::size_t slices = 0;
  std::size_t constants = 0;
  std::size_t labels = 0;
  for (const Command& command : commands_) {
    const auto* dispatch = std::get_if<Dispatch>(&command.what);
    if (dispatch == nullptr) continue;
    slices += dispatch->slices.size();
    constants += dispatch->constants.size();
    labels += dispatch->label.size();
  }
  slices_.reserve(slices);
  constants_.reserve(constants);
  labels_.reserve(labels);
  for (Command& command : commands_) {
    auto* dispatch = std::get_if<Dispatch>(&command.what);
    if (dispatch == nullptr) continue;
    move_to(dispatch->slices, slices_);
    move_to(dispatch->constants, constants_);
    move_to(dispatch->label, labels_);
  }
}

}  // namespace collet::backend::common
