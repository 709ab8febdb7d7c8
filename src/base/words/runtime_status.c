/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/runtime_status.h"

#include <stdint.h>
#include <string.h>

#include <rill/status.h>

#include "base/words/named_status.h"

/* By number, ascending.  Some words are the runtime's, since programs compare them. */
static const struct rl_named_status names[] = {
    { 0, "cudaSuccess", "no error" },
    { 1, "cudaErrorInvalidValue", "invalid argument" },
    { 2, "cudaErrorMemoryAllocation", "out of memory" },
    { 3, "cudaErrorInitializationError", "initialization error" },
    { 4, "cudaErrorCudartUnloading", "driver shutting down" },
    { 5, "cudaErrorProfilerDisabled", NULL },
    { 6, "cudaErrorProfilerNotInitialized", NULL },
    { 7, "cudaErrorProfilerAlreadyStarted", NULL },
    { 8, "cudaErrorProfilerAlreadyStopped", NULL },
    { 9, "cudaErrorInvalidConfiguration", "invalid configuration argument" },
    { 12, "cudaErrorInvalidPitchValue", "invalid pitch argument" },
    { 13, "cudaErrorInvalidSymbol", "invalid device symbol" },
    { 16, "cudaErrorInvalidHostPointer", "invalid host pointer" },
    { 17, "cudaErrorInvalidDevicePointer", "invalid device pointer" },
    { 18, "cudaErrorInvalidTexture", "invalid texture reference" },
    { 19, "cudaErrorInvalidTextureBinding", NULL },
    { 20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor" },
    { 21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy" },
    { 22, "cudaErrorAddressOfConstant", NULL },
    { 23, "cudaErrorTextureFetchFailed", NULL },
    { 24, "cudaErrorTextureNotBound", NULL },
    { 25, "cudaErrorSynchronizationError", NULL },
    { 26, "cudaErrorInvalidFilterSetting", NULL },
    { 27, "cudaErrorInvalidNormSetting", NULL },
    { 28, "cudaErrorMixedDeviceExecution", NULL },
    { 31, "cudaErrorNotYetImplemented", NULL },
    { 32, "cudaErrorMemoryValueTooLarge", NULL },
    { 34, "cudaErrorStubLibrary", "the library that was loaded is a stub" },
    { 35, "cudaErrorInsufficientDriver",
      "CUDA driver version is insufficient for CUDA runtime version" },
    { 36, "cudaErrorCallRequiresNewerDriver",
      "API call is not supported in the installed CUDA driver" },
    { 37, "cudaErrorInvalidSurface", NULL },
    { 43, "cudaErrorDuplicateVariableName", NULL },
    { 44, "cudaErrorDuplicateTextureName", NULL },
    { 45, "cudaErrorDuplicateSurfaceName", NULL },
    { 46, "cudaErrorDevicesUnavailable", "the devices are busy or not available" },
    { 49, "cudaErrorIncompatibleDriverContext",
      "the current context does not go with the runtime" },
    { 52, "cudaErrorMissingConfiguration", "__global__ function call is not configured" },
    { 53, "cudaErrorPriorLaunchFailure", "an earlier launch failed" },
    { 65, "cudaErrorLaunchMaxDepthExceeded", "launches are nested too deep" },
    { 66, "cudaErrorLaunchFileScopedTex", NULL },
    { 67, "cudaErrorLaunchFileScopedSurf", NULL },
    { 68, "cudaErrorSyncDepthExceeded", NULL },
    { 69, "cudaErrorLaunchPendingCountExceeded", NULL },
    { 98, "cudaErrorInvalidDeviceFunction", "invalid device function" },
    { 100, "cudaErrorNoDevice", "no CUDA-capable device is detected" },
    { 101, "cudaErrorInvalidDevice", "invalid device ordinal" },
    { 102, "cudaErrorDeviceNotLicensed", NULL },
    { 103, "cudaErrorSoftwareValidityNotEstablished", NULL },
    { 127, "cudaErrorStartupFailure", "the runtime could not start" },
    { 200, "cudaErrorInvalidKernelImage", "device kernel image is invalid" },
    { 201, "cudaErrorDeviceUninitialized", "invalid device context" },
    { 205, "cudaErrorMapBufferObjectFailed", NULL },
    { 206, "cudaErrorUnmapBufferObjectFailed", NULL },
    { 207, "cudaErrorArrayIsMapped", NULL },
    { 208, "cudaErrorAlreadyMapped", NULL },
    { 209, "cudaErrorNoKernelImageForDevice",
      "no kernel image is available for execution on the device" },
    { 210, "cudaErrorAlreadyAcquired", NULL },
    { 211, "cudaErrorNotMapped", NULL },
    { 212, "cudaErrorNotMappedAsArray", NULL },
    { 213, "cudaErrorNotMappedAsPointer", NULL },
    { 214, "cudaErrorECCUncorrectable", NULL },
    { 215, "cudaErrorUnsupportedLimit", NULL },
    { 216, "cudaErrorDeviceAlreadyInUse", NULL },
    { 217, "cudaErrorPeerAccessUnsupported", NULL },
    { 218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed" },
    { 219, "cudaErrorInvalidGraphicsContext", NULL },
    { 220, "cudaErrorNvlinkUncorrectable", NULL },
    { 221, "cudaErrorJitCompilerNotFound", NULL },
    { 222, "cudaErrorUnsupportedPtxVersion", NULL },
    { 223, "cudaErrorJitCompilationDisabled", NULL },
    { 224, "cudaErrorUnsupportedExecAffinity", NULL },
    { 225, "cudaErrorUnsupportedDevSideSync", NULL },
    { 226, "cudaErrorContained", NULL },
    { 300, "cudaErrorInvalidSource", NULL },
    { 301, "cudaErrorFileNotFound", NULL },
    { 302, "cudaErrorSharedObjectSymbolNotFound", NULL },
    { 303, "cudaErrorSharedObjectInitFailed", NULL },
    { 304, "cudaErrorOperatingSystem", NULL },
    { 400, "cudaErrorInvalidResourceHandle", "invalid resource handle" },
    { 401, "cudaErrorIllegalState", "the object is not in a state for the call" },
    { 402, "cudaErrorLossyQuery", NULL },
    { 500, "cudaErrorSymbolNotFound", "named symbol not found" },
    { 600, "cudaErrorNotReady", "device not ready" },
    { 700, "cudaErrorIllegalAddress", "an illegal memory access was encountered" },
    { 701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch" },
    { 702, "cudaErrorLaunchTimeout", NULL },
    { 703, "cudaErrorLaunchIncompatibleTexturing", NULL },
    { 704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled" },
    { 705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled" },
    { 708, "cudaErrorSetOnActiveProcess", "cannot set while device is active in this process" },
    { 709, "cudaErrorContextIsDestroyed", NULL },
    { 710, "cudaErrorAssert", "device-side assert triggered" },
    { 711, "cudaErrorTooManyPeers", NULL },
    { 712, "cudaErrorHostMemoryAlreadyRegistered",
      "part or all of the requested memory range is already mapped" },
    { 713, "cudaErrorHostMemoryNotRegistered",
      "pointer does not correspond to a registered memory region" },
    { 714, "cudaErrorHardwareStackError", NULL },
    { 715, "cudaErrorIllegalInstruction", NULL },
    { 716, "cudaErrorMisalignedAddress", "misaligned address" },
    { 717, "cudaErrorInvalidAddressSpace", NULL },
    { 718, "cudaErrorInvalidPc", NULL },
    { 719, "cudaErrorLaunchFailure", "unspecified launch failure" },
    { 720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch" },
    { 721, "cudaErrorTensorMemoryLeak", NULL },
    { 800, "cudaErrorNotPermitted", "operation not permitted" },
    { 801, "cudaErrorNotSupported", "operation not supported" },
    { 802, "cudaErrorSystemNotReady", NULL },
    { 803, "cudaErrorSystemDriverMismatch", NULL },
    { 804, "cudaErrorCompatNotSupportedOnDevice", NULL },
    { 805, "cudaErrorMpsConnectionFailed", NULL },
    { 806, "cudaErrorMpsRpcFailure", NULL },
    { 807, "cudaErrorMpsServerNotReady", NULL },
    { 808, "cudaErrorMpsMaxClientsReached", NULL },
    { 809, "cudaErrorMpsMaxConnectionsReached", NULL },
    { 810, "cudaErrorMpsClientTerminated", NULL },
    { 811, "cudaErrorCdpNotSupported", NULL },
    { 812, "cudaErrorCdpVersionMismatch", NULL },
    { 900, "cudaErrorStreamCaptureUnsupported",
      "operation not permitted when stream is capturing" },
    { 901, "cudaErrorStreamCaptureInvalidated",
      "operation failed due to a previous error during capture" },
    { 902, "cudaErrorStreamCaptureMerge", NULL },
    { 903, "cudaErrorStreamCaptureUnmatched", NULL },
    { 904, "cudaErrorStreamCaptureUnjoined", NULL },
    { 905, "cudaErrorStreamCaptureIsolation", NULL },
    { 906, "cudaErrorStreamCaptureImplicit", NULL },
    { 907, "cudaErrorCapturedEvent", NULL },
    { 908, "cudaErrorStreamCaptureWrongThread",
      "attempt to terminate a thread-local capture sequence from another thread" },
    { 909, "cudaErrorTimeout", NULL },
    { 910, "cudaErrorGraphExecUpdateFailure", NULL },
    { 911, "cudaErrorExternalDevice", NULL },
    { 912, "cudaErrorInvalidClusterSize", NULL },
    { 913, "cudaErrorFunctionNotLoaded", NULL },
    { 914, "cudaErrorInvalidResourceType", NULL },
    { 915, "cudaErrorInvalidResourceConfiguration", NULL },
    { 999, "cudaErrorUnknown", "unknown error" },
    { 10000, "cudaErrorApiFailureBase", NULL },
};

static const struct rl_named_status *find_status(int status)
{
    return rl_named_status_find(names, sizeof names / sizeof names[0], status);
}

static const char unknown[] = "unrecognized error code";

const char *rl_runtime_status_name(int status)
{
    const struct rl_named_status *found = find_status(status);
    return found ? found->name : unknown;
}

static const char *words_of(const struct rl_named_status *found)
{
    if (found->words) return found->words;
    const char *words = rill_error_string((rill_status)found->status);
    return words ? words : found->name;
}

const char *rl_runtime_status_words(int status)
{
    const struct rl_named_status *found = find_status(status);
    return found ? words_of(found) : unknown;
}

static bool is_in(const void *address, const char *text, size_t *bytes)
{
    *bytes = strlen(text) + 1;
    return (uintptr_t)address - (uintptr_t)text < *bytes;
}

const char *rl_runtime_status_text_at(const void *address, size_t *bytes)
{
    if (is_in(address, unknown, bytes)) return unknown;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_in(address, names[i].name, bytes)) return names[i].name;
        if (is_in(address, words_of(&names[i]), bytes)) return words_of(&names[i]);
    }
    return NULL;
}
