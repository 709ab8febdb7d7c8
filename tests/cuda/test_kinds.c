/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the kinds: drivers without a call for all kinds have one for each, by which
 * nodes are added, set, and set in an exec.
 */
#include <rill/cuda.h>

#include "backend-cuda/kind/kind.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

static const struct calls {
    rill_op_kind op;
    const char *add, *set, *exec_set; /* NULL: the driver has none */
} rows[] = {
    { RILL_OP_KERNEL, "cuGraphAddKernelNode", "cuGraphKernelNodeSetParams",
      "cuGraphExecKernelNodeSetParams" },
    { RILL_OP_MEMCPY, "cuGraphAddMemcpyNode", "cuGraphMemcpyNodeSetParams",
      "cuGraphExecMemcpyNodeSetParams" },
    { RILL_OP_MEMSET, "cuGraphAddMemsetNode", "cuGraphMemsetNodeSetParams",
      "cuGraphExecMemsetNodeSetParams" },
    { RILL_OP_HOST, "cuGraphAddHostNode", "cuGraphHostNodeSetParams",
      "cuGraphExecHostNodeSetParams" },
    { RILL_OP_GRAPH, "cuGraphAddChildGraphNode", NULL, "cuGraphExecChildGraphNodeSetParams" },
    { RILL_OP_EMPTY, "cuGraphAddEmptyNode", NULL, NULL },
    { RILL_OP_EVENT_WAIT, "cuGraphAddEventWaitNode", "cuGraphEventWaitNodeSetEvent",
      "cuGraphExecEventWaitNodeSetEvent" },
    { RILL_OP_EVENT_RECORD, "cuGraphAddEventRecordNode", "cuGraphEventRecordNodeSetEvent",
      "cuGraphExecEventRecordNodeSetEvent" },
    { RILL_OP_ALLOC, "cuGraphAddMemAllocNode", NULL, NULL },
    { RILL_OP_FREE, "cuGraphAddMemFreeNode", NULL, NULL },
    { RILL_OP_VALUES, "cuGraphAddBatchMemOpNode", "cuGraphBatchMemOpNodeSetParams",
      "cuGraphExecBatchMemOpNodeSetParams" },
    { RILL_OP_CONDITIONAL, NULL, NULL, NULL },
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct fake *load(int version)
{
    const struct fake *fake = fake_load();
    fake->set_version(version);
    assert_int_equal(cuda_load(FAKE_PATH), RILL_SUCCESS);
    return fake;
}

/* Exactly one call was made after the first `before`, and it is this one. */
static void made(const struct fake *fake, long before, const char *name)
{
    assert_int_equal(fake->calls(NULL), before + 1);
    if (fake->calls(name) != 1) fail_msg("%s was not called", name);
}

static void each_kind_is_added_by_its_own_call(void **state)
{
    (void)state;
    for (const struct calls *row = rows; row < rows + ROWS; row++) {
        const struct fake *fake = load(11080);
        struct cuda_graph graph = { .raw = (CUgraph)(uintptr_t)0x1000 };
        struct cuda_addition addition = { .kind = cuda_find_kind(row->op), .graph = &graph };
        long before = fake->calls(NULL);
        assert_int_equal(addition.kind->op, row->op);
        assert_int_equal(addition.kind->typed_add != NULL, row->add != NULL);
        if (!row->add) continue;
        assert_int_equal(addition.kind->typed_add(&addition), CUDA_SUCCESS);
        made(fake, before, row->add);
    }
}

static void each_kind_is_set_by_its_own_calls(void **state)
{
    const struct cuda_node_params params = { .reserved_too = 0 };
    CUgraphNode node = (CUgraphNode)(uintptr_t)0x1000;
    CUgraphExec exec = (CUgraphExec)(uintptr_t)0x2000;
    (void)state;
    for (const struct calls *row = rows; row < rows + ROWS; row++) {
        const struct fake *fake = load(11080);
        const struct cuda_kind *kind = cuda_find_kind(row->op);
        long before = fake->calls(NULL);
        assert_int_equal(kind->typed_set != NULL, row->set != NULL);
        assert_int_equal(kind->typed_exec_set != NULL, row->exec_set != NULL);
        if (row->set) {
            assert_int_equal(kind->typed_set(node, &params), CUDA_SUCCESS);
            made(fake, before++, row->set);
        }
        if (row->exec_set) {
            assert_int_equal(kind->typed_exec_set(exec, node, &params), CUDA_SUCCESS);
            made(fake, before, row->exec_set);
        }
    }
}

/* Callers rely on these slots, also for numbers that are no kind. */
static void every_row_can_be_asked(void **state)
{
    (void)state;
    for (int op = -1; op <= CUDA_KIND_COUNT; op++) {
        const struct cuda_kind *kind = cuda_find_kind((rill_op_kind)op);
        assert_non_null(kind->write);
        assert_non_null(kind->read);
        assert_non_null(kind->add);
        assert_non_null(kind->set);
        assert_non_null(kind->submit);
    }
    assert_ptr_equal(cuda_find_kind(RILL_OP_SEMAPHORE_SIGNAL), &cuda_kind_none);
    assert_ptr_equal(cuda_find_kind((rill_op_kind)CUDA_KIND_COUNT), &cuda_kind_none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_added_by_its_own_call),
        cmocka_unit_test(each_kind_is_set_by_its_own_calls),
        cmocka_unit_test(every_row_can_be_asked),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
