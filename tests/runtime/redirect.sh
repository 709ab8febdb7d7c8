#!/bin/sh
# A runtime inside a program or a library: its functions become rill's before any of that file's
# code runs. What is inside here is no runtime, but has the names of one, and answers 999. So it is
# with a compiler that is asked for machine code.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart-redirect.so ] || skip_all "no runtime was built"
case $($CC -dumpmachine) in x86_64*|aarch64*) ;; *) skip_all "no jumps for this processor" ;; esac

work=$(pwd)/tests/runtime-redirect.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill

cat >"$work/inside.c" <<'END_OF_FILE'
#pragma GCC visibility push(hidden)
int __cudaRegisterFatBinary(void) { return 999; }
int cudaInitDevice(void) { return 999; }
int cudaGetDeviceCount(int *count) { return *count = 999; }
int last_of_the_section(void) { return 999; }
END_OF_FILE
cat >"$work/count.c" <<'END_OF_FILE'
int cudaGetDeviceCount(int *count);
static int first;
__attribute__((constructor)) static void begin(void) { cudaGetDeviceCount(&first); }
int count(void)
{
    int devices;
    return cudaGetDeviceCount(&devices) ? -1 : first * 10 + devices;
}
END_OF_FILE
cat >"$work/program.c" <<'END_OF_FILE'
#include <stdio.h>
int count(void);
int main(void) { return !printf("%d\n", count()); }
END_OF_FILE
cat >"$work/loads.c" <<'END_OF_FILE'
#include <dlfcn.h>
#include <stdio.h>
int main(int words, char **word)
{
    for (int i = 1; i < words; i++) {
        void *library = dlopen(word[i], RTLD_NOW);
        int (*count)(void) = library ? (int (*)(void))dlsym(library, "count") : NULL;
        printf("%d ", count ? count() : -2);
        if (library) dlclose(library);
    }
    return !puts("");
}
END_OF_FILE
compile() { $CC -w -O1 -falign-functions=16 "$@"; }
compile -o "$work/program" "$work/program.c" "$work/count.c" "$work/inside.c"
for library in count again; do
  compile -shared -fPIC -o "$work/lib$library.so" "$work/count.c" "$work/inside.c"
done
compile -o "$work/linked" "$work/program.c" -L"$work" -lcount -Wl,-rpath,"$work"
compile -o "$work/loads" "$work/loads.c" -ldl
strip -o "$work/libstripped.so" "$work/libcount.so"

# says WORDS COMMAND...: that is what a command says on two devices.
says() {
  words=$1
  shift
  got=$(timeout 60 "$rill" run --devices 2 "$@" 2>&1)
  [ "$got" = "$words" ] || { printf '%s\n' "$got"; return 1; }
}

expect "a program and its constructor call rill's" says 22 "$work/program"
expect "a library that a program is linked with, too" says 22 "$work/linked"
expect "and libraries that are loaded later, one after the other and once more" \
  says "22 22 22 " "$work/loads" "$work/libcount.so" "$work/libagain.so" "$work/libcount.so"
expect "a library that was stripped stays as it is" \
  says "-1 22 " "$work/loads" "$work/libstripped.so" "$work/libcount.so"
expect "a program that a script starts has its runtime redirected" \
  says 22 sh -c "'$work/program'"

