/* SPDX-License-Identifier: Apache-2.0 */
#include "jit_link_calls.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Results of nvJitLink. */
enum {
    SUCCESS = 0,
    ERROR_INVALID_INPUT = 3,
    ERROR_PTX_COMPILE = 4,
    ERROR_INTERNAL = 6,
    ERROR_UNRECOGNIZED_INPUT = 8,
    ERROR_FINALIZE = 9,
    ERROR_NULL_INPUT = 10
};

/* Its kinds of inputs. */
enum {
    INPUT_CUBIN = 1,
    INPUT_PTX = 2,
    INPUT_INTERMEDIATE = 3, /* for optimization of the whole, "LTO-IR" */
    INPUT_FATBIN = 4,
    INPUT_OBJECT = 5,
    INPUT_LIBRARY = 6,
    INPUT_ANY = 10
};

/* ---- The driver --------------------------------------------------------------------------- */

/* The driver's kinds of inputs, options and statuses. */
enum { DRIVER_CUBIN, DRIVER_PTX, DRIVER_FATBIN, DRIVER_OBJECT, DRIVER_LIBRARY, DRIVER_NONE = -1 };
enum { OPTION_ERROR_LOG = 5, OPTION_ERROR_LOG_BYTES = 6 };
enum { STATUS_INVALID_PTX = 218 };

struct driver {
    int (*init)(unsigned flags);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*create)(unsigned count, int *options, void **values, void **state);
    int (*add)(void *state, int kind, void *data, size_t bytes, const char *name, unsigned count,
               int *options, void **values);
    int (*complete)(void *state, void **image, size_t *bytes);
    int (*destroy)(void *state);
};

static int find_call(void *library, const char *name, void *call)
{
    void *address = dlsym(library, name);
    memcpy(call, &address, sizeof address);
    return address != NULL;
}

/* Returns 0 if there is no driver, or it lacks something.  Once loaded, it stays. */
static int find_driver(struct driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    return library && find_call(library, "cuInit", &driver->init) &&
           find_call(library, "cuDevicePrimaryCtxRetain", &driver->retain) &&
           find_call(library, "cuDevicePrimaryCtxRelease_v2", &driver->release) &&
           find_call(library, "cuCtxPushCurrent_v2", &driver->push) &&
           find_call(library, "cuCtxPopCurrent_v2", &driver->pop) &&
           find_call(library, "cuLinkCreate_v2", &driver->create) &&
           find_call(library, "cuLinkAddData_v2", &driver->add) &&
           find_call(library, "cuLinkComplete", &driver->complete) &&
           find_call(library, "cuLinkDestroy", &driver->destroy) && !driver->init(0);
}

/* ---- Linkings ----------------------------------------------------------------------------- */

/* What a handle stands for.  One thread at a time uses it, as nvJitLink asks. */
struct linking {
    struct driver driver;
    void *state;  /* the driver's                              */
    void *image;  /* that came out, the state's; NULL before   */
    size_t bytes;
    void *values[2]; /* of the driver's options: where and how large the log is, which the
                        driver keeps */
    char log[1024];
};

/* Gives the driver all of the log, whose room it replaces by what it has written. */
static void make_room(struct linking *linking)
{
    linking->values[0] = linking->log;
    linking->values[1] = (void *)sizeof linking->log;
}

/* The driver wants a current context to link in; nvJitLink needs none, so that of the first device
 * is there as long as the call takes. */
static int begin_linking(struct linking *linking)
{
    static int options[] = { OPTION_ERROR_LOG, OPTION_ERROR_LOG_BYTES };
    const struct driver *driver = &linking->driver;
    void *context = NULL;
    make_room(linking);
    if (driver->retain(&context, 0)) return 0;
    int begun = !driver->push(context);
    if (begun) {
        begun = !driver->create(2, options, linking->values, &linking->state);
        driver->pop(&context);
    }
    driver->release(0);
    return begun;
}

/* The options are those of a compiler of machine code: nothing of it is left to choose. */
static int create(struct linking **handle, uint32_t count, const char *const *options)
{
    (void)count, (void)options;
    if (!handle) return ERROR_NULL_INPUT;
    struct linking *linking = calloc(1, sizeof *linking);
    if (!linking || !find_driver(&linking->driver) || !begin_linking(linking)) {
        free(linking);
        return ERROR_INTERNAL;
    }
    *handle = linking;
    return SUCCESS;
}

static int destroy(struct linking **handle)
{
    if (!handle || !*handle) return ERROR_NULL_INPUT;
    (*handle)->driver.destroy((*handle)->state);
    free(*handle);
    *handle = NULL;
    return SUCCESS;
}

/* ---- What goes in ------------------------------------------------------------------------- */

/* Tells files of the host from what is for a device. */
static int kind_of_any(const unsigned char *data, size_t bytes)
{
    static const unsigned char archive[] = "!<arch>\n", elf[] = { 0x7f, 'E', 'L', 'F' };
    enum { MACHINE_AT = 18, MACHINE_CUDA = 190 };
    if (bytes >= 8 && !memcmp(data, archive, 8)) return DRIVER_LIBRARY;
    if (bytes >= 64 && !memcmp(data, elf, sizeof elf) && data[MACHINE_AT] != MACHINE_CUDA)
        return DRIVER_OBJECT;
    return DRIVER_PTX; /* or a cubin or a fatbin, which the driver tells apart */
}

