dnl RILL_BENCH: which peers are there for `make bench` to measure beside rill? Each
dnl is a module that it loads; none is needed to build rill or to measure it alone.
AC_DEFUN([RILL_BENCH], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])
PKG_CHECK_MODULES([GLIB], [glib-2.0 >= 2.40], [rill_bench_glib=yes], [rill_bench_glib=no])
PKG_CHECK_MODULES([TBB], [tbb >= 2021], [rill_bench_tbb=yes], [rill_bench_tbb=no])
AS_IF([test "x$rill_cxx17" != xyes], [rill_bench_tbb=no])
PKG_CHECK_MODULES([STARPU], [starpu-1.3], [rill_bench_starpu=yes], [rill_bench_starpu=no])
dnl Which OpenCL it is shows when it runs: only POCL is asked.
PKG_CHECK_MODULES([OPENCL], [OpenCL >= 1.2], [rill_bench_pocl=yes], [rill_bench_pocl=no])
AS_IF([test "x$rill_bench_pocl" = xyes], [RILL_BENCH_CL_H])
RILL_BENCH_OPENMP([libgomp], [GOMP_CC], [gcc])
RILL_BENCH_OPENMP([libomp], [OMP_CC], [clang])
rill_bench_peers=
BENCH_PEERS=
for peer in tbb glib libgomp libomp starpu pocl; do
  AS_IF([eval "test x\$rill_bench_$peer = xyes"],
    [rill_bench_peers="$rill_bench_peers $peer"
     BENCH_PEERS="$BENCH_PEERS bench/peers/$peer.so"])
done
AS_IF([test "x$rill_bench_tbb" = xyes], [BENCH_PEERS="$BENCH_PEERS bench/peers/tbb-light.so"])
AC_SUBST([BENCH_PEERS])
BENCH_LOOPS_PEER=
AS_IF([test "x$rill_bench_pocl" = xyes], [BENCH_LOOPS_PEER=bench/peers/pocl-loops.so])
AC_SUBST([BENCH_LOOPS_PEER])
])

dnl RILL_BENCH_OPENMP(RUNTIME, VARIABLE, COMPILER): rill_bench_RUNTIME is yes if the
dnl compiler knows tasks with lists of dependences (OpenMP 5.0) and links the runtime.
AC_DEFUN([RILL_BENCH_OPENMP], [
AC_CHECK_PROGS([$2], [$3])
AC_MSG_CHECKING([for OpenMP 5.0 tasks with $1])
cat > conftest.c << 'END'
#include <omp.h>
int main(void)
{
    char place@<:@2@:>@ = { 0 };
#pragma omp parallel
#pragma omp single
#pragma omp task depend(iterator(i = 0 : 2), in : place@<:@i@:>@)
    omp_get_num_threads();
    return place@<:@0@:>@;
}
END
rill_bench_$1=no
AS_IF([test -n "$$2" &&
       $$2 -fopenmp conftest.c -o conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1],
  [rill_bench_$1=yes])
rm -f conftest*
AC_MSG_RESULT([$rill_bench_$1])
])

dnl RILL_BENCH_CL_H: the loader's package brings no headers.
AC_DEFUN([RILL_BENCH_CL_H], [
rill_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $OPENCL_CFLAGS"
AC_CHECK_HEADER([CL/cl.h], [], [rill_bench_pocl=no])
CPPFLAGS=$rill_save_CPPFLAGS
])
