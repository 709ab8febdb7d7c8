/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of CUDA's device runtime by their names: those that there are here, and those that
 * are missing.
 */
#include <string.h>

#include "ptx/builtin/builtin.h"

/* Without the beginning of their names, which is another one since CUDA 12. */
static const struct ptx_builtin functions[] = {
    { "GetParameterBufferV2", 8, 4, { 8, 12, 12, 4 }, ptx_child_prepare },
    { "LaunchDeviceV2", 4, 2, { 8, 8 }, ptx_child_launch },
    { "MemcpyAsync", 4, 5, { 8, 8, 8, 4, 8 }, ptx_child_copy },
    { "Memcpy2DAsync", 4, 8, { 8, 8, 8, 8, 8, 8, 4, 8 }, ptx_child_copy_2d },
    { "Memcpy3DAsync", 4, 2, { 8, 8 }, ptx_child_copy_3d },
    { "MemsetAsync", 4, 4, { 8, 4, 8, 8 }, ptx_child_fill },
    { "Memset2DAsync", 4, 6, { 8, 8, 4, 8, 8, 8 }, ptx_child_fill_2d },
    { "Memset3DAsync", 4, 4, { 32, 4, 24, 8 }, ptx_child_fill_3d },
    { "GetLastError", 4, 0, { 0 }, ptx_last_status },
    { "PeekAtLastError", 4, 0, { 0 }, ptx_peek_status },
    { "GetErrorName", 8, 1, { 4 }, ptx_status_name },
    { "GetErrorString", 8, 1, { 4 }, ptx_status_words },
    { "GetDevice", 4, 1, { 8 }, ptx_device_number },
    { "GetDeviceCount", 4, 1, { 8 }, ptx_device_count },
    { "DeviceGetAttribute", 4, 3, { 8, 4, 4 }, ptx_device_attribute },
    { "RuntimeGetVersion", 4, 1, { 8 }, ptx_runtime_version },
    { "StreamCreateWithFlags", 4, 2, { 8, 4 }, ptx_create_stream },
    { "StreamDestroy", 4, 1, { 8 }, ptx_use_name },
    { "StreamWaitEvent", 4, 3, { 8, 8, 4 }, ptx_use_name },
    { "EventCreateWithFlags", 4, 2, { 8, 4 }, ptx_create_event },
    { "EventRecord", 4, 2, { 8, 8 }, ptx_use_name },
    { "EventDestroy", 4, 1, { 8 }, ptx_use_name },
    { "Malloc", 4, 2, { 8, 8 }, ptx_runtime_malloc },
    { "Free", 4, 1, { 8 }, ptx_runtime_free },
};

/* The others that there are. */
static const char *const missing[] = {
    "DeviceGetCacheConfig", "DeviceGetLimit", "DeviceGetSharedMemConfig", "DeviceSynchronize",
    "EventRecordWithFlags", "FuncGetAttributes", "GetParameterBuffer", "LaunchDevice",
    "OccupancyMaxActiveBlocksPerMultiprocessor",
    "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
};

static const char *skip(const char *name, const char *begin)
{
    const size_t length = strlen(begin);
    return strncmp(name, begin, length) ? NULL : name + length;
}

/* Returns a name without its beginning, or NULL if it is none of the device runtime's. */
static const char *own_name(const char *name)
{
    const char *own = skip(name, "__cudaCDP2");
    return own ? own : skip(name, "cuda");
}

/* Some functions have a second name for streams of threads; all streams of kernels are that. */
static bool is_named(const char *own, const char *function)
{
    const char *rest = skip(own, function);
    return rest && (!*rest || !strcmp(rest, "_ptsz"));
}

const struct ptx_builtin *ptx_find_runtime_function(const char *name)
{
    const char *own = own_name(name);
    for (size_t i = 0; own && i < sizeof functions / sizeof *functions; i++)
        if (is_named(own, functions[i].name)) return &functions[i];
    return NULL;
}

bool ptx_lacks_runtime_function(const char *name)
{
    const char *own = own_name(name);
    for (size_t i = 0; own && i < sizeof missing / sizeof *missing; i++)
        if (is_named(own, missing[i])) return true;
    return false;
}

bool ptx_tells_device_runtime(const char *name)
{
    return ptx_find_runtime_function(name) == &functions[0];
}

bool ptx_is_device_runtime(const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (function->defined && ptx_tells_device_runtime(function->name)) return true;
    }
    return false;
}