# A damaged file is left alone, whatever the damage.
cat >"$work/break.c" <<'END_OF_FILE'
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
/* Puts a number into a field of the section headers, which the loader does not read. */
int main(int words, char **word)
{
    int file = open(word[1], O_RDWR), which = atoi(word[2]);
    char *bytes = mmap(NULL, 4096 * 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    Elf64_Ehdr *head = (Elf64_Ehdr *)bytes;
    Elf64_Shdr *section = (Elf64_Shdr *)(bytes + head->e_shoff);
    if (which == 0) { head->e_shoff = UINT64_MAX - 8; return 0; }
    if (which == 1) { head->e_shnum = UINT16_MAX; return 0; }
    for (int i = 0; i < head->e_shnum; i++, section++) {
        if (section->sh_type != SHT_SYMTAB) continue;
        if (which == 2) section->sh_offset = UINT64_MAX - 64;
        if (which == 3) section->sh_size = UINT64_MAX;
        if (which == 4) section->sh_link = 60000;
        if (which == 5) section->sh_offset += 3;
    }
    return words != 3;
}
END_OF_FILE
compile -o "$work/break" "$work/break.c"
for damage in 0 1 2 3 4 5; do
  cp "$work/libcount.so" "$work/libdamaged.so"
  "$work/break" "$work/libdamaged.so" "$damage"
  expect "damage $damage of a library's table is survived" \
    says "-1 22 " "$work/loads" "$work/libdamaged.so" "$work/libagain.so"
done

# NVRTC, which is asked for machine code, answers with its text.
cat >"$work/compiler.c" <<'END_OF_FILE'
#include <string.h>
int nvrtcGetPTXSize(void *program, size_t *bytes) { return *bytes = sizeof "text", 0; }
int nvrtcGetPTX(void *program, char *text) { return strcpy(text, "text"), 0; }
int nvrtcGetCUBINSize(void *program, size_t *bytes) { return *bytes = sizeof "machine code", 0; }
int nvrtcGetCUBIN(void *program, char *code) { return strcpy(code, "machine code"), 0; }
int last_of_the_section(void) { return 999; }
END_OF_FILE
cat >"$work/compiles.c" <<'END_OF_FILE'
#include <dlfcn.h>
#include <stdio.h>
int nvrtcGetCUBINSize(void *program, size_t *bytes);
int nvrtcGetCUBIN(void *program, char *code);
#ifndef LOADED
#define size nvrtcGetCUBINSize
#define code nvrtcGetCUBIN
#endif
int main(int words, char **word)
{
    char answer[32];
    size_t bytes = 0;
#ifdef LOADED
    void *library = dlopen(word[1], RTLD_NOW);
    __typeof__(nvrtcGetCUBINSize) *size = dlsym(library, "nvrtcGetCUBINSize");
    __typeof__(nvrtcGetCUBIN) *code = dlsym(library, "nvrtcGetCUBIN");
#endif
    size(NULL, &bytes);
    code(NULL, answer);
    return !printf("%d %s\n", (int)bytes, answer);
}
END_OF_FILE
compile -shared -fPIC -s -Wl,-soname,libnvrtc.so.99 -o "$work/libnvrtc.so.99" "$work/compiler.c"
cp "$work/libnvrtc.so.99" "$work/libelse.so"
compile -o "$work/compiles" "$work/compiles.c" "$work/libnvrtc.so.99" -Wl,-rpath,"$work"
compile -o "$work/has-inside" "$work/compiles.c" "$work/compiler.c"
compile -DLOADED -o "$work/loads-compiler" "$work/compiles.c" -ldl
expect "a compiler that a program is linked with gives its text" says "5 text" "$work/compiles"
expect "one that is loaded later, too" says "5 text" "$work/loads-compiler" "$work/libnvrtc.so.99"
expect "and one inside a program" says "5 text" "$work/has-inside"
grep -v PTX "$work/compiler.c" >"$work/no-text.c"
compile -shared -fPIC -s -o "$work/libnvrtc.so.98" "$work/no-text.c"
expect "one without a text stays as it is, and that is said" says \
  "rill: NVRTC in $work/libnvrtc.so.98 cannot be told to answer with PTX instead of machine code:\
 compile for compute_90 and not for sm_90
13 machine code" "$work/loads-compiler" "$work/libnvrtc.so.98"
expect "a stripped library of another name stays as it is" \
  says "13 machine code" "$work/loads-compiler" "$work/libelse.so"

# A sanitizer of the program's own still works.
if echo 'int main(void) { return 0; }' >"$work/asan.c" &&
  $CC -fsanitize=address -o "$work/asan" "$work/asan.c" >/dev/null 2>&1 && "$work/asan"; then
  expect "a program with a sanitizer starts" says "" "$work/asan"
else
  skip "no sanitizer" "a program with a sanitizer starts"
fi
done_testing
