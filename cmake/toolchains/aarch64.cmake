# AArch64 Linux programs made on Debian by the packages of `scripts/setup --arm`, run by qemu.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Debian keeps the libraries of every processor in one tree, each in a folder of its own.
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/")
