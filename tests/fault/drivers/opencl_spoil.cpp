// PoCL with one thing spoiled, which COLLET_TEST_SPOIL names; everything else is PoCL's own work. What is
// computed is spoiled in the source that passes through.

#include <cstdlib>
#include <string>

#include "opencl_pocl.hpp"

namespace {

bool spoils(const char* what) {
  const char* asked = std::getenv("COLLET_TEST_SPOIL");
  return asked != nullptr && std::string(asked) == what;
}

void replace(std::string& text, const std::string& from, const std::string& to,
             const std::string& line_has = "") {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    if (text.substr(begin, text.find('\n', at) - begin).find(line_has) == std::string::npos) {
      at += from.size() > to.size() ? from.size() - to.size() : 0;
      continue;
    }
    text.replace(at, from.size(), to);
  }
}

// Loops end after 65,535 rounds.
void cut_loops(std::string& text) {
  const std::string head = "for (; ";
  for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
    const std::size_t end = text.find(';', at + head.size());
    const std::string condition = text.substr(at + head.size(), end - at - head.size());
    text.replace(at, end - at, "for (uint cut = 0; cut++ < 65535u && (" + condition + ")");
  }
}

cl_program CL_API_CALL create(cl_context context, cl_uint count, const char** texts, const std::size_t* sizes,
                              cl_int* status) {
  std::string text;
  for (cl_uint i = 0; i < count; ++i)
    text += sizes != nullptr && sizes[i] != 0 ? std::string(texts[i], sizes[i]) : std::string(texts[i]);
  if (spoils("emitted code")) replace(text, " ^ ", " | ");
  if (spoils("floats")) replace(text, " * ", " + ", "const float");
  if (spoils("barriers")) replace(text, "  barrier(", "  mem_fence(");
  if (spoils("atomics")) replace(text, "atomic_add(", "atomic_xchg(");
  if (spoils("sub-words")) replace(text, "= (uchar)", "= (uchar)1 + (uchar)");
  if (spoils("long loops")) cut_loops(text);
  const char* whole = text.c_str();
  const std::size_t size = text.size();
  return pocl::real.clCreateProgramWithSource(context, 1, &whole, &size, status);
}

// Whole words only.
cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, std::size_t from_at,
                        std::size_t to_at, std::size_t size, cl_uint wait_count, const cl_event* waits,
                        cl_event* event) {
  return pocl::real.clEnqueueCopyBuffer(queue, from, to, from_at, to_at, size / 4 * 4, wait_count, waits,
                                        event);
}

// Nothing is filled.
cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem /*to*/, const void* /*pattern*/, std::size_t /*size*/,
                        std::size_t /*at*/, std::size_t /*bytes*/, cl_uint wait_count, const cl_event* waits,
                        cl_event* event) {
  return pocl::real.clEnqueueMarkerWithWaitList(queue, wait_count, waits, event);
}

}  // namespace

void pocl::spoil(cl_icd_dispatch& table) {
  table.clCreateProgramWithSource = create;
  if (spoils("ragged copies")) table.clEnqueueCopyBuffer = copy;
  if (spoils("stale memory")) table.clEnqueueFillBuffer = fill;
}
