/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that has NVRTC compile its kernel when it runs, for nvrtc.sh: loads what comes out as a
 * module and as a library, of the driver and of the runtime, and launches each.  Ends with 77 where
 * there is no NVRTC.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 64 };

static const char source[] =
    "template <int factor> __global__ void scale(float *values, int count)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < count) values[i] *= factor;\n"
    "}\n";

static void must(int status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "%s: %d\n", what, status);
    exit(1);
}

/* ---- NVRTC --------------------------------------------------------------------------------- */

static struct {
    int (*create)(void **program, const char *source, const char *name, int count,
                  const char *const *headers, const char *const *names);
    int (*add_name)(void *program, const char *expression);
    int (*compile)(void *program, int count, const char *const *options);
    int (*log_size)(void *program, size_t *bytes);
    int (*log)(void *program, char *log);
    int (*lowered)(void *program, const char *expression, const char **name);
    int (*size)(void *program, size_t *bytes);
    int (*code)(void *program, char *code);
    int (*destroy)(void **program);
} nvrtc;

static void find_call(void *library, const char *name, void *call)
{
    void *address = dlsym(library, name);
    must(!address, name);
    memcpy(call, &address, sizeof address);
}

static void load_nvrtc(int machine_code)
{
    static const char *const names[] = { "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                         "/usr/local/cuda/lib64/libnvrtc.so" };
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library) exit(77);
    find_call(library, "nvrtcCreateProgram", &nvrtc.create);
    find_call(library, "nvrtcAddNameExpression", &nvrtc.add_name);
    find_call(library, "nvrtcCompileProgram", &nvrtc.compile);
    find_call(library, "nvrtcGetProgramLogSize", &nvrtc.log_size);
    find_call(library, "nvrtcGetProgramLog", &nvrtc.log);
    find_call(library, "nvrtcGetLoweredName", &nvrtc.lowered);
    find_call(library, machine_code ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize", &nvrtc.size);
    find_call(library, machine_code ? "nvrtcGetCUBIN" : "nvrtcGetPTX", &nvrtc.code);
    find_call(library, "nvrtcDestroyProgram", &nvrtc.destroy);
}

static void print_log(void *program)
{
    size_t bytes = 0;
    nvrtc.log_size(program, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log && !nvrtc.log(program, log)) fputs(log, stderr);
    free(log);
}

/* Compiles for the device, as programs do; with `machine_code`, for it alone. */
static char *compile(char name[128], int machine_code)
{
    static const char expression[] = "scale<3>";
    char option[64];
    const char *const options[] = { option }, *lowered;
    void *program;
    size_t bytes;
    int major, minor;
    must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "major");
    must(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "minor");
    snprintf(option, sizeof option, "--gpu-architecture=%s_%d%d", machine_code ? "sm" : "compute",
             major, minor);
    must(nvrtc.create(&program, source, "scale.cu", 0, NULL, NULL), "nvrtcCreateProgram");
    must(nvrtc.add_name(program, expression), "nvrtcAddNameExpression");
    int status = nvrtc.compile(program, 1, options);
    if (status) print_log(program);
    must(status, "nvrtcCompileProgram");
    must(nvrtc.lowered(program, expression, &lowered), "nvrtcGetLoweredName");
    snprintf(name, 128, "%s", lowered);
    must(nvrtc.size(program, &bytes), "size");
    char *code = malloc(bytes);
    must(!code || nvrtc.code(program, code), "code");
    must(nvrtc.destroy(&program), "nvrtcDestroyProgram");
    return code;
}

/* ---- Launches ------------------------------------------------------------------------------ */

static struct {
    int (*load_module)(void **module, const void *image);
    int (*module_function)(void **function, void *module, const char *name);
    int (*load_library)(void **library, const void *code, void *, void *, unsigned, void *, void *,
                        unsigned);
    int (*library_kernel)(void **kernel, void *library, const char *name);
    int (*kernel_function)(void **function, void *kernel);
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned, void *stream, void **parameters, void **extra);
} driver;

static void load_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    must(!library, "libcuda.so.1");
    find_call(library, "cuModuleLoadData", &driver.load_module);
    find_call(library, "cuModuleGetFunction", &driver.module_function);
    find_call(library, "cuLibraryLoadData", &driver.load_library);
    find_call(library, "cuLibraryGetKernel", &driver.library_kernel);
    find_call(library, "cuKernelGetFunction", &driver.kernel_function);
    find_call(library, "cuLaunchKernel", &driver.launch);
}

static void launch_by_driver(void *function, void **parameters)
{
    must(driver.launch(function, 1, 1, 1, COUNT, 1, 1, 0, NULL, parameters, NULL),
         "cuLaunchKernel");
}

static void launch_module(const char *code, const char *name, void **parameters)
{
    void *module, *function;
    must(driver.load_module(&module, code), "cuModuleLoadData");
    must(driver.module_function(&function, module, name), "cuModuleGetFunction");
    launch_by_driver(function, parameters);
}

static void launch_library(const char *code, const char *name, void **parameters)
{
    void *library, *kernel, *function;
    must(driver.load_library(&library, code, NULL, NULL, 0, NULL, NULL, 0), "cuLibraryLoadData");
    must(driver.library_kernel(&kernel, library, name), "cuLibraryGetKernel");
    must(driver.kernel_function(&function, kernel), "cuKernelGetFunction");
    launch_by_driver(function, parameters);
}

static void launch_by_runtime(const char *code, const char *name, void **parameters)
{
    const dim3 grid = { 1, 1, 1 }, block = { COUNT, 1, 1 };
    cudaLibrary_t library;
    cudaKernel_t kernel;
    must(cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0), "cudaLibraryLoadData");
    must(cudaLibraryGetKernel(&kernel, library, name), "cudaLibraryGetKernel");
    must(cudaLaunchKernel((const void *)kernel, grid, block, parameters, 0, NULL),
         "cudaLaunchKernel");
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    must(cudaLibraryUnload(library), "cudaLibraryUnload");
}

int main(int count, char **words)
{
    float values[COUNT], *memory;
    int length = COUNT, machine_code = count > 1 && !strcmp(words[1], "machine-code");
    char name[128];
    load_nvrtc(machine_code);
    load_driver();
    for (int i = 0; i < COUNT; i++) values[i] = (float)i;
    must(cudaMalloc((void **)&memory, sizeof values), "cudaMalloc");
    must(cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice), "cudaMemcpy");
    char *code = compile(name, machine_code);
    void *parameters[] = { &memory, &length };
    launch_module(code, name, parameters);
    launch_library(code, name, parameters);
    launch_by_runtime(code, name, parameters);
    must(cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int i = 0; i < COUNT; i++) must(values[i] != 27.0f * (float)i, "the values");
    free(code);
    puts("compiled and run");
    return 0;
}
