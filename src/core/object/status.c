/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for each status.
 */
#include <rill/status.h>

#include <stdlib.h>

struct status_words {
    rill_status status;
    const char *name;
    const char *words;
};

/* Ascending by status, for bsearch(). */
#define ROW(name, words) { RILL_##name, "RILL_" #name, words }
static const struct status_words status_rows[] = {
    ROW(SUCCESS, "no error"),
    ROW(ERROR_INVALID_VALUE, "an argument is outside what the call accepts"),
    ROW(ERROR_OUT_OF_MEMORY, "not enough memory or other resources"),
    ROW(ERROR_NOT_INITIALIZED, "the platform is not initialized in this process"),
    ROW(ERROR_DEINITIALIZED, "the platform is shutting down"),
    ROW(ERROR_PROFILER_DISABLED, "the profiler is disabled for this run"),
    ROW(ERROR_PROFILER_NOT_INITIALIZED, "the profiler is not initialized"),
    ROW(ERROR_PROFILER_ALREADY_STARTED, "the profiler is already started"),
    ROW(ERROR_PROFILER_ALREADY_STOPPED, "the profiler is already stopped"),
    ROW(ERROR_STUB_LIBRARY, "the loaded driver library is a link stub, not a driver"),
    ROW(ERROR_CALL_REQUIRES_NEWER_DRIVER, "the call needs a newer driver"),
    ROW(ERROR_DEVICE_UNAVAILABLE, "the device is in use or prohibited"),
    ROW(ERROR_NO_DEVICE, "there is no usable device"),
    ROW(ERROR_INVALID_DEVICE, "no device has this ordinal, or the device cannot do this"),
    ROW(ERROR_DEVICE_NOT_LICENSED, "the device has no license"),
    ROW(ERROR_INVALID_IMAGE, "the kernel image is not one that can be loaded"),
    ROW(ERROR_INVALID_CONTEXT, "there is no such context, or none is current"),
    ROW(ERROR_CONTEXT_ALREADY_CURRENT, "the context is already current"),
    ROW(ERROR_MAP_FAILED, "mapping failed"),
    ROW(ERROR_UNMAP_FAILED, "unmapping failed"),
    ROW(ERROR_ARRAY_IS_MAPPED, "the array is mapped and cannot be destroyed"),
    ROW(ERROR_ALREADY_MAPPED, "the resource is already mapped"),
    ROW(ERROR_NO_BINARY_FOR_GPU, "the image holds no code for this device"),
    ROW(ERROR_ALREADY_ACQUIRED, "the resource is already acquired"),
    ROW(ERROR_NOT_MAPPED, "the resource is not mapped"),
    ROW(ERROR_NOT_MAPPED_AS_ARRAY, "the resource is not mapped as an array"),
    ROW(ERROR_NOT_MAPPED_AS_POINTER, "the resource is not mapped as a pointer"),
    ROW(ERROR_ECC_UNCORRECTABLE, "the device met a memory error it could not correct"),
    ROW(ERROR_UNSUPPORTED_LIMIT, "the device has no such limit"),
    ROW(ERROR_CONTEXT_ALREADY_IN_USE, "the context is bound to another thread"),
    ROW(ERROR_PEER_ACCESS_UNSUPPORTED, "these devices cannot access each other"),
    ROW(ERROR_INVALID_PTX, "the PTX could not be compiled"),
    ROW(ERROR_INVALID_GRAPHICS_CONTEXT, "the graphics context is not usable"),
    ROW(ERROR_NVLINK_UNCORRECTABLE, "an NVLink error could not be corrected"),
    ROW(ERROR_JIT_COMPILER_NOT_FOUND, "the PTX compiler library was not found"),
    ROW(ERROR_UNSUPPORTED_PTX_VERSION, "the PTX is of a version that is not supported"),
    ROW(ERROR_JIT_COMPILATION_DISABLED, "compilation of PTX is disabled"),
    ROW(ERROR_UNSUPPORTED_EXEC_AFFINITY, "the device has no such execution affinity"),
    ROW(ERROR_UNSUPPORTED_DEVSIDE_SYNC, "the code synchronizes the device from the device"),
    ROW(ERROR_CONTAINED, "the device contained an error; the process must be restarted"),
    ROW(ERROR_INVALID_SOURCE, "the kernel source is invalid"),
    ROW(ERROR_FILE_NOT_FOUND, "the file was not found"),
    ROW(ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "a shared object lacks a symbol"),
    ROW(ERROR_SHARED_OBJECT_INIT_FAILED, "a shared object failed to initialize"),
    ROW(ERROR_OPERATING_SYSTEM, "a call to the operating system failed"),
    ROW(ERROR_INVALID_HANDLE, "the handle is not valid here"),
    ROW(ERROR_ILLEGAL_STATE, "the object is not in a state that allows this"),
    ROW(ERROR_LOSSY_QUERY, "the answer would leave out what matters; ask with all outputs"),
    ROW(ERROR_NOT_FOUND, "the name was not found"),
    ROW(ERROR_NOT_READY, "work is still pending"),
    ROW(ERROR_ILLEGAL_ADDRESS, "a kernel touched memory that is not there"),
    ROW(ERROR_LAUNCH_OUT_OF_RESOURCES,
        "the launch lacks resources, or its arguments have the wrong size"),
    ROW(ERROR_LAUNCH_TIMEOUT, "a kernel ran too long"),
    ROW(ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "the launch uses an incompatible texturing mode"),
    ROW(ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    ROW(ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not enabled"),
    ROW(ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context is already active"),
    ROW(ERROR_CONTEXT_IS_DESTROYED, "the context was destroyed"),
    ROW(ERROR_ASSERT, "an assertion failed in a kernel"),
    ROW(ERROR_TOO_MANY_PEERS, "no more peers can be enabled"),
    ROW(ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the host memory is already registered"),
    ROW(ERROR_HOST_MEMORY_NOT_REGISTERED, "the host memory is not registered"),
    ROW(ERROR_HARDWARE_STACK_ERROR, "a kernel overran its stack"),
    ROW(ERROR_ILLEGAL_INSTRUCTION, "a kernel met an illegal instruction"),
    ROW(ERROR_MISALIGNED_ADDRESS, "a kernel accessed a misaligned address"),
    ROW(ERROR_INVALID_ADDRESS_SPACE, "a kernel accessed an address of the wrong space"),
    ROW(ERROR_INVALID_PC, "a kernel's program counter left its code"),
    ROW(ERROR_LAUNCH_FAILED, "a kernel failed while it ran"),
    ROW(ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "a cooperative grid does not fit the device at once"),
    ROW(ERROR_TENSOR_MEMORY_LEAK, "a kernel ended without releasing tensor memory"),
    ROW(ERROR_NOT_PERMITTED, "the call is not permitted here"),
    ROW(ERROR_NOT_SUPPORTED, "the call is not supported"),
    ROW(ERROR_SYSTEM_NOT_READY, "the system is not ready for device work"),
    ROW(ERROR_SYSTEM_DRIVER_MISMATCH, "driver and system software do not match"),
    ROW(ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
        "forward compatibility is not supported on this device"),
    ROW(ERROR_MPS_CONNECTION_FAILED, "the MPS client could not connect"),
    ROW(ERROR_MPS_RPC_FAILURE, "a call to the MPS server failed"),
    ROW(ERROR_MPS_SERVER_NOT_READY, "the MPS server is not ready"),
    ROW(ERROR_MPS_MAX_CLIENTS_REACHED, "the MPS server has no room for another client"),
    ROW(ERROR_MPS_MAX_CONNECTIONS_REACHED, "the MPS server has no connection left"),
    ROW(ERROR_MPS_CLIENT_TERMINATED, "the MPS client was terminated"),
    ROW(ERROR_CDP_NOT_SUPPORTED, "the device does not launch kernels from kernels"),
    ROW(ERROR_CDP_VERSION_MISMATCH, "modules use different versions of device launches"),
    ROW(ERROR_STREAM_CAPTURE_UNSUPPORTED, "the call is not possible while a stream is capturing"),
    ROW(ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was broken by an earlier call"),
    ROW(ERROR_STREAM_CAPTURE_MERGE, "the call would merge two captures"),
    ROW(ERROR_STREAM_CAPTURE_UNMATCHED, "the capture was not begun in this stream"),
    ROW(ERROR_STREAM_CAPTURE_UNJOINED, "a forked stream was not joined before the capture ended"),
    ROW(ERROR_STREAM_CAPTURE_ISOLATION, "the capture would depend on work outside it"),
    ROW(ERROR_STREAM_CAPTURE_IMPLICIT,
        "the call would depend on a capture through the legacy stream"),
    ROW(ERROR_CAPTURED_EVENT, "the event was last recorded in a capture"),
    ROW(ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture was begun by another thread"),
    ROW(ERROR_TIMEOUT, "the call took longer than it was given"),
    ROW(ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the exec cannot be updated from this graph"),
    ROW(ERROR_EXTERNAL_DEVICE, "an external device failed"),
    ROW(ERROR_INVALID_CLUSTER_SIZE, "the cluster size does not fit the launch"),
    ROW(ERROR_FUNCTION_NOT_LOADED, "the kernel is not loaded"),
    ROW(ERROR_INVALID_RESOURCE_TYPE, "the resource is of the wrong type"),
    ROW(ERROR_INVALID_RESOURCE_CONFIGURATION, "the resource is not configured for this"),
    ROW(ERROR_KEY_ROTATION, "keys are being rotated"),
    ROW(ERROR_UNKNOWN, "an unknown error"),
    ROW(ERROR_NO_BACKEND, "no backend of this name is built in or registered, or none is usable"),
    ROW(ERROR_BACKEND_TABLE, "the table of a backend breaks the contract"),
};
#undef ROW

static int by_status(const void *key, const void *row)
{
    int a = (int)*(const rill_status *)key;
    int b = (int)((const struct status_words *)row)->status;
    return (a > b) - (a < b);
}

static const struct status_words *find_words(rill_status status)
{
    return bsearch(&status, status_rows, sizeof status_rows / sizeof *status_rows,
                   sizeof *status_rows, by_status);
}

const char *rill_error_name(rill_status status)
{
    const struct status_words *row = find_words(status);
    return row ? row->name : NULL;
}

const char *rill_error_string(rill_status status)
{
    const struct status_words *row = find_words(status);
    return row ? row->words : NULL;
}

int rill_error_is_sticky(rill_status status)
{
    switch ((int)status) {
    case RILL_ERROR_ECC_UNCORRECTABLE:
    case RILL_ERROR_CONTAINED:
    case RILL_ERROR_ILLEGAL_ADDRESS:
    case RILL_ERROR_LAUNCH_TIMEOUT:
    case RILL_ERROR_ASSERT:
    case RILL_ERROR_HARDWARE_STACK_ERROR:
    case RILL_ERROR_ILLEGAL_INSTRUCTION:
    case RILL_ERROR_MISALIGNED_ADDRESS:
    case RILL_ERROR_INVALID_ADDRESS_SPACE:
    case RILL_ERROR_INVALID_PC:
    case RILL_ERROR_LAUNCH_FAILED:
    case RILL_ERROR_TENSOR_MEMORY_LEAK:
    case RILL_ERROR_MPS_CLIENT_TERMINATED:
    case RILL_ERROR_EXTERNAL_DEVICE:
        return 1;
    default:
        return 0;
    }
}
