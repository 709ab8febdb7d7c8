# What configure found, for the shell tests; they run in the top build folder.
# shellcheck shell=sh disable=SC2034
top_srcdir='/tmp/h/me/build-tsan/..'
CC='gcc'
CXX='c++'
NM='/usr/bin/nm -B'
PKG_CONFIG='/usr/bin/pkg-config'
prefix="/usr/local"
exec_prefix="${prefix}"
libdir="${exec_prefix}/lib"
pkgconfigdir="${libdir}/pkgconfig"
version='0.1.0'
have_cuda_h='yes'
CUDA_CPPFLAGS='-I/usr/local/cuda/include'
sanitizers='thread'
instrument='-fsanitize=thread -fno-sanitize-recover=all -fno-omit-frame-pointer '
