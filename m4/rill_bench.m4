dnl RILL_BENCH: is GLib there? `make bench` measures its thread pool beside rill.
AC_DEFUN([RILL_BENCH], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])
PKG_CHECK_MODULES([GLIB], [glib-2.0 >= 2.40], [rill_bench_glib=yes], [rill_bench_glib=no])
AM_CONDITIONAL([BENCH_GLIB], [test "x$rill_bench_glib" = xyes])
])
