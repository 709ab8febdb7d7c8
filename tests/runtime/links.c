/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that has nvJitLink link its kernel when it runs, for jit_link.sh: two texts of PTX
 * become one image, which is loaded as machine code is.  Ends with 77 where there is no nvJitLink.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_PTX = 2, INPUT_INTERMEDIATE = 3 };

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char asks[] = HEAD ".extern .func (.param .u32 r) give;\n"
    ".visible .entry k(.param .u64 out)\n{ .reg .u64 %o; .reg .u32 %v; ld.param.u64 %o, [out];\n"
    "{ .param .u32 r; call (r), give; ld.param.u32 %v, [r]; }\nst.global.u32 [%o], %v; ret; }\n";
static const char answers[] = HEAD ".visible .func (.param .u32 r) give\n{ .reg .u32 %v;\n"
    "mov.u32 %v, 7; st.param.u32 [r], %v; ret; }\n";

static void must(int status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "%s: %d\n", what, status);
    exit(1);
}

/* ---- nvJitLink ----------------------------------------------------------------------------- */

static struct {
    int (*create)(void **linking, unsigned count, const char **options);
    int (*add)(void *linking, int kind, const void *data, size_t bytes, const char *name);
    int (*complete)(void *linking);
    int (*size)(void *linking, size_t *bytes);
    int (*image)(void *linking, void *image);
    int (*log_size)(void *linking, size_t *bytes);
    int (*log)(void *linking, char *log);
    int (*destroy)(void **linking);
} linker;

static const char *version = ""; /* of the names that the library's header leads to */

static void find_call(void *library, const char *name, void *call)
{
    char versioned[64];
    snprintf(versioned, sizeof versioned, "%s%s%s", *version ? "__" : "", name, version);
    void *address = dlsym(library, versioned);
    must(!address, versioned);
    memcpy(call, &address, sizeof address);
}

static void load_linker(void)
{
    static const char *const names[] = { "libnvJitLink.so", "libnvJitLink.so.13",
                                         "libnvJitLink.so.12",
                                         "/usr/local/cuda/lib64/libnvJitLink.so" };
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library) exit(77);
    if (dlsym(library, "__nvJitLinkCreate_12_0")) version = "_12_0";
    if (dlsym(library, "__nvJitLinkCreate_13_0")) version = "_13_0";
    find_call(library, "nvJitLinkCreate", &linker.create);
    find_call(library, "nvJitLinkAddData", &linker.add);
    find_call(library, "nvJitLinkComplete", &linker.complete);
    find_call(library, "nvJitLinkGetLinkedCubinSize", &linker.size);
    find_call(library, "nvJitLinkGetLinkedCubin", &linker.image);
    find_call(library, "nvJitLinkGetErrorLogSize", &linker.log_size);
    find_call(library, "nvJitLinkGetErrorLog", &linker.log);
    find_call(library, "nvJitLinkDestroy", &linker.destroy);
}

static void *begin(void)
{
    const char *options[] = { "-arch=sm_90" };
    void *linking;
    must(linker.create(&linking, 1, options), "nvJitLinkCreate");
    return linking;
}

static void *link_texts(void)
{
    size_t bytes;
    void *linking = begin();
    must(linker.add(linking, INPUT_PTX, asks, sizeof asks, "asks"), "asks");
    must(linker.add(linking, INPUT_PTX, answers, sizeof answers, "answers"), "answers");
    must(linker.complete(linking), "nvJitLinkComplete");
    must(linker.size(linking, &bytes), "nvJitLinkGetLinkedCubinSize");
    void *image = malloc(bytes);
    must(!image || linker.image(linking, image), "nvJitLinkGetLinkedCubin");
    must(linker.destroy(&linking) || linking, "nvJitLinkDestroy");
    return image;
}

/* ---- What is wrong ------------------------------------------------------------------------- */

static void print_log(void *linking)
{
    size_t bytes;
    must(linker.log_size(linking, &bytes), "nvJitLinkGetErrorLogSize");
    char *log = malloc(bytes);
    must(!log || linker.log(linking, log), "nvJitLinkGetErrorLog");
    puts(log);
    free(log);
}

static void link_what_is_wrong(void)
{
    void *linking = begin();
    must(!linker.add(linking, INPUT_INTERMEDIATE, asks, sizeof asks, "asks"), "refused");
    print_log(linking);
    must(linker.add(linking, INPUT_PTX, asks, sizeof asks, "asks"), "asks");
    must(!linker.complete(linking), "refused");
    print_log(linking);
    must(linker.destroy(&linking), "nvJitLinkDestroy");
}

/* ---- The kernel ---------------------------------------------------------------------------- */

static void run_linked(void)
{
    cudaLibrary_t library;
    cudaKernel_t kernel;
    int *out, value = 0;
    void *image = link_texts();
    must(cudaLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0), "load");
    free(image);
    must(cudaLibraryGetKernel(&kernel, library, "k"), "kernel");
    must(cudaMalloc((void **)&out, sizeof *out), "memory");
    must(cudaLaunchKernel((const void *)kernel, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 },
                          (void *[]){ &out }, 0, 0), "launch");
    must(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost), "copy");
    must(value != 7, "value");
    must(cudaFree(out), "free");
    must(cudaLibraryUnload(library), "unload");
    puts("linked and run");
}

int main(int count, char **words)
{
    load_linker();
    if (count > 1 && !strcmp(words[1], "wrong")) link_what_is_wrong();
    else run_linked();
    return 0;
}
