dnl RILL_SANITIZERS: --enable-sanitizers=LIST, believed only if a program links with it.
AC_DEFUN([RILL_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers=LIST],
    [instrument with LIST, such as thread or address,undefined (meant by yes) @<:@no@:>@])],
  [], [enable_sanitizers=no])
AS_IF([test "x$enable_sanitizers" = xyes], [enable_sanitizers=address,undefined])
SANITIZER_FLAGS=
AS_IF([test "x$enable_sanitizers" != xno], [
  SANITIZER_FLAGS="-fsanitize=$enable_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
  RILL_TRY_FLAGS([$SANITIZER_FLAGS], [],
    [AC_MSG_ERROR([--enable-sanitizers=$enable_sanitizers: $CC cannot link it])])])
AC_SUBST([SANITIZER_FLAGS])
AC_SUBST([enable_sanitizers])
])

dnl RILL_COVERAGE: --enable-coverage counts executed lines for gcov. The counters
dnl are atomic, since rill is threads all the way down.
AC_DEFUN([RILL_COVERAGE], [
AC_ARG_ENABLE([coverage],
  [AS_HELP_STRING([--enable-coverage], [instrument for gcov and enable `make check-coverage'])],
  [], [enable_coverage=no])
AC_ARG_VAR([GCOV], [program that reads coverage data, such as gcov or "llvm-cov gcov"])
AC_CHECK_PROGS([GCOV], [gcov], [gcov])
COVERAGE_FLAGS=
AS_IF([test "x$enable_coverage" = xyes], [
  COVERAGE_FLAGS="--coverage -fprofile-update=atomic"
  RILL_TRY_FLAGS([$COVERAGE_FLAGS], [],
    [AC_MSG_ERROR([--enable-coverage: $CC cannot link $COVERAGE_FLAGS])])])
AC_SUBST([COVERAGE_FLAGS])
AM_CONDITIONAL([COVERAGE], [test "x$enable_coverage" = xyes])
])
