/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: user objects.
 */
#include "graph_shapes.h"

static int u_count;
static void *u_ptr;
static void CUDA_CB u_dtor(void *p)
{
    u_ptr = p;
    __atomic_add_fetch(&u_count, 1, __ATOMIC_SEQ_CST);
}

/* Destructor runs so far, after up to a second for `want` of them to come
 * and a little longer for one too many. */
static int u_wait(int want)
{
    for (int i = 0; i < 1000 && __atomic_load_n(&u_count, __ATOMIC_SEQ_CST) < want; i++) msleep(1);
    msleep(20);
    return __atomic_load_n(&u_count, __ATOMIC_SEQ_CST);
}

#define UO(o, count)                                                                               \
    OK(cuUserObjectCreate(&(o), &u_count, u_dtor, count, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC))

/* Arguments of cuUserObjectCreate. */
CASE(graph, userobj_create_args)
{
    CUuserObject o = NULL;
    risky();
    R("good", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 1));
    R("null_out", cuUserObjectCreate(NULL, &u_count, u_dtor, 1, 1));
    R("null_dtor", cuUserObjectCreate(&o, &u_count, NULL, 1, 1));
    R("count0", cuUserObjectCreate(&o, &u_count, u_dtor, 0, 1));
    R("count_max", cuUserObjectCreate(&o, &u_count, u_dtor, 0x7fffffffu, 1));
    R("count_over", cuUserObjectCreate(&o, &u_count, u_dtor, 0x80000000u, 1));
    R("flags0", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 0));
    R("flags2", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 2));
    R("flags3", cuUserObjectCreate(&o, &u_count, u_dtor, 1, 3));
    R("null_ptr", cuUserObjectCreate(&o, NULL, u_dtor, 1, 1));
    say(t, " runs=%d", u_wait(0));
}

/* Arguments of the graph's retain and release. */
CASE(graph, userobj_graph_args)
{
    CUuserObject o, other;
    CUgraph g;
    risky();
    UO(o, 1);
    UO(other, 1);
    G0(g);
    R("null_graph", cuGraphRetainUserObject(NULL, o, 1, 0));
    R("null_obj", cuGraphRetainUserObject(g, NULL, 1, 0));
    R("count0", cuGraphRetainUserObject(g, o, 0, 0));
    R("over", cuGraphRetainUserObject(g, o, 0x80000000u, 0));
    R("flags2", cuGraphRetainUserObject(g, o, 1, 2));
    R("flags3", cuGraphRetainUserObject(g, o, 1, 3));
    R("good", cuGraphRetainUserObject(g, o, 1, 0));
    R("rel_null_graph", cuGraphReleaseUserObject(NULL, o, 1));
    R("rel_null_obj", cuGraphReleaseUserObject(g, NULL, 1));
    R("rel_count0", cuGraphReleaseUserObject(g, o, 0));
    R("rel_other", cuGraphReleaseUserObject(g, other, 1));
    R("rel", cuGraphReleaseUserObject(g, o, 1));
    R("rel_again", cuGraphReleaseUserObject(g, o, 1));
    say(t, " runs=%d", u_wait(0));
}

/* MOVE hands the caller's reference over; without it there are two. */
CASE(graph, userobj_move)
{
    CUuserObject a, b;
    CUgraph g, h;
    UO(a, 1);
    UO(b, 1);
    G0(g);
    G0(h);
    R("move", cuGraphRetainUserObject(g, a, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("share", cuGraphRetainUserObject(h, b, 1, 0));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
    R("destroy_h", cuGraphDestroy(h));
    say(t, " runs=%d", u_wait(0));
    R("release", cuUserObjectRelease(b, 1));
    say(t, " runs=%d", u_wait(2));
}

/* Several references held by one graph, one given back, the rest at destroy. */
CASE(graph, userobj_graph_counts)
{
    CUuserObject o;
    CUgraph g, h;
    UO(o, 1);
    G0(g);
    G0(h);
    R("g3", cuGraphRetainUserObject(g, o, 3, 0));
    R("h1", cuGraphRetainUserObject(h, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("g_release1", cuGraphReleaseUserObject(g, o, 1));
    R("g_release5", cuGraphReleaseUserObject(g, o, 5));
    say(t, " runs=%d", u_wait(0));
    R("destroy_h", cuGraphDestroy(h));
    say(t, " runs=%d", u_wait(0));
    R("g_release2", cuGraphReleaseUserObject(g, o, 2));
    say(t, " runs=%d", u_wait(1));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
}

/* A clone holds references of its own. */
CASE(graph, userobj_clone)
{
    CUuserObject o;
    CUgraph g, c = NULL;
    UO(o, 1);
    G0(g);
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("clone", cuGraphClone(&c, g));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(0));
    R("destroy_c", cuGraphDestroy(c));
    say(t, " runs=%d", u_wait(1));
}

/* An executable holds references; one attached later is not its own. */
CASE(graph, userobj_exec)
{
    CUuserObject o, late;
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    UO(o, 1);
    UO(late, 1);
    G0(g);
    ADD_ROOT(a, g);
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphRetainUserObject(g, late, 1, CU_GRAPH_USER_OBJECT_MOVE));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
    R("go", launch_once(x));
    say(t, " runs=%d", u_wait(1));
    R("destroy_x", cuGraphExecDestroy(x));
    say(t, " runs=%d", u_wait(2));
}

/* An embedded child graph holds references for the parent. */
CASE(graph, userobj_child)
{
    CUuserObject o;
    CUgraph ch, g;
    CUgraphNode a, x;
    CUgraphExec ex;
    UO(o, 1);
    G0(ch);
    ADD_ROOT(a, ch);
    OK(cuGraphRetainUserObject(ch, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    G0(g);
    OK(cuGraphAddChildGraphNode(&x, g, NULL, 0, ch));
    R("destroy_child", cuGraphDestroy(ch));
    say(t, " runs=%d", u_wait(0));
    OK(cuGraphInstantiate(&ex, g, 0));
    R("destroy_node", cuGraphDestroyNode(x));
    say(t, " runs=%d", u_wait(0));
    R("destroy_x", cuGraphExecDestroy(ex));
    say(t, " runs=%d", u_wait(1));
    R("destroy_g", cuGraphDestroy(g));
    say(t, " runs=%d", u_wait(1));
}

/* A launch in flight keeps the object, graph and executable destroyed. */
CASE(graph, userobj_in_flight)
{
    static Hold held;
    CUuserObject o;
    CUgraph g;
    CUgraphNode a;
    CUgraphExec x;
    CUstream s;
    CUDA_HOST_NODE_PARAMS hp = { .fn = hold, .userData = &held };
    UO(o, 1);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    G0(g);
    OK(cuGraphAddHostNode(&a, g, NULL, 0, &hp));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphDestroy(g));
    OK(cuGraphLaunch(x, s));
    R("destroy_x", cuGraphExecDestroy(x));
    int blocked = LOAD(held.expired);
    say(t, " blocked=%d runs=%d", blocked, u_wait(0));
    STORE(held.open, 1);
    R("sync", cuStreamSynchronize(s));
    say(t, " runs=%d", u_wait(1));
}
