/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h on modules, kernels and their launches.
 */
#ifndef SI_ABI_LAUNCH_H
#define SI_ABI_LAUNCH_H

/* ---- Launches ------------------------------------------------------------------------ */

/* Keys of the list that gives arguments as one buffer. */
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

typedef struct CUaccessPolicyWindow {
    void *base;
    size_t bytes;
    float hit_ratio;
    int hit, miss;
} CUaccessPolicyWindow;

/* The value of an attribute of a launch, a kernel node or a stream; its number is
 * rill_attribute_id. */
typedef union CUlaunchAttributeValue {
    char pad[64];
    CUaccessPolicyWindow window;
    int number; /* cooperative, sync policy, scheduling, priority, domain, carveout ... */
    rill_dim3 cluster;
    struct {
        CUevent event;
        int flags;
        int trigger_at_start; /* programmatic events alone have it */
    } event;
    struct {
        unsigned char local, remote;
    } domain_map;
    struct {
        int updatable;
        CUgraphDeviceNode node;
    } device_updatable;
} CUlaunchAttributeValue;

typedef CUlaunchAttributeValue CUstreamAttrValue;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;

typedef struct CUlaunchAttribute {
    int id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    rill_dim3 grid, block;
    unsigned shared_bytes;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned attribute_count;
} CUlaunchConfig;

typedef struct CUDA_LAUNCH_PARAMS {
    CUfunction function;
    rill_dim3 grid, block;
    unsigned shared_bytes;
    CUstream stream;
    void **params;
} CUDA_LAUNCH_PARAMS;

/* ---- Modules --------------------------------------------------------------------------- */

enum { CU_MODULE_EAGER_LOADING = 1, CU_MODULE_LAZY_LOADING = 2 };

enum { CU_FUNCTION_LOADING_STATE_UNLOADED = 0, CU_FUNCTION_LOADING_STATE_LOADED = 1 };

/* Options of the compiler; the others are accepted and change nothing. */
enum {
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_TARGET = 9,
    CU_JIT_NUM_OPTIONS = 35
};

/* Beyond rill_kernel_attribute, which has the first ten. */
enum {
    CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
    CU_FUNC_ATTRIBUTE_COUNT = 16
};

enum {
    CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
    CU_LIBRARY_BINARY_IS_PRESERVED = 1
};

#endif
