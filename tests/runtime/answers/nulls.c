/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that are NULL.  Each call is in a group of its own, since hardware's runtime may end
 * there.
 */
#include "answers.h"

static void prepare(void)
{
    cudaFree(NULL);
}

#define NULLS(X) \
    X(event_record, cudaEventRecord(NULL, 0)) \
    X(event_query, cudaEventQuery(NULL)) \
    X(event_synchronize, cudaEventSynchronize(NULL)) \
    X(event_destroy, cudaEventDestroy(NULL)) \
    X(wait_event, cudaStreamWaitEvent(0, NULL, 0)) \
    X(graph_destroy, cudaGraphDestroy(NULL)) \
    X(exec_destroy, cudaGraphExecDestroy(NULL)) \
    X(node_destroy, cudaGraphDestroyNode(NULL)) \
    X(graph_launch, cudaGraphLaunch(NULL, 0)) \
    X(instantiate, cudaGraphInstantiate(&exec, NULL, 0)) \
    X(user_object, cudaUserObjectRelease(NULL, 1)) \
    X(pool_destroy, cudaMemPoolDestroy(NULL)) \
    X(pool_malloc, cudaMallocFromPoolAsync(&at, 100, NULL, 0)) \
    X(no_params, cudaLaunchKernel(store, one, one, NULL, 0, 0)) \
    X(no_graph, cudaStreamEndCapture(0, NULL)) \
    X(copy_from_null, cudaMemcpy(&at, NULL, 4, cudaMemcpyHostToHost)) \
    X(copy_to_null, cudaMemcpy(NULL, &at, 4, cudaMemcpyDefault)) \
    X(name_of_null, cudaFuncGetName(&name, NULL)) \
    X(attributes_of_null, cudaFuncGetAttributes(&attributes, NULL))

#define ASK_ONE(word, call) \
    static void ask_##word(void) \
    { \
        void *at = NULL; \
        const char *name = NULL; \
        cudaGraphExec_t exec = NULL; \
        struct cudaFuncAttributes attributes; \
        const dim3 one = { 1, 1, 1 }; \
        (void)at, (void)name, (void)exec, (void)&attributes, (void)one; \
        prepare(); \
        ANSWER(#call, call); \
    }
NULLS(ASK_ONE)

#define GROUP(word, call) { #word, ask_##word },
const struct group null_groups[] = { NULLS(GROUP){ NULL, NULL } };
