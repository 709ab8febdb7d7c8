/* SPDX-License-Identifier: Apache-2.0
 *
 * Statuses, and the numbers that calls take.  Part of cuda_runtime_api.h.
 */
#ifndef RILL_CUDA_RUNTIME_NUMBERS_H
#define RILL_CUDA_RUNTIME_NUMBERS_H

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorProfilerNotInitialized = 6,
    cudaErrorProfilerAlreadyStarted = 7,
    cudaErrorProfilerAlreadyStopped = 8,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge = 32,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorSoftwareValidityNotEstablished = 103,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorJitCompilationDisabled = 223,
    cudaErrorUnsupportedExecAffinity = 224,
    cudaErrorUnsupportedDevSideSync = 225,
    cudaErrorContained = 226,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorLossyQuery = 402,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorTensorMemoryLeak = 721,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorMpsConnectionFailed = 805,
    cudaErrorMpsRpcFailure = 806,
    cudaErrorMpsServerNotReady = 807,
    cudaErrorMpsMaxClientsReached = 808,
    cudaErrorMpsMaxConnectionsReached = 809,
    cudaErrorMpsClientTerminated = 810,
    cudaErrorCdpNotSupported = 811,
    cudaErrorCdpVersionMismatch = 812,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorExternalDevice = 911,
    cudaErrorInvalidClusterSize = 912,
    cudaErrorFunctionNotLoaded = 913,
    cudaErrorInvalidResourceType = 914,
    cudaErrorInvalidResourceConfiguration = 915,
    cudaErrorUnknown = 999,
    cudaErrorApiFailureBase = 10000
};
typedef enum cudaError cudaError_t;

/* ---- Flags --------------------------------------------------------------------------------- */

enum {
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8
};
enum { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped,
       cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault, cudaHostRegisterPortable, cudaHostRegisterMapped };
enum { cudaStreamDefault, cudaStreamNonBlocking };
enum { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming, cudaEventInterprocess = 4 };
enum { cudaEventRecordDefault, cudaEventRecordExternal };
enum { cudaEventWaitDefault, cudaEventWaitExternal };
enum { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream };
enum { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1 };
enum { cudaUserObjectNoDestructorSync = 1 };
enum { cudaGraphUserObjectMove = 1 };
enum { cudaOccupancyDefault, cudaOccupancyDisableCachingOverride };

/* ---- Choices ------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};

enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };

enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};

/* Any attribute may be asked for by its number. */
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
    cudaDevAttrHostNumaId = 134,
    cudaDevAttrMax = 0x7fff
};

enum cudaJitOption {
    cudaJitMaxRegisters = 0,
    cudaJitInfoLogBuffer = 3,
    cudaJitInfoLogBufferSizeBytes = 4,
    cudaJitErrorLogBuffer = 5,
    cudaJitErrorLogBufferSizeBytes = 6,
    cudaJitOptimizationLevel = 7
};

enum cudaLibraryOption {
    cudaLibraryHostUniversalFunctionAndDataTable,
    cudaLibraryBinaryIsPreserved
};

enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported };

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent
};

enum cudaMemPoolAttr {
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent,
    cudaMemPoolAttrUsedMemHigh
};

enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation,
    cudaMemRangeAttributeAccessedBy,
    cudaMemRangeAttributeLastPrefetchLocation,
    cudaMemRangeAttributePreferredLocationType,
    cudaMemRangeAttributePreferredLocationId,
    cudaMemRangeAttributeLastPrefetchLocationType,
    cudaMemRangeAttributeLastPrefetchLocationId
};
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone, cudaMemHandleTypePosixFileDescriptor };

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated
};

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel,
    cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph,
    cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent,
    cudaGraphNodeTypeEventRecord,
    cudaGraphNodeTypeCount = 14
};

enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess,
    cudaGraphExecUpdateError,
    cudaGraphExecUpdateErrorTopologyChanged,
    cudaGraphExecUpdateErrorNodeTypeChanged,
    cudaGraphExecUpdateErrorFunctionChanged,
    cudaGraphExecUpdateErrorParametersChanged
};

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;

#endif
