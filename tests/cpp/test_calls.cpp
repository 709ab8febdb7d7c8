/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that pass their arguments on: what they do is C's and is tested there, and here that
 * the right call gets each argument in its place.
 */
#include "scene.hpp"

#include <cstring>
#include <vector>

/* Two devices, with a context and a stream of each. */
struct pair : scene {
    static rill::platform open()
    {
        rill_sim_options sim = {};
        sim.size = sizeof sim;
        sim.devices = 2;
        rill_open_options options = {};
        options.backend = "sim";
        options.sim = &sim;
        return rill::open(options);
    }

    rill::platform both = open();
    rill::context first{ both, 0 }, second{ both, 1 };
};

/* ---- Devices and pools ------------------------------------------------------------ */

static void peers_are_let_in_one_way()
{
    pair s;
    EXPECT(s.second.device() == 1 && s.both.device_count() == 2);
    EXPECT(s.both.can_access_peer(0, 1) && !s.both.can_access_peer(1, 1));
    s.first.enable_peer(s.second);
    rill_context *first = s.first.get(), *second = s.second.get();
    EXPECT(rill_context_enable_peer(first, second) == RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    EXPECT(rill_context_disable_peer(second, first) == RILL_ERROR_PEER_ACCESS_NOT_ENABLED);
    s.first.disable_peer(s.second);
    EXPECT(rill_context_disable_peer(first, second) == RILL_ERROR_PEER_ACCESS_NOT_ENABLED);
}

static void a_device_has_a_pool_and_another_can_take_its_place()
{
    pair s;
    const rill::pool_ref given = rill::default_pool(s.both, 1);
    rill_pool_options options = {};
    options.device = 1;
    rill::pool own(s.both, options);
    EXPECT(given != rill::default_pool(s.both));
    EXPECT(rill::current_pool(s.both, 1) == given);
    rill::set_current_pool(s.both, 1, own);
    EXPECT(rill::current_pool(s.both, 1) == own && rill::default_pool(s.both, 1) == given);
    EXPECT(rill::current_pool(s.both) == rill::default_pool(s.both));
    own.reset();
    EXPECT(rill::current_pool(s.both, 1) == given);
}

static void a_pool_lets_devices_in_and_keeps_what_it_is_told_to()
{
    pair s;
    const rill::pool pool(s.both);
    const rill::stream stream(s.first);
    EXPECT(pool.access(0) == RILL_ACCESS_READ_WRITE && pool.access(1) == RILL_ACCESS_NONE);
    pool.set_access(1, RILL_ACCESS_READ_WRITE);
    EXPECT(pool.access(1) == RILL_ACCESS_READ_WRITE);
    pool.set_attribute(RILL_POOL_RELEASE_THRESHOLD, UINT64_MAX);
    EXPECT(pool.attribute(RILL_POOL_RELEASE_THRESHOLD) == UINT64_MAX);
    rill::buffer<char>(stream, 4096, pool).reset();
    stream.synchronize();
    const std::uint64_t kept = pool.attribute(RILL_POOL_RESERVED_CURRENT);
    EXPECT(kept > 0);
    pool.trim(static_cast<std::size_t>(kept));
    EXPECT(pool.attribute(RILL_POOL_RESERVED_CURRENT) == kept);
    pool.trim();
    EXPECT(pool.attribute(RILL_POOL_RESERVED_CURRENT) == 0);
}

/* ---- Streams ---------------------------------------------------------------------- */

static void streams_wait_for_events_and_for_one_another()
{
    scene s;
    const rill::stream behind(s.context), last(s.context);
    const rill::event event(s.context);
    std::string order;
    {
        gate closed(s.stream);
        s.stream.launch_host([&] { order += 'a'; });
        event.record(s.stream);
        behind.wait_event(event);
        behind.launch_host([&] { order += 'b'; });
        last.wait_stream(behind);
        last.launch_host([&] { order += 'c'; });
        EXPECT(!event.query() && !behind.query() && !last.query());
    }
    last.synchronize();
    EXPECT(order == "abc");
}

static void a_stream_takes_all_of_its_forks_back()
{
    scene s;
    const rill::stream side(s.context);
    const rill::graph graph = rill::capture(s.stream, [&] {
        s.stream.fork(side);
        side.launch_host([] {});
        EXPECT(rill::capture_info(side).id == rill::capture_info(s.stream).id);
        s.stream.join_all();
    });
    EXPECT(graph.nodes().size() == 1 && !rill::is_capturing(side));
}

static void a_stream_runs_whatever_an_operation_says()
{
    scene s;
    int calls = 0;
    rill_op op = {};
    op.kind = RILL_OP_HOST;
    op.host.fn = [](void *data) { ++*static_cast<int *>(data); };
    op.host.data = &calls;
    s.stream.submit(op);
    s.stream.synchronize();
    EXPECT(calls == 1);
}

static void streams_are_told_apart()
{
    scene s;
    rill_stream_options options = {};
    options.priority = s.context.priority_range().greatest;
    const rill::stream urgent(s.context, options);
    EXPECT(urgent.priority() == options.priority && s.stream.priority() != options.priority);
    EXPECT(urgent.id() != s.stream.id());
    EXPECT(rill::legacy_stream(s.context).get() == rill_stream_legacy(s.context.get()));
    EXPECT(rill::per_thread_stream(s.context).get() == rill_stream_per_thread(s.context.get()));
}

/* ---- Kernels ---------------------------------------------------------------------- */

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".visible .global .u32 numbers[3] = {4, 5, 6};\n"
                           ".visible .entry first() .maxntid 64 { ret; }\n"
                           ".visible .entry second() { ret; }\n";

static void a_module_has_kernels_and_variables()
{
    scene s;
    const rill::module module(s.context, text);
    const auto numbers = module.variable<std::uint32_t>("numbers");
    std::vector<std::uint32_t> down(3);
    EXPECT(numbers.size() == 3 && module.kernel_count() == 2);
    s.context.copy(down, numbers);
    EXPECT((down == std::vector<std::uint32_t>{ 4, 5, 6 }));
    const rill::kernel_ref kernel = module.kernel("first");
    EXPECT(!std::strcmp(kernel.name(), "first"));
    EXPECT(kernel.attribute(RILL_KERNEL_MAX_THREADS_PER_BLOCK) == 64);
    kernel.set_attribute(RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES, 1000);
    EXPECT(kernel.attribute(RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES) == 1000);
}

/* ---- Graphs ----------------------------------------------------------------------- */

static void nodes_wait_for_events_and_record_them()
{
    scene s;
    const rill::event before(s.context), after(s.context);
    const rill::stream other(s.context);
    bool done = false;
    const rill::graph graph(s.context);
    const rill_node wait = graph.add_event_wait({}, before);
    const rill_node work = graph.add_host({ wait }, [&] { done = true; });
    const rill_node record = graph.add_event_record({ work }, after);
    EXPECT(graph.kind(wait) == RILL_OP_EVENT_WAIT && graph.kind(record) == RILL_OP_EVENT_RECORD);
    const rill::exec exec(graph);
    {
        gate closed(other);
        before.record(other);
        exec.upload(s.stream);
        exec.launch(s.stream);
        EXPECT(!after.query());
    }
    after.synchronize();
    EXPECT(done);
    s.stream.synchronize();
}

static void nodes_copy_boxes_and_write_values()
{
    scene s;
    const rill::buffer<std::uint32_t> word(s.context, 2);
    const std::uint32_t from = 5;
    std::vector<std::uint32_t> down(2);
    rill_copy copy = {};
    copy.dst = rill_device_place(word.address());
    copy.src = rill_host_place(&from);
    copy.width = sizeof from;
    copy.height = copy.depth = 1;
    rill_value write = {};
    write.kind = RILL_VALUE_WRITE_32;
    write.address = word.address() + 4;
    write.value = 6;
    rill_op fill = {};
    fill.kind = RILL_OP_MEMSET;
    fill.memset = { word.address(), 0, 9, 4, 2, 1 };
    const rill::graph graph(s.context);
    const rill_node first = graph.add_node({}, fill);
    const rill_node second = graph.add_memcpy({ first }, copy);
    graph.add_values({ second }, rill::span<const rill_value>(&write, 1));
    rill::exec exec(graph);
    exec.launch(s.stream);
    s.stream.copy(down, word);
    s.stream.synchronize();
    EXPECT((down == std::vector<std::uint32_t>{ 5, 6 }));
    fill.memset.dst += 4;
    fill.memset.width = 1;
    exec.set_op(first, fill);
    s.context.fill(word, 1);
    exec.set_enabled(second, false);
    exec.launch(s.stream);
    s.stream.copy(down, word);
    s.stream.synchronize();
    EXPECT((down == std::vector<std::uint32_t>{ 1, 6 }));
}

static void a_graph_is_changed_until_it_is_right()
{
    scene s;
    const rill::graph graph(s.context);
    const rill_node a = graph.add_empty({}), b = graph.add_empty({}), c = graph.add_empty({ b });
    graph.add_edge(a, b);
    graph.remove_edge(b, c);
    EXPECT(graph.edges().size() == 1);
    EXPECT(graph.edges()[0].from == a && graph.edges()[0].to == b);
    graph.remove_node(c);
    EXPECT((graph.nodes() == std::vector<rill_node>{ a, b }));
    int calls = 0;
    rill_op op = {};
    op.kind = RILL_OP_HOST;
    op.host.fn = [](void *data) { ++*static_cast<int *>(data); };
    op.host.data = &calls;
    const rill_node host = graph.add_host({ b }, [] {});
    graph.set_op(host, op);
    const rill::exec exec(graph, RILL_EXEC_AUTO_FREE);
    EXPECT(exec.flags() == RILL_EXEC_AUTO_FREE && exec.bytes() > 0);
    exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT(calls == 1);
}

/* ---- Replays ---------------------------------------------------------------------- */

static void a_replay_tells_what_it_did_and_gives_its_execs_back()
{
    scene s;
    rill::replay replay(s.context, [](rill::stream_ref stream) { stream.launch_host([] {}); });
    replay.step(s.stream);
    replay.step(s.stream);
    s.stream.synchronize();
    EXPECT(replay.info().instantiations == 1 && replay.info().execs == 1);
    replay.clear();
    EXPECT(replay.info().execs == 0);
}

/* ---- Labels ----------------------------------------------------------------------- */

template <class Object> static bool takes_a_label(const Object &object)
{
    object.set_label("its name");
    return !std::strcmp(object.label(), "its name");
}

static void whatever_has_a_label_can_be_given_one()
{
    scene s;
    const rill::graph graph(s.context);
    const rill_node node = graph.add_empty({});
    EXPECT(takes_a_label(s.context) && takes_a_label(s.stream));
    EXPECT(takes_a_label(graph) && takes_a_label(rill::exec(graph)));
    EXPECT(takes_a_label(rill::event(s.context)) && takes_a_label(rill::pool(s.platform)));
    EXPECT(takes_a_label(rill::replay(s.context, [] {})));
    graph.set_node_label(node, "the only node");
    EXPECT(graph.dot().find("the only node") != std::string::npos);
}

int main()
{
    tap::test("peers are let in one way", peers_are_let_in_one_way);
    tap::test("a device has a pool, and another can take its place",
              a_device_has_a_pool_and_another_can_take_its_place);
    tap::test("a pool lets devices in and keeps what it is told to",
              a_pool_lets_devices_in_and_keeps_what_it_is_told_to);
    tap::test("streams wait for events and for one another",
              streams_wait_for_events_and_for_one_another);
    tap::test("a stream takes all of its forks back", a_stream_takes_all_of_its_forks_back);
    tap::test("a stream runs whatever an operation says",
              a_stream_runs_whatever_an_operation_says);
    tap::test("streams are told apart", streams_are_told_apart);
    tap::test("a module has kernels and variables", a_module_has_kernels_and_variables);
    tap::test("nodes wait for events and record them", nodes_wait_for_events_and_record_them);
    tap::test("nodes copy boxes and write values", nodes_copy_boxes_and_write_values);
    tap::test("a graph is changed until it is right", a_graph_is_changed_until_it_is_right);
    tap::test("a replay tells what it did and gives its execs back",
              a_replay_tells_what_it_did_and_gives_its_execs_back);
    tap::test("whatever has a label can be given one", whatever_has_a_label_can_be_given_one);
    return tap::done();
}
