/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and their kernels, and the calls that register them.
 */
#include "runtime/glue/image.h"

#include "base/alloc.h"
#include "runtime/abi/fatbin.h"
#include "runtime/abi/log.h"
#include "runtime/driver/version.h"
#include "runtime/glue/link.h"
#include "runtime/glue/reference.h"
#include "runtime/thread/entry.h"

struct managed {
    void **pointer; /* the program's, which is to point at the variable */
    const char *name;
    struct managed *next;
};

/* The handle that a program gets is its address. */
struct rt_image {
    const void *code; /* the program's                                                   */
    void *const *parts; /* to link if the code has nothing for the device, or NULL       */
    struct rl_lock lock;
    CUlibrary library; /* NULL until it is loaded; written under the lock                */
    struct managed *managed; /* variables that are not placed yet; the lock              */
};

struct rt_table rt_stubs;

/* ---- Loading ----------------------------------------------------------------------------- */

/* Requires image->lock.  nvcc links the machine code of parts and leaves their PTX as it is: what
 * runs PTX has to link that, and where it cannot be linked, the machine code names the kernels. */
static cudaError_t load_image(struct rt_image *image)
{
    if (image->parts && !rt_has_ptx(image->code) && !rt_link(image->parts, &image->library))
        return cudaSuccess;
    return (cudaError_t)rt_driver.cuLibraryLoadData(&image->library, image->code, NULL, NULL, 0,
                                                    NULL, NULL, 0);
}

cudaError_t rt_image_library(struct rt_image *image, CUlibrary *library)
{
    rl_lock(&image->lock);
    cudaError_t status = image->library ? cudaSuccess : load_image(image);
    *library = image->library;
    rl_unlock(&image->lock);
    return status;
}

/* Since 13, what is no stub is taken for a handle. */
cudaError_t rt_kernel_unknown(const void *stub)
{
    return stub && rt_version >= 13000 ? RILL_ERROR_INVALID_HANDLE : cudaErrorInvalidDeviceFunction;
}

