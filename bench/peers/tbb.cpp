/* SPDX-License-Identifier: Apache-2.0
 *
 * The flow graph of oneTBB: a continue_node for each node, which counts the
 * messages of those before it.  With LIGHTWEIGHT a node runs inside the one
 * before it instead of becoming a task: less work on one thread, nothing to share
 * with a second.
 */
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/version.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "peer.h"

namespace {

using message = tbb::flow::continue_msg;
#ifdef LIGHTWEIGHT
using flow_node = tbb::flow::continue_node<message, tbb::flow::lightweight>;
#else
using flow_node = tbb::flow::continue_node<message>;
#endif

struct flow {
    tbb::flow::graph graph;
    std::deque<flow_node> nodes; /* which can neither move nor be copied */
    std::vector<flow_node *> roots;
};

std::unique_ptr<tbb::global_control> limit;

const char *open(int threads)
{
#ifdef LIGHTWEIGHT
    if (threads > 1) return nullptr;
    const std::string policy = ", lightweight";
#else
    const std::string policy;
#endif
    limit = std::make_unique<tbb::global_control>(
        tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
    static std::string version;
    version = std::string("oneTBB ") + TBB_runtime_version() + policy;
    return version.c_str();
}

void close()
{
    limit.reset();
}

void *make(const struct dag *dag, void (*fn)(void *data), void **data)
{
    auto made = std::make_unique<flow>();
    for (uint32_t v = 0; v < dag->nodes; v++) {
        void *argument = data[v];
        made->nodes.emplace_back(made->graph, [fn, argument](const message &) { fn(argument); });
        if (dag->first_before[v] == dag->first_before[v + 1])
            made->roots.push_back(&made->nodes.back());
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        for (uint32_t i = dag->first_after[v]; i < dag->first_after[v + 1]; i++)
            tbb::flow::make_edge(made->nodes[v], made->nodes[dag->after[i]]);
    return made.release();
}

void run(void *graph)
{
    auto *made = static_cast<flow *>(graph);
    for (flow_node *root : made->roots) root->try_put(message());
    made->graph.wait_for_all();
}

void unmake(void *graph)
{
    delete static_cast<flow *>(graph);
}

} // namespace

#ifdef LIGHTWEIGHT
const uint32_t chain_most = 20000; /* or the stack is full */
#else
const uint32_t chain_most = 0;
#endif

const struct engine peer_engine = { open, close, make, run, unmake, chain_most };
