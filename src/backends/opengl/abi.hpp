// What Collet uses of EGL and OpenGL: types and constants. Declared here, so that no header of either is
// needed to build; tests/unit/backends/opengl/abi_test.cpp holds them against Khronos' headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace collet::backend::opengl {

namespace egl {

using Display = void*;
using Config = void*;
using Context = void*;
using Surface = void*;
using Device = void*;
using Function = void (*)();
using Int = std::int32_t;
using Enum = unsigned;
using Boolean = unsigned;

inline constexpr Enum kOpenGlApi = 0x30A2, kOpenGlEsApi = 0x30A0;
inline constexpr Enum kPlatformDevice = 0x313F, kPlatformSurfaceless = 0x31DD;
inline constexpr Int kNone = 0x3038, kVendor = 0x3053, kVersion = 0x3054, kExtensions = 0x3055;
inline constexpr Int kRenderableType = 0x3040, kSurfaceType = 0x3033, kPbufferBit = 1;
inline constexpr Int kOpenGlBit = 8, kOpenGlEs3Bit = 0x40;
inline constexpr Int kMajorVersion = 0x3098, kMinorVersion = 0x30FB;
inline constexpr Int kRobustAccess = 0x31B2, kResetStrategy = 0x31BD, kLoseContextOnReset = 0x31BF;
inline constexpr Int kRobustAccessExt = 0x30BF, kResetStrategyExt = 0x3138;

inline constexpr Int kSuccess = 0x3000, kNotInitialized = 0x3001, kBadAccess = 0x3002, kBadAlloc = 0x3003;
inline constexpr Int kBadAttribute = 0x3004, kBadConfig = 0x3005, kBadContext = 0x3006;
inline constexpr Int kBadCurrentSurface = 0x3007, kBadDisplay = 0x3008, kBadMatch = 0x3009;
inline constexpr Int kBadNativePixmap = 0x300A, kBadNativeWindow = 0x300B, kBadParameter = 0x300C;
inline constexpr Int kBadSurface = 0x300D, kContextLost = 0x300E;

}  // namespace egl

namespace gl {

using Enum = unsigned;
using Bits = unsigned;
using Int = int;
using Uint = unsigned;
using Size = int;
using Offset = std::ptrdiff_t;
using Boolean = unsigned char;
using Sync = struct SyncObject*;

inline constexpr Enum kNoError = 0, kInvalidEnum = 0x0500, kInvalidValue = 0x0501, kInvalidOperation = 0x0502;
inline constexpr Enum kStackOverflow = 0x0503, kStackUnderflow = 0x0504, kOutOfMemory = 0x0505;
inline constexpr Enum kInvalidFramebufferOperation = 0x0506, kContextLost = 0x0507;
inline constexpr Enum kGuiltyReset = 0x8253, kInnocentReset = 0x8254, kUnknownReset = 0x8255;

inline constexpr Enum kVendor = 0x1F00, kRenderer = 0x1F01, kVersion = 0x1F02, kExtensions = 0x1F03;
inline constexpr Enum kMajorVersion = 0x821B, kMinorVersion = 0x821C, kExtensionCount = 0x821D;
inline constexpr Enum kDeviceUuid = 0x9597;

inline constexpr Enum kMaxSharedBytes = 0x8262, kMaxComputeBuffers = 0x90DB, kMaxGroups = 0x91BE;
inline constexpr Enum kMaxGroupSize = 0x91BF, kMaxGroupItems = 0x90EB, kMaxBufferBindings = 0x90DD;
inline constexpr Enum kMaxBufferBlock = 0x90DE, kBufferAlignment = 0x90DF;
inline constexpr Enum kMaxUniformBlock = 0x8A30, kUniformAlignment = 0x8A34;

inline constexpr Enum kCopyReadBuffer = 0x8F36, kCopyWriteBuffer = 0x8F37;
inline constexpr Enum kStorageBuffer = 0x90D2, kUniformBuffer = 0x8A11;
inline constexpr Enum kStreamDraw = 0x88E0, kDynamicCopy = 0x88EA;
inline constexpr Enum kRedInteger = 0x8D94, kR32Uint = 0x8236, kUnsignedInt = 0x1405;
inline constexpr Bits kMapRead = 1, kMapWrite = 2, kMapPersistent = 0x40, kMapCoherent = 0x80;

inline constexpr Enum kComputeShader = 0x91B9, kCompileStatus = 0x8B81, kLinkStatus = 0x8B82;
inline constexpr Enum kInfoLogLength = 0x8B84, kGroupSizeOfProgram = 0x8267;
inline constexpr Enum kUniform = 0x92E1, kUniformBlock = 0x92E2, kStorageBlock = 0x92E6;
inline constexpr Enum kActiveResources = 0x92F5, kBufferBinding = 0x9302, kBufferDataSize = 0x9303;
inline constexpr Enum kBlockIndex = 0x92FD;

inline constexpr Bits kBufferUpdateBarrier = 0x200, kStorageBarrier = 0x2000;
inline constexpr Bits kMappedBarrier = 0x4000;

inline constexpr Enum kCommandsComplete = 0x9117, kTimeoutExpired = 0x911B, kWaitFailed = 0x911D;
inline constexpr Bits kFlushCommands = 1;
inline constexpr Enum kTimestamp = 0x8E28, kQueryResult = 0x8866;
inline constexpr Enum kBufferLabel = 0x82E0, kProgramLabel = 0x82E2;

}  // namespace gl

}  // namespace collet::backend::opengl
