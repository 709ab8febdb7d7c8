dnl RILL_BACKEND(NAME, CHECK): --enable-NAME=yes|no|auto.
dnl CHECK sets rill_ok to yes or no and rill_why to a word on it. "yes" without
dnl rill_ok is an error, "auto" follows rill_ok. The outcome is a conditional
dnl BACKEND_<NAME>, a define RILL_HAVE_BACKEND_<NAME>, and rill_backend_NAME for
dnl the summary.
AC_DEFUN([RILL_BACKEND], [
AC_ARG_ENABLE([$1],
  [AS_HELP_STRING([--enable-$1=yes|no|auto], [build the $1 backend @<:@auto@:>@])],
  [], [enable_$1=auto])
rill_ok=no
rill_why=disabled
AS_CASE([$enable_$1],
  [no], [],
  [yes|auto], [$2],
  [AC_MSG_ERROR([--enable-$1 takes yes, no or auto, not "$enable_$1"])])
AS_IF([test "x$enable_$1:$rill_ok" = xyes:no],
  [AC_MSG_ERROR([the $1 backend was asked for but cannot be built: $rill_why])])
rill_backend_$1="$rill_ok ($rill_why)"
AS_IF([test "x$rill_ok" = xyes],
  [AC_DEFINE([RILL_HAVE_BACKEND_]m4_toupper([$1]), [1], [Define to 1 if the $1 backend is built.])])
AM_CONDITIONAL([BACKEND_]m4_toupper([$1]), [test "x$rill_ok" = xyes])
])
