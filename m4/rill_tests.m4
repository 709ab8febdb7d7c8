dnl RILL_TESTS: --enable-tests=yes|no|auto for the programs that need cmocka. The
dnl shell tests need nothing and always run.
AC_DEFUN([RILL_TESTS], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_ARG_ENABLE([tests],
  [AS_HELP_STRING([--enable-tests=yes|no|auto], [build the cmocka tests @<:@auto@:>@])],
  [], [enable_tests=auto])
have_cmocka=no
AS_CASE([$enable_tests],
  [no], [rill_tests=no],
  [yes|auto], [
    PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1.5],
      [have_cmocka=yes
       rill_tests=yes],
      [rill_tests="no (cmocka 1.1.5 or newer not found)"])],
  [AC_MSG_ERROR([--enable-tests takes yes, no or auto, not "$enable_tests"])])
AS_IF([test "x$enable_tests:$have_cmocka" = xyes:no],
  [AC_MSG_ERROR([--enable-tests=yes needs pkg-config and cmocka 1.1.5 or newer])])
AM_CONDITIONAL([TESTS_ENABLED], [test "x$have_cmocka" = xyes])
])
