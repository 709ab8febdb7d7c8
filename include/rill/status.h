/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/status.h>: what calls return.
 *
 * Values below 10000 are the CUDA driver's own numbers, so they can be looked up
 * without translation.  rill's own numbers begin at 10000.
 */
#ifndef RILL_STATUS_H
#define RILL_STATUS_H

#include <rill/types.h>

RILL_BEGIN_DECLS

typedef enum rill_status {
    RILL_SUCCESS                              = 0,
    RILL_ERROR_INVALID_VALUE                  = 1,
    RILL_ERROR_OUT_OF_MEMORY                  = 2,
    RILL_ERROR_NOT_INITIALIZED                = 3,
    RILL_ERROR_DEINITIALIZED                  = 4,
    RILL_ERROR_PROFILER_DISABLED              = 5,
    RILL_ERROR_PROFILER_NOT_INITIALIZED       = 6,
    RILL_ERROR_PROFILER_ALREADY_STARTED       = 7,
    RILL_ERROR_PROFILER_ALREADY_STOPPED       = 8,
    RILL_ERROR_STUB_LIBRARY                   = 34,
    RILL_ERROR_CALL_REQUIRES_NEWER_DRIVER     = 36,
    RILL_ERROR_DEVICE_UNAVAILABLE             = 46,
    RILL_ERROR_NO_DEVICE                      = 100,
    RILL_ERROR_INVALID_DEVICE                 = 101,
    RILL_ERROR_DEVICE_NOT_LICENSED            = 102,
    RILL_ERROR_INVALID_IMAGE                  = 200,
    RILL_ERROR_INVALID_CONTEXT                = 201,
    RILL_ERROR_CONTEXT_ALREADY_CURRENT        = 202,
    RILL_ERROR_MAP_FAILED                     = 205,
    RILL_ERROR_UNMAP_FAILED                   = 206,
    RILL_ERROR_ARRAY_IS_MAPPED                = 207,
    RILL_ERROR_ALREADY_MAPPED                 = 208,
    RILL_ERROR_NO_BINARY_FOR_GPU              = 209,
    RILL_ERROR_ALREADY_ACQUIRED               = 210,
    RILL_ERROR_NOT_MAPPED                     = 211,
    RILL_ERROR_NOT_MAPPED_AS_ARRAY            = 212,
    RILL_ERROR_NOT_MAPPED_AS_POINTER          = 213,
    RILL_ERROR_ECC_UNCORRECTABLE              = 214,
    RILL_ERROR_UNSUPPORTED_LIMIT              = 215,
    RILL_ERROR_CONTEXT_ALREADY_IN_USE         = 216,
    RILL_ERROR_PEER_ACCESS_UNSUPPORTED        = 217,
    RILL_ERROR_INVALID_PTX                    = 218,
    RILL_ERROR_INVALID_GRAPHICS_CONTEXT       = 219,
    RILL_ERROR_NVLINK_UNCORRECTABLE           = 220,
    RILL_ERROR_JIT_COMPILER_NOT_FOUND         = 221,
    RILL_ERROR_UNSUPPORTED_PTX_VERSION        = 222,
    RILL_ERROR_JIT_COMPILATION_DISABLED       = 223,
    RILL_ERROR_UNSUPPORTED_EXEC_AFFINITY      = 224,
    RILL_ERROR_UNSUPPORTED_DEVSIDE_SYNC       = 225,
    RILL_ERROR_CONTAINED                      = 226,
    RILL_ERROR_INVALID_SOURCE                 = 300,
    RILL_ERROR_FILE_NOT_FOUND                 = 301,
    RILL_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
    RILL_ERROR_SHARED_OBJECT_INIT_FAILED      = 303,
    RILL_ERROR_OPERATING_SYSTEM               = 304,
    RILL_ERROR_INVALID_HANDLE                 = 400,
    RILL_ERROR_ILLEGAL_STATE                  = 401,
    RILL_ERROR_LOSSY_QUERY                    = 402,
    RILL_ERROR_NOT_FOUND                      = 500,
    RILL_ERROR_NOT_READY                      = 600,
    RILL_ERROR_ILLEGAL_ADDRESS                = 700,
    RILL_ERROR_LAUNCH_OUT_OF_RESOURCES        = 701,
    RILL_ERROR_LAUNCH_TIMEOUT                 = 702,
    RILL_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING  = 703,
    RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED    = 704,
    RILL_ERROR_PEER_ACCESS_NOT_ENABLED        = 705,
    RILL_ERROR_PRIMARY_CONTEXT_ACTIVE         = 708,
    RILL_ERROR_CONTEXT_IS_DESTROYED           = 709,
    RILL_ERROR_ASSERT                         = 710,
    RILL_ERROR_TOO_MANY_PEERS                 = 711,
    RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    RILL_ERROR_HOST_MEMORY_NOT_REGISTERED     = 713,
    RILL_ERROR_HARDWARE_STACK_ERROR           = 714,
    RILL_ERROR_ILLEGAL_INSTRUCTION            = 715,
    RILL_ERROR_MISALIGNED_ADDRESS             = 716,
    RILL_ERROR_INVALID_ADDRESS_SPACE          = 717,
    RILL_ERROR_INVALID_PC                     = 718,
    RILL_ERROR_LAUNCH_FAILED                  = 719,
    RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE   = 720,
    RILL_ERROR_TENSOR_MEMORY_LEAK             = 721,
    RILL_ERROR_NOT_PERMITTED                  = 800,
    RILL_ERROR_NOT_SUPPORTED                  = 801,
    RILL_ERROR_SYSTEM_NOT_READY               = 802,
    RILL_ERROR_SYSTEM_DRIVER_MISMATCH         = 803,
    RILL_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    RILL_ERROR_MPS_CONNECTION_FAILED          = 805,
    RILL_ERROR_MPS_RPC_FAILURE                = 806,
    RILL_ERROR_MPS_SERVER_NOT_READY           = 807,
    RILL_ERROR_MPS_MAX_CLIENTS_REACHED        = 808,
    RILL_ERROR_MPS_MAX_CONNECTIONS_REACHED    = 809,
    RILL_ERROR_MPS_CLIENT_TERMINATED          = 810,
    RILL_ERROR_CDP_NOT_SUPPORTED              = 811,
    RILL_ERROR_CDP_VERSION_MISMATCH           = 812,
    RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED     = 900,
    RILL_ERROR_STREAM_CAPTURE_INVALIDATED     = 901,
    RILL_ERROR_STREAM_CAPTURE_MERGE           = 902,
    RILL_ERROR_STREAM_CAPTURE_UNMATCHED       = 903,
    RILL_ERROR_STREAM_CAPTURE_UNJOINED        = 904,
    RILL_ERROR_STREAM_CAPTURE_ISOLATION       = 905,
    RILL_ERROR_STREAM_CAPTURE_IMPLICIT        = 906,
    RILL_ERROR_CAPTURED_EVENT                 = 907,
    RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD    = 908,
    RILL_ERROR_TIMEOUT                        = 909,
    RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE      = 910,
    RILL_ERROR_EXTERNAL_DEVICE                = 911,
    RILL_ERROR_INVALID_CLUSTER_SIZE           = 912,
    RILL_ERROR_FUNCTION_NOT_LOADED            = 913,
    RILL_ERROR_INVALID_RESOURCE_TYPE          = 914,
    RILL_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
    RILL_ERROR_KEY_ROTATION                   = 916,
    RILL_ERROR_UNKNOWN                        = 999,

    RILL_ERROR_NO_BACKEND                     = 10000,
    RILL_ERROR_BACKEND_TABLE                  = 10001
} rill_status;

/* Returns the name of a status, such as "RILL_ERROR_INVALID_VALUE", or NULL if the
 * number is no status. */
RILL_API const char *rill_error_name(rill_status status);

/* Returns a few words on what the status means, or NULL if the number is no status. */
RILL_API const char *rill_error_string(rill_status status);

/* Returns 1 if the status means that the device has failed for good, else 0.  Later
 * calls that need the device return the same status, and the only remedy is to close
 * the platform and open it again (on hardware, sometimes to restart the process). */
RILL_API int rill_error_is_sticky(rill_status status);

RILL_END_DECLS

#endif
