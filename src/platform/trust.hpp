// Which files Collet believes: programs that it runs, libraries that it loads by a path and files that it
// reads back must be such that no other user can have put them there.
#pragma once

#include <string>

#include "collet/result.hpp"

namespace collet::platform {

// The file's real path, links followed, where root or this process's effective user owns the file, every
// folder on the way and every link, and neither their group nor others may write them. Two exceptions: a
// folder with the sticky bit (/tmp) may be writable by all, because only owners replace what is in it, and
// the user's private group (the primary one, of the user's name, that lists nobody else) may write.
//
// Access lists count as far as the system shows them in the mode's group bits, which Linux does.
//
// The error names the file or folder that is at fault, with its owner and mode. Callers must use the returned
// path: the one that was asked for may lead elsewhere a moment later.
//
// Windows: only follows links and says whether the file is there; no access list is read.
Result<std::string> trusted_path(const std::string& path);

// Makes the folder, and those above it that are missing, for this user alone (mode 0700; Windows: as the
// folder above it is). What exists already stays as it is.
Result<void> make_private_folder(const std::string& path);

}  // namespace collet::platform
