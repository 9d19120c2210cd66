#version 450
// Words that only atomic operations reach, of the lowest number, the highest, and one between; nobody uses the last.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) buffer Results { uint results[]; };

shared uint loaded;
shared uint added;
shared uint flipped;
shared uint unused;

void main() {
  results[0] = atomicLoad(loaded, gl_ScopeWorkgroup, 0, 0) + atomicAdd(added, 1) + atomicXor(flipped, 1);
}
