// Buffers whose last byte is the last of a page, with pages before and behind that nobody may touch: an
// access beyond a buffer ends the process.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/work.hpp"
#include "platform/fence.hpp"
#include "platform/platform.hpp"

namespace collet::fuzz {

// Threads: one at a time.
class Fenced {
 public:
  explicit Fenced(const std::vector<Bytes>& contents) {
    for (const Bytes& one : contents) add(one);
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() {
    for (const Area& area : areas_) platform::unmap_pages(area.pages, area.mapped);
  }

  std::size_t count() const { return areas_.size(); }
  std::byte* data(std::size_t buffer) const { return areas_[buffer].data; }
  std::size_t size(std::size_t buffer) const { return areas_[buffer].size; }

  std::vector<Bytes> contents() const {
    std::vector<Bytes> all;
    for (const Area& area : areas_) all.emplace_back(area.data, area.data + area.size);
    return all;
  }

 private:
  static constexpr std::size_t kPage = 65536;  // a multiple of the page of every system

  struct Area {
    std::byte* pages;
    std::size_t mapped;
    std::byte* data;
    std::size_t size;
  };

  // A test that has no pages proves nothing.
  void add(const Bytes& contents) {
    const std::size_t inner = (contents.size() + kPage - 1) / kPage * kPage;
    Area area{.pages = nullptr, .mapped = inner + 2 * kPage, .data = nullptr, .size = contents.size()};
    area.pages = static_cast<std::byte*>(platform::map_pages(area.mapped));
    if (area.pages == nullptr || !platform::forbid_pages(area.pages, kPage) ||
        !platform::forbid_pages(area.pages + kPage + inner, kPage))
      std::abort();
    area.data = area.pages + kPage + inner - contents.size();
    if (!contents.empty()) std::memcpy(area.data, contents.data(), contents.size());
    areas_.push_back(area);
  }

  std::vector<Area> areas_;
};

}  // namespace collet::fuzz
