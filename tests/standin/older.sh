#!/bin/sh
# The libraries of older drivers: each has the names of its own and plays its version, wherever a
# program finds it, goes without a trace, and can be left while work is pending.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/config.sh.in
. ./tests/config.sh

standin=$(pwd)/src/standin
[ -e "$standin/12.0/libcuda.so.1" ] || skip_all "no library of an older driver was built"

work=$(pwd)/tests/standin-older.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/linked" "$work/alone"

cat > "$work/program.c" << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *library;

static int call(const char *name, void *first, void *second, void *third)
{
    int (*function)(void *, void *, void *) =
        (int (*)(void *, void *, void *))dlsym(library, name);
    return function ? function(first, second, third) : -1;
}

/* What it plays, and which forms it has. */
static void look(void)
{
    int version = 0;
    int status = call("cuInit", NULL, NULL, NULL);
    call("cuDriverGetVersion", &version, NULL, NULL);
    printf("%d %d%s%s\n", status, version, dlsym(library, "cuCtxCreate_v3") ? " v3" : "",
           dlsym(library, "cuCtxCreate_v4") || dlsym(RTLD_DEFAULT, "cuCtxCreate_v4") ? " v4" : "");
}

static void stay(void *nothing)
{
    for (;;) pause();
}

/* Starts work that does not end, unless there is to be none. */
static void work(int endless)
{
    void *context, *stream;
    int status = call("cuInit", NULL, NULL, NULL);
    if (!status) status = call("cuDevicePrimaryCtxRetain", &context, NULL, NULL);
    if (!status) status = call("cuCtxSetCurrent", context, NULL, NULL);
    if (!status) status = call("cuStreamCreate", &stream, NULL, NULL);
    if (!status && endless) status = call("cuLaunchHostFunc", stream, (void *)stay, NULL);
    printf("%d", status);
}

static int is_mapped(void)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) found |= !!strstr(line, "libcuda");
    fclose(maps);
    return found;
}

int main(int argc, char **argv)
{
    for (int times = !strcmp(argv[1], "unload") ? 3 : 1; times--;) {
        library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
        if (!library) return 1;
        if (!strcmp(argv[1], "look")) look();
        else work(!strcmp(argv[1], "leave"));
        if (strcmp(argv[1], "unload")) continue;
        printf("%d", dlclose(library));
        printf("%d ", is_mapped());
    }
    return 0;
}
END
# A program with a sanitizer finds the library's where that was loaded first.
# shellcheck disable=SC2086
$CC $instrument -w "$work/program.c" -o "$work/program" $LIBS || exit 1

# gives EXPECTED FOLDER WHAT
gives() {
  got=$(LD_LIBRARY_PATH=$2 sh "$srcdir/tests/run.sh" "$work/program" "$3" 2> "$work/complaints")
  [ "$got" = "$1" ] || { echo "# $got" && sed 's/^/# /' "$work/complaints" && false; }
}

expect "the newest has all names" gives "0 13000 v3 v4" "$standin" look
expect "11.8 has those of its time" gives "0 11080 v3" "$standin/11.8" look
expect "12.0 has, too" gives "0 12000 v3" "$standin/12.0" look
expect "12.4 has, too" gives "0 12040 v3" "$standin/12.4" look
expect "12.8 has a newer one" gives "0 12080 v3 v4" "$standin/12.8" look

ln -s "$standin/12.4/libcuda.so.1" "$work/linked/libcuda.so.1"
expect "a link elsewhere leads there" gives "0 12040 v3" "$work/linked" look
cp "$standin/12.4/libcuda.so.1" "$work/alone/libcuda.so.1"
expect "a copy has nothing to lead to" gives "303 0 v3" "$work/alone" look
expect "and says so" \
  grep -q "rill: .* leads to the one above its folder, but $work/libcuda.so.1: " "$work/complaints"

expect "a program may end while work goes on" gives 0 "$standin/12.4" leave
if [ "$sanitizers" = no ]; then
  expect "nothing stays of what is unloaded" gives "000 000 000 " "$standin/12.4" unload
else
  skip "sanitizers keep libraries" "nothing stays of what is unloaded"
fi
done_testing