/* Two threads may both look: they find the same kernel. */
cudaError_t rt_kernel_load(struct rt_row *row, CUkernel *kernel)
{
    CUlibrary library;
    cudaError_t status = rt_image_library(row->image, &library);
    if (status) return status;
    status = (cudaError_t)rt_driver.cuLibraryGetKernel(kernel, library, row->name);
    if (status == RILL_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
    if (status) return status;
    atomic_store_explicit(&row->kernel, *kernel, memory_order_release);
    return cudaSuccess;
}

cudaError_t rt_kernel_known(const void *handle, const void *stub)
{
    const struct rt_row *of_stub = stub ? rt_table_find(&rt_stubs, stub) : NULL;
    const struct rt_row *known = rt_table_find(&rt_stubs, handle);
    struct rt_row row = { .address = handle };
    if (of_stub) row.image = of_stub->image, row.stub = of_stub->stub;
    if (known && known->stub == row.stub) return cudaSuccess;
    atomic_init(&row.kernel, (CUkernel)handle);
    return rt_table_add(&rt_stubs, &row) ? cudaSuccess : RILL_ERROR_OUT_OF_MEMORY;
}

/* Makes the kernels of all stubs, and their functions in the current context, known. */
static void know_kernels(void)
{
    rl_lock(&rt_stubs.lock);
    struct rt_row *row = rt_stubs.all; /* older rows stay where they are */
    rl_unlock(&rt_stubs.lock);
    for (; row; row = row->older) {
        CUkernel kernel = atomic_load_explicit(&row->kernel, memory_order_acquire);
        CUfunction function;
        if (row->address != row->stub || !kernel) continue;
        rt_kernel_known(kernel, row->address);
        if (!rt_driver.cuKernelGetFunction(&function, kernel))
            rt_kernel_known(function, row->address);
    }
}

const void *rt_kernel_stub(const void *handle)
{
    const struct rt_row *row = rt_table_find(&rt_stubs, handle);
    if (!row) {
        know_kernels();
        row = rt_table_find(&rt_stubs, handle);
    }
    return row && row->stub ? row->stub : handle;
}

/* ---- Registering ------------------------------------------------------------------------- */

RT_EXPORT void **__cudaRegisterFatBinary(const struct rt_fatbin *fatbin);
RT_EXPORT void **__cudaRegisterFatBinary(const struct rt_fatbin *fatbin)
{
    struct rt_image *image = rl_zalloc(sizeof *image);
    if (!image) return NULL;
    image->code = fatbin->magic == RT_FATBIN_MAGIC ? fatbin->image : (const void *)fatbin;
    if (fatbin->magic == RT_FATBIN_MAGIC && fatbin->version == RT_FATBIN_TO_LINK)
        image->parts = fatbin->parts;
    return (void **)image;
}

RT_EXPORT void __cudaRegisterFatBinaryEnd(struct rt_image *image);
RT_EXPORT void __cudaRegisterFatBinaryEnd(struct rt_image *image)
{
    (void)image;
}

/* The limits behind the name are no longer used by compilers. */
RT_EXPORT void __cudaRegisterFunction(struct rt_image *image, const void *stub, char *unused,
                                      const char *name, int threads, void *tid, void *bid,
                                      dim3 *block, dim3 *grid, int *warp);
RT_EXPORT void __cudaRegisterFunction(struct rt_image *image, const void *stub, char *unused,
                                      const char *name, int threads, void *tid, void *bid,
                                      dim3 *block, dim3 *grid, int *warp)
{
    (void)unused, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    const struct rt_row row = { .address = stub, .image = image, .name = name, .stub = stub };
    if (image) rt_table_add(&rt_stubs, &row);
}

RT_EXPORT void __cudaRegisterVar(struct rt_image *image, const void *symbol, char *unused,
                                 const char *name, int external, size_t bytes, int constant,
                                 int global);
RT_EXPORT void __cudaRegisterVar(struct rt_image *image, const void *symbol, char *unused,
                                 const char *name, int external, size_t bytes, int constant,
                                 int global)
{
    (void)unused, (void)external, (void)constant, (void)global;
    if (image) rt_variable_add(image, symbol, name, bytes);
}

/* ---- Managed variables ------------------------------------------------------------------- */

RT_EXPORT void __cudaRegisterManagedVar(struct rt_image *image, void **pointer, char *unused,
                                        const char *name, int external, size_t bytes,
                                        int constant, int global);
RT_EXPORT void __cudaRegisterManagedVar(struct rt_image *image, void **pointer, char *unused,
                                        const char *name, int external, size_t bytes,
                                        int constant, int global)
{
    (void)unused, (void)external, (void)constant, (void)global;
    struct managed *managed = image ? rl_alloc(sizeof *managed) : NULL;
    if (!managed) return;
    *managed = (struct managed){ pointer, name, image->managed };
    image->managed = managed;
    rt_variable_add(image, pointer, name, bytes);
}

static struct managed *take_managed(struct rt_image *image)
{
    rl_lock(&image->lock);
    struct managed *managed = image->managed;
    image->managed = NULL;
    rl_unlock(&image->lock);
    return managed;
}

/* Code that names the variable as a symbol has its address in memory from here on. */
static cudaError_t place_managed(struct rt_image *image, CUlibrary library,
                                 const struct managed *managed)
{
    CUdeviceptr address;
    size_t bytes;
    CUresult status = rt_driver.cuLibraryGetManaged(&address, &bytes, library, managed->name);
    if (status) return (cudaError_t)status;
    *managed->pointer = (void *)(uintptr_t)address;
    rt_variable_add(image, *managed->pointer, managed->name, bytes);
    return cudaSuccess;
}

/* The host's code calls this before it reads or writes a managed variable. */
RT_EXPORT char __cudaInitModule(struct rt_image *image);
RT_EXPORT char __cudaInitModule(struct rt_image *image)
{
    CUlibrary library;
    struct managed *managed = image ? take_managed(image) : NULL, *next;
    if (!managed) return 1;
    cudaError_t status = rt_ready();
    if (!status) status = rt_image_library(image, &library);
    for (; managed; managed = next) {
        next = managed->next;
        if (!status) status = place_managed(image, library, managed);
        if (status) rt_log("the managed variable %s has no memory", managed->name);
        rl_free(managed);
    }
    if (status) rt_failed("__cudaInitModule", status);
    return !status;
}

/* ---- Unloading --------------------------------------------------------------------------- */

/* What is left at the end of the process ends with it. */
RT_EXPORT void __cudaUnregisterFatBinary(struct rt_image *image);
RT_EXPORT void __cudaUnregisterFatBinary(struct rt_image *image)
{
    if (!image) return;
    rt_table_remove(&rt_stubs, image);
    rt_variables_remove(image);
    rt_references_remove(image);
    if (image->library && !rt_driver_ending()) rt_driver.cuLibraryUnload(image->library);
    for (struct managed *managed = image->managed, *next; managed; managed = next) {
        next = managed->next;
        rl_free(managed);
    }
    rl_free(image);
}
