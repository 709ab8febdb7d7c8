/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of oneTBB is a node of a flow graph that runs one call at a time and lets
 * the others wait in the order in which they came.
 */
#include <tbb/flow_graph.h>
#include <tbb/version.h>

#include <string>

#include "peer.h"

namespace {

using message = tbb::flow::continue_msg;

struct call {
    void (*fn)(void *data);
    void *data;
};

struct queue {
    tbb::flow::graph graph;
    tbb::flow::function_node<call> node{ graph, tbb::flow::serial, [](const call &call) {
                                            call.fn(call.data);
                                            return message();
                                        } };
};

const char *open()
{
    static const std::string version = std::string("oneTBB ") + TBB_runtime_version();
    return version.c_str();
}

void close()
{
}

void *make()
{
    return new queue;
}

void unmake(void *data)
{
    delete static_cast<queue *>(data);
}

void op(void *data, void (*fn)(void *), void *argument)
{
    static_cast<queue *>(data)->node.try_put({ fn, argument });
}

void wait(void *data)
{
    static_cast<queue *>(data)->graph.wait_for_all();
}

/* There are no events: each operation puts the next one into the other node.  Both
 * are of one graph, since a graph only knows when it has nothing to do itself. */
struct course {
    tbb::flow::graph graph;
    tbb::flow::function_node<int> nodes[2];
    int count;
    void (*fn)(void *);
    void *data;

    course(int hops, void (*call)(void *), void *argument)
        : nodes{ { graph, tbb::flow::serial, [this](int at) { return hop(at); } },
                 { graph, tbb::flow::serial, [this](int at) { return hop(at); } } },
          count(hops), fn(call), data(argument)
    {
    }

    message hop(int at)
    {
        fn(data);
        if (at + 1 < count) nodes[(at + 1) % 2].try_put(at + 1);
        return message();
    }
};

void hops(void *, void *, int count, void (*fn)(void *), void *data)
{
    course course(count, fn, data);
    course.nodes[0].try_put(0);
    course.graph.wait_for_all();
}

} // namespace

const struct queues peer_queues = { open, close, make, unmake, op, wait, hops, nullptr };
