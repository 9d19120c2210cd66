// Marks what the library shows to programs that use it.
#pragma once

#if defined(COLLET_STATIC)
#define COLLET_API
#elif defined(_WIN32)
#if defined(COLLET_BUILDING)
#define COLLET_API __declspec(dllexport)
#else
#define COLLET_API __declspec(dllimport)
#endif
#else
#define COLLET_API __attribute__((visibility("default")))
#endif
