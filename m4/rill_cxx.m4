dnl RILL_CXX17: is there a C++ compiler that links programs of C++17?  The library has
dnl no use for one; <rill/rill.hpp> is tested with it.  After RILL_SANITIZERS and
dnl RILL_COVERAGE, with which it has to get along.
AC_DEFUN([RILL_CXX17], [
CXX_STD=-std=c++17
CXX_WARN_FLAGS=
AS_IF([test "x$GXX" = xyes],
  [CXX_WARN_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Wconversion"])
AS_IF([test "x$enable_werror:$GXX" = xyes:yes], [CXX_WARN_FLAGS="$CXX_WARN_FLAGS -Werror"])
AC_MSG_CHECKING([whether $CXX links programs of C++17])
AC_LANG_PUSH([C++])
rill_save_CXXFLAGS=$CXXFLAGS
CXXFLAGS="$CXXFLAGS $CXX_STD $PTHREAD_CFLAGS $SANITIZER_FLAGS $COVERAGE_FLAGS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string_view>
template <auto value> constexpr auto same = value;]], [[
if constexpr (same<0> == 0) return std::string_view("").empty() ? 0 : 1;]])],
  [rill_cxx17=yes], [rill_cxx17=no])
CXXFLAGS=$rill_save_CXXFLAGS
AC_LANG_POP([C++])
AC_MSG_RESULT([$rill_cxx17])
AM_CONDITIONAL([HAVE_CXX17], [test "x$rill_cxx17" = xyes])
AC_SUBST([have_cxx17], [$rill_cxx17])
AC_SUBST([CXX_STD])
AC_SUBST([CXX_WARN_FLAGS])
])