static int driver_kind(int kind, const unsigned char *data, size_t bytes)
{
    switch (kind) {
    case INPUT_CUBIN: return DRIVER_CUBIN;
    case INPUT_PTX: return DRIVER_PTX;
    case INPUT_FATBIN: return DRIVER_FATBIN;
    case INPUT_OBJECT: return DRIVER_OBJECT;
    case INPUT_LIBRARY: return DRIVER_LIBRARY;
    case INPUT_ANY: return kind_of_any(data, bytes);
    }
    return DRIVER_NONE;
}

static int add_data(struct linking *linking, int kind, const void *data, size_t bytes,
                    const char *name)
{
    if (!linking || !data) return ERROR_NULL_INPUT;
    const int known = driver_kind(kind, data, bytes);
    if (known == DRIVER_NONE) {
        snprintf(linking->log, sizeof linking->log, "%s: %s cannot be linked, only PTX",
                 name ? name : "an input",
                 kind == INPUT_INTERMEDIATE ? "LTO-IR" : "an input of this kind");
        fprintf(stderr, "rill: nvJitLink: %s\n", linking->log);
        return ERROR_UNRECOGNIZED_INPUT;
    }
    make_room(linking);
    const int status = linking->driver.add(linking->state, known, (void *)(uintptr_t)data, bytes,
                                           name, 0, NULL, NULL);
    if (!status) return SUCCESS;
    return status == STATUS_INVALID_PTX ? ERROR_PTX_COMPILE : ERROR_INVALID_INPUT;
}

/* Returns what a file holds, or NULL; the caller frees it. */
static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    char *data = length < 0 ? NULL : malloc((size_t)length + 1);
    rewind(file);
    *bytes = data ? fread(data, 1, (size_t)length, file) : 0;
    fclose(file);
    return data;
}

static int add_file(struct linking *linking, int kind, const char *path)
{
    size_t bytes;
    if (!linking || !path) return ERROR_NULL_INPUT;
    char *data = read_file(path, &bytes);
    if (!data) return ERROR_INVALID_INPUT;
    const int result = add_data(linking, kind, data, bytes, path);
    free(data);
    return result;
}

/* ---- What comes out ----------------------------------------------------------------------- */

static int complete(struct linking *linking)
{
    if (!linking) return ERROR_NULL_INPUT;
    make_room(linking);
    const int status = linking->driver.complete(linking->state, &linking->image, &linking->bytes);
    return status ? ERROR_FINALIZE : SUCCESS;
}

static int tell_size(struct linking *linking, size_t *bytes)
{
    if (!linking || !bytes) return ERROR_NULL_INPUT;
    if (!linking->image) return ERROR_FINALIZE;
    *bytes = linking->bytes;
    return SUCCESS;
}

static int give_image(struct linking *linking, void *to)
{
    if (!linking || !to) return ERROR_NULL_INPUT;
    if (!linking->image) return ERROR_FINALIZE;
    memcpy(to, linking->image, linking->bytes);
    return SUCCESS;
}

/* Only what is optimized as a whole comes out as PTX. */
static int refuse_text(struct linking *linking, void *to)
{
    return linking && to ? ERROR_INTERNAL : ERROR_NULL_INPUT;
}

static int tell_log_size(struct linking *linking, size_t *bytes)
{
    if (!linking || !bytes) return ERROR_NULL_INPUT;
    *bytes = strlen(linking->log) + 1;
    return SUCCESS;
}

static int give_log(struct linking *linking, char *to)
{
    if (!linking || !to) return ERROR_NULL_INPUT;
    strcpy(to, linking->log); /* as long as was told */
    return SUCCESS;
}

static int tell_empty_size(struct linking *linking, size_t *bytes)
{
    if (!linking || !bytes) return ERROR_NULL_INPUT;
    *bytes = 1;
    return SUCCESS;
}

static int give_nothing(struct linking *linking, char *to)
{
    if (!linking || !to) return ERROR_NULL_INPUT;
    *to = 0;
    return SUCCESS;
}

/* ---- The table ---------------------------------------------------------------------------- */

typedef void any_call(void);

#define CALL(name, function) { "nvJitLink" name, (any_call *)(function) }

static const struct {
    const char *name;
    any_call *call;
} calls[] = {
    CALL("Create", create),
    CALL("Destroy", destroy),
    CALL("AddData", add_data),
    CALL("AddFile", add_file),
    CALL("Complete", complete),
    CALL("GetLinkedCubinSize", tell_size),
    CALL("GetLinkedCubin", give_image),
    CALL("GetLinkedPtxSize", refuse_text),
    CALL("GetLinkedPtx", refuse_text),
    CALL("GetErrorLogSize", tell_log_size),
    CALL("GetErrorLog", give_log),
    CALL("GetInfoLogSize", tell_empty_size),
    CALL("GetInfoLog", give_nothing),
};

void *jit_link_call(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, name)) return (void *)(uintptr_t)calls[i].call;
    return NULL;
}
