dnl RILL_POINTERS: POINTER_BYTES, and what there is with pointers of 32 bits: the library with the
dnl simulator. What is of 64 bits by its nature is left out: the CUDA backend and the stand-in, since
dnl a CUDA program and its driver have pointers of 64 bits.
dnl On x86 arithmetic is that of SSE2, without which a float has more bits than it should.
AC_DEFUN([RILL_POINTERS], [
AC_CHECK_SIZEOF([void *])
AS_IF([test "$ac_cv_sizeof_void_p" -lt 8], [rill_64_bits=no], [rill_64_bits=yes])
AM_CONDITIONAL([POINTERS_64], [test "x$rill_64_bits" = xyes])
AC_SUBST([POINTER_BYTES], [$ac_cv_sizeof_void_p])
AS_CASE([$host_cpu], [i?86], [STD_CFLAGS="$STD_CFLAGS -msse2 -mfpmath=sse"])
])
