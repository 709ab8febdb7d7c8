dnl Compiler and linker flags of rill's own. They live in variables of their own
dnl (STD_CFLAGS, WARN_CFLAGS, PTHREAD_*), joined in AM_CFLAGS; CFLAGS is the user's.

dnl RILL_TRY_FLAGS(FLAGS, IF-YES, IF-NO): does a program compile and link with FLAGS?
AC_DEFUN([RILL_TRY_FLAGS], [
AC_MSG_CHECKING([whether $CC links with $1])
rill_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $1"
AC_LINK_IFELSE([AC_LANG_PROGRAM], [rill_flags_ok=yes], [rill_flags_ok=no])
CFLAGS=$rill_save_CFLAGS
AC_MSG_RESULT([$rill_flags_ok])
AS_IF([test "x$rill_flags_ok" = xyes], [$2], [$3])
])

dnl RILL_C11: the dialect is stated, since Autoconf 2.73 prefers C23 where it can.
AC_DEFUN([RILL_C11], [
RILL_TRY_FLAGS([-std=gnu11], [], [AC_MSG_ERROR([rill needs a C11 compiler])])
AC_SUBST([STD_CFLAGS], [-std=gnu11])
])

dnl RILL_UNWINDER: can a program be linked with the compiler's unwinder? Debian's musl-gcc has
dnl that of gcc for glibc, with which none can.
AC_DEFUN([RILL_UNWINDER], [
AC_MSG_CHECKING([for an unwinder])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <unwind.h>
static _Unwind_Reason_Code rill_step(struct _Unwind_Context *context, void *data)
{
    *(unsigned long *)data = (unsigned long)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}]], [[
    unsigned long address = 0;
    return (int)_Unwind_Backtrace(rill_step, &address);]])],
  [AC_MSG_RESULT([yes])
   AC_DEFINE([RILL_HAVE_UNWINDER], [1], [Define to 1 if stacks can be unwound.])],
  [AC_MSG_RESULT([no])])
])

dnl RILL_UNWIND_TABLES: the tables that stacks are followed by (src/site/rule.c), which not every
dnl processor's compiler writes for C unless it is told to: that of RISC-V does not.
AC_DEFUN([RILL_UNWIND_TABLES], [
RILL_TRY_FLAGS([-fasynchronous-unwind-tables],
  [AC_SUBST([UNWIND_CFLAGS], [-fasynchronous-unwind-tables])])
])

dnl RILL_WARNINGS: the warnings that this compiler knows, and --enable-werror.
AC_DEFUN([RILL_WARNINGS], [
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
  [], [enable_werror=no])
WARN_CFLAGS=
rill_save_CFLAGS=$CFLAGS
for rill_flag in -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
    -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2
do
  AC_MSG_CHECKING([whether $CC knows $rill_flag])
  CFLAGS="$rill_save_CFLAGS $rill_flag -Werror"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int rill_unit;]])],
    [AC_MSG_RESULT([yes])
     WARN_CFLAGS="$WARN_CFLAGS $rill_flag"],
    [AC_MSG_RESULT([no])])
done
CFLAGS=$rill_save_CFLAGS
AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])
])

dnl RILL_PTHREAD: how this compiler spells threads, when compiling and when linking.
AC_DEFUN([RILL_PTHREAD], [
RILL_TRY_FLAGS([-pthread],
  [PTHREAD_CFLAGS=-pthread PTHREAD_LIBS=-pthread],
  [AC_CHECK_LIB([pthread], [pthread_create],
    [PTHREAD_CFLAGS= PTHREAD_LIBS=-lpthread],
    [AC_MSG_ERROR([rill needs POSIX threads])])])
AC_SUBST([PTHREAD_CFLAGS])
AC_SUBST([PTHREAD_LIBS])
])

dnl RILL_VERSION_SCRIPT: can the linker limit what the shared library exports?
AC_DEFUN([RILL_VERSION_SCRIPT], [
AC_CACHE_CHECK([whether $CC accepts --version-script], [rill_cv_version_script], [
  echo 'TEST_0 { global: main; local: *; };' > conftest.map
  rill_save_LDFLAGS=$LDFLAGS
  LDFLAGS="$LDFLAGS -Wl,--version-script=conftest.map"
  AC_LINK_IFELSE([AC_LANG_PROGRAM], [rill_cv_version_script=yes], [rill_cv_version_script=no])
  LDFLAGS=$rill_save_LDFLAGS
  rm -f conftest.map])
AM_CONDITIONAL([HAVE_VERSION_SCRIPT], [test "x$rill_cv_version_script" = xyes])
])

dnl RILL_PACKED_RELOCATIONS: packs what the loader has to relocate, 200 KiB in each copy of the
dnl stand-in. Loaders know packed relocations from glibc 2.36 on.
AC_DEFUN([RILL_PACKED_RELOCATIONS], [
AC_CACHE_CHECK([whether relocations can be packed], [rill_cv_packed_relocations], [
  rill_save_LDFLAGS=$LDFLAGS
  LDFLAGS="$LDFLAGS -Wl,--fatal-warnings -Wl,-z,pack-relative-relocs"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[
      #include <features.h>
      #if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 36)
      #error "another C library, or an older one"
      #endif
    ]])],
    [rill_cv_packed_relocations=yes], [rill_cv_packed_relocations=no])
  LDFLAGS=$rill_save_LDFLAGS])
AS_IF([test "x$rill_cv_packed_relocations" = xyes],
  [LDFLAGS="$LDFLAGS -Wl,-z,pack-relative-relocs"])
])
