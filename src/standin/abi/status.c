/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/abi/status.h"

struct named {
    CUresult status;
    const char *name;
    const char *words; /* NULL for rill's own */
};

/* Some words are the driver's, since programs compare them. */
#define NAMED(name) { RILL_ERROR_##name, "CUDA_ERROR_" #name, NULL }
#define WORDED(name, words) { RILL_ERROR_##name, "CUDA_ERROR_" #name, words }

/* By number, ascending. */
static const struct named names[] = {
    { RILL_SUCCESS, "CUDA_SUCCESS", NULL },
    WORDED(INVALID_VALUE, "invalid argument"),
    WORDED(OUT_OF_MEMORY, "out of memory"),
    WORDED(NOT_INITIALIZED, "initialization error"),
    NAMED(DEINITIALIZED),
    NAMED(PROFILER_DISABLED),
    NAMED(PROFILER_NOT_INITIALIZED),
    NAMED(PROFILER_ALREADY_STARTED),
    NAMED(PROFILER_ALREADY_STOPPED),
    NAMED(STUB_LIBRARY),
    NAMED(CALL_REQUIRES_NEWER_DRIVER),
    NAMED(DEVICE_UNAVAILABLE),
    WORDED(NO_DEVICE, "no CUDA-capable device is detected"),
    WORDED(INVALID_DEVICE, "invalid device ordinal"),
    NAMED(DEVICE_NOT_LICENSED),
    NAMED(INVALID_IMAGE),
    WORDED(INVALID_CONTEXT, "invalid device context"),
    NAMED(CONTEXT_ALREADY_CURRENT),
    NAMED(MAP_FAILED),
    NAMED(UNMAP_FAILED),
    NAMED(ARRAY_IS_MAPPED),
    NAMED(ALREADY_MAPPED),
    NAMED(NO_BINARY_FOR_GPU),
    NAMED(ALREADY_ACQUIRED),
    NAMED(NOT_MAPPED),
    NAMED(NOT_MAPPED_AS_ARRAY),
    NAMED(NOT_MAPPED_AS_POINTER),
    NAMED(ECC_UNCORRECTABLE),
    NAMED(UNSUPPORTED_LIMIT),
    NAMED(CONTEXT_ALREADY_IN_USE),
    NAMED(PEER_ACCESS_UNSUPPORTED),
    NAMED(INVALID_PTX),
    NAMED(INVALID_GRAPHICS_CONTEXT),
    NAMED(NVLINK_UNCORRECTABLE),
    NAMED(JIT_COMPILER_NOT_FOUND),
    NAMED(UNSUPPORTED_PTX_VERSION),
    NAMED(JIT_COMPILATION_DISABLED),
    NAMED(UNSUPPORTED_EXEC_AFFINITY),
    NAMED(UNSUPPORTED_DEVSIDE_SYNC),
    NAMED(CONTAINED),
    NAMED(INVALID_SOURCE),
    NAMED(FILE_NOT_FOUND),
    NAMED(SHARED_OBJECT_SYMBOL_NOT_FOUND),
    NAMED(SHARED_OBJECT_INIT_FAILED),
    NAMED(OPERATING_SYSTEM),
    WORDED(INVALID_HANDLE, "invalid resource handle"),
    NAMED(ILLEGAL_STATE),
    NAMED(LOSSY_QUERY),
    WORDED(NOT_FOUND, "named symbol not found"),
    WORDED(NOT_READY, "device not ready"),
    WORDED(ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    NAMED(LAUNCH_OUT_OF_RESOURCES),
    NAMED(LAUNCH_TIMEOUT),
    NAMED(LAUNCH_INCOMPATIBLE_TEXTURING),
    NAMED(PEER_ACCESS_ALREADY_ENABLED),
    NAMED(PEER_ACCESS_NOT_ENABLED),
    NAMED(PRIMARY_CONTEXT_ACTIVE),
    NAMED(CONTEXT_IS_DESTROYED),
    NAMED(ASSERT),
    NAMED(TOO_MANY_PEERS),
    NAMED(HOST_MEMORY_ALREADY_REGISTERED),
    NAMED(HOST_MEMORY_NOT_REGISTERED),
    NAMED(HARDWARE_STACK_ERROR),
    NAMED(ILLEGAL_INSTRUCTION),
    WORDED(MISALIGNED_ADDRESS, "misaligned address"),
    NAMED(INVALID_ADDRESS_SPACE),
    NAMED(INVALID_PC),
    WORDED(LAUNCH_FAILED, "unspecified launch failure"),
    NAMED(COOPERATIVE_LAUNCH_TOO_LARGE),
    NAMED(TENSOR_MEMORY_LEAK),
    WORDED(NOT_PERMITTED, "operation not permitted"),
    WORDED(NOT_SUPPORTED, "operation not supported"),
    NAMED(SYSTEM_NOT_READY),
    NAMED(SYSTEM_DRIVER_MISMATCH),
    NAMED(COMPAT_NOT_SUPPORTED_ON_DEVICE),
    NAMED(MPS_CONNECTION_FAILED),
    NAMED(MPS_RPC_FAILURE),
    NAMED(MPS_SERVER_NOT_READY),
    NAMED(MPS_MAX_CLIENTS_REACHED),
    NAMED(MPS_MAX_CONNECTIONS_REACHED),
    NAMED(MPS_CLIENT_TERMINATED),
    NAMED(CDP_NOT_SUPPORTED),
    NAMED(CDP_VERSION_MISMATCH),
    NAMED(STREAM_CAPTURE_UNSUPPORTED),
    NAMED(STREAM_CAPTURE_INVALIDATED),
    NAMED(STREAM_CAPTURE_MERGE),
    NAMED(STREAM_CAPTURE_UNMATCHED),
    NAMED(STREAM_CAPTURE_UNJOINED),
    NAMED(STREAM_CAPTURE_ISOLATION),
    NAMED(STREAM_CAPTURE_IMPLICIT),
    NAMED(CAPTURED_EVENT),
    NAMED(STREAM_CAPTURE_WRONG_THREAD),
    NAMED(TIMEOUT),
    NAMED(GRAPH_EXEC_UPDATE_FAILURE),
    NAMED(EXTERNAL_DEVICE),
    NAMED(INVALID_CLUSTER_SIZE),
    NAMED(FUNCTION_NOT_LOADED),
    NAMED(INVALID_RESOURCE_TYPE),
    NAMED(INVALID_RESOURCE_CONFIGURATION),
    NAMED(KEY_ROTATION),
    WORDED(UNKNOWN, "unknown error"),
};

static const struct named *find_status(CUresult status)
{
    size_t low = 0, high = sizeof names / sizeof names[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names[middle].status == status) return &names[middle];
        if (names[middle].status < status)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *si_status_name(CUresult status)
{
    const struct named *found = find_status(status);
    return found ? found->name : NULL;
}

const char *si_status_words(CUresult status)
{
    const struct named *found = find_status(status);
    if (!found) return NULL;
    return found->words ? found->words : rill_error_string(status);
}
