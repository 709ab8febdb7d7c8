/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with typed arguments, graphs, and values that streams wait for.
 */
#include "scene.hpp"

#include <vector>

/* ---- Kernels -------------------------------------------------------------------- */

static void scale(const rill_launch &, float by, rill::device_ptr<const float> from,
                  rill::device_ptr<float> to, std::uint32_t count)
{
    for (std::uint32_t i = 0; i < count; i++) to.memory()[i] = by * from.memory()[i];
}

static void number(const rill_launch &launch, rill::device_ptr<std::uint32_t> numbers)
{
    numbers.memory()[launch.index.x] = launch.index.x + 1;
}

static void nothing(const rill_launch &) {}

using scale_kernel = rill::kernel<float, rill::device_ptr<const float>, rill::device_ptr<float>,
                                  std::uint32_t>;

static const rill_function functions[] = {
    rill::over_grid<scale>("scale"),
    rill::over_block<number>("number"),
    rill::over_grid<nothing>("nothing"),
};

struct workshop : scene {
    rill::module module{ context, functions };
};

static void arguments_are_converted_to_the_parameters()
{
    workshop s;
    const scale_kernel kernel(s.module, "scale");
    rill::buffer<float> from(s.context, 3), to(s.context, 3);
    std::vector<float> down(3);
    s.context.copy(from, { 1, 2, 3 });
    s.stream.launch_kernel(kernel, rill::grid(1, 1), 2, from, to, 3);
    s.stream.copy(down, to);
    s.stream.synchronize();
    EXPECT((down == std::vector<float>{ 2, 4, 6 }));
}

static void untyped_kernels_take_arguments_as_they_are()
{
    workshop s;
    rill::buffer<float> memory(s.context, 2);
    std::vector<float> down(2);
    s.context.fill(memory, 1);
    s.stream.launch_kernel(s.module.kernel("scale"), rill::grid(1, 1), 3.0f, memory, memory,
                           std::uint32_t{ 2 });
    s.stream.copy(down, memory);
    s.stream.synchronize();
    EXPECT(down[1] == 3);
}

static void parameters_are_compared_with_the_kernel()
{
    workshop s;
    const rill::kernel_ref untyped = s.module.kernel("scale");
    const auto size = tap::thrown_by<rill::error>([&] {
        rill::kernel<double, rill::device_ptr<float>, rill::device_ptr<float>, std::uint32_t> k(
            untyped);
    });
    EXPECT(size.status() == RILL_ERROR_INVALID_VALUE);
    EXPECT(std::string(size.explanation()).find("parameter 0 of scale has 4 bytes") == 0);
    tap::thrown_by<rill::error>([&] { rill::kernel<float> few(untyped); });
    tap::thrown_by<rill::error>([&] { rill::kernel<int> many(s.module, "nothing"); });
    s.stream.launch_kernel(rill::kernel<>(s.module, "nothing"), rill::grid(1, 1));
    s.stream.synchronize();
}

static void functions_over_blocks_see_their_block()
{
    workshop s;
    rill::buffer<std::uint32_t> numbers(s.context, 5);
    s.stream.launch_kernel(s.module.kernel("number"), rill::grid_over(17, 4), numbers);
    std::vector<std::uint32_t> down(5);
    s.stream.copy(down, numbers);
    s.stream.synchronize();
    EXPECT((down == std::vector<std::uint32_t>{ 1, 2, 3, 4, 5 }));
}

static void a_grid_has_as_many_blocks_as_there_have_to_be()
{
    static_assert(rill::grid_over(0, 256).blocks.x == 0);
    static_assert(rill::grid_over(1, 256).blocks.x == 1);
    static_assert(rill::grid_over(256, 256).blocks.x == 1);
    static_assert(rill::grid_over(257, 256).blocks.x == 2);
    static_assert(rill::grid_over(257, 256, 64).shared_bytes == 64);
}

/* And not some of them. */
static void a_grid_over_more_than_there_can_be_is_refused()
{
    workshop s;
    const rill::kernel<> kernel(s.module, "nothing");
    const std::size_t counts[] = { SIZE_MAX, (std::size_t{ 1 } << 40) + 1 };
    for (const std::size_t count : counts) {
        const auto failure = tap::thrown_by<rill::error>(
            [&] { s.stream.launch_kernel(kernel, rill::grid_over(count, 128)); });
        EXPECT(failure.status() == RILL_ERROR_INVALID_VALUE);
    }
    tap::thrown_by<rill::error>(
        [&] { s.stream.launch_kernel(kernel, rill::grid_over(5, 0)); });
}

/* ---- Graphs --------------------------------------------------------------------- */

static void a_graph_is_built_of_nodes()
{
    workshop s;
    const scale_kernel kernel(s.module, "scale");
    rill::buffer<float> memory(s.context, 2);
    std::vector<float> down(2);
    const rill::graph graph(s.context, "built");
    const rill_node fill = graph.add_fill({}, memory, 2);
    const rill_node alone = graph.add_empty({});
    const rill_node work = graph.add_kernel({ fill, alone }, kernel, rill::grid(1, 1), 5, memory,
                                            memory, 2);
    const rill_node copy = graph.add_copy({ work }, down, memory);
    EXPECT((graph.nodes() == std::vector<rill_node>{ fill, alone, work, copy }));
    EXPECT(graph.roots().size() == 2 && graph.edges().size() == 3);
    EXPECT(graph.kind(work) == RILL_OP_KERNEL);
    EXPECT(graph.dot().find("digraph") != std::string::npos);
    rill::exec(graph).launch(s.stream);
    s.stream.synchronize();
    EXPECT((down == std::vector<float>{ 10, 10 }));
}

static void a_child_is_copied_or_moved()
{
    scene s;
    int calls = 0;
    const rill::graph parent(s.context);
    rill::graph child(s.context);
    child.add_host({}, [&] { calls++; });
    const rill_node copied = parent.add_child({}, child);
    EXPECT(child);
    const rill_node moved = parent.add_child({ copied }, std::move(child));
    EXPECT(!child);
    EXPECT(parent.child(moved).nodes().size() == 1);
    rill::exec(parent).launch(s.stream);
    s.stream.synchronize();
    EXPECT(calls == 2);
}

static void a_child_that_cannot_move_stays()
{
    scene s;
    const rill::graph parent(s.context);
    rill::graph child(s.context);
    tap::thrown_by<rill::error>([&] { parent.add_child({ nullptr }, std::move(child)); });
    EXPECT(child);
}

static void an_update_is_taken_over_or_not()
{
    scene s;
    int which = 0;
    const auto setting = [&](int to) {
        rill::graph graph(s.context);
        graph.add_host({}, [&which, to] { which = to; });
        return graph;
    };
    rill::exec exec(setting(1));
    EXPECT(exec.update(setting(2)));
    exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT(which == 2);
    rill_update_result result = {};
    EXPECT(!exec.update(rill::graph(s.context), &result));
    EXPECT(result.reason == RILL_UPDATE_TOPOLOGY_CHANGED);
}

static void a_node_can_be_switched_off()
{
    scene s;
    rill::buffer<int> memory(s.context, 1);
    s.context.fill(memory, 1);
    const rill::graph graph(s.context);
    const rill_node fill = graph.add_fill({}, memory, 2);
    const rill::exec exec(graph);
    exec.set_enabled(fill, false);
    EXPECT(!exec.is_enabled(fill));
    exec.launch(s.stream);
    std::vector<int> down(1);
    s.stream.copy(down, memory);
    s.stream.synchronize();
    EXPECT(down[0] == 1);
}

static void a_graph_has_memory_of_its_own()
{
    scene s;
    const rill::graph graph(s.context);
    int down = 0;
    const auto memory = graph.add_alloc<int>({}, 1);
    const rill_node fill = graph.add_fill({ memory.node }, memory.memory, 6);
    const rill_node copy = graph.add_copy({ fill }, rill::span<int>(&down, 1), memory.memory);
    graph.add_free({ copy }, memory.memory);
    rill::exec(graph).launch(s.stream);
    s.stream.synchronize();
    EXPECT(down == 6);
}

static void a_conditional_has_bodies()
{
    scene s;
    rill::buffer<int> memory(s.context, 1);
    const rill::graph graph(s.context);
    const auto handle = graph.create_conditional(1, RILL_CONDITIONAL_ASSIGN);
    const auto taken = graph.add_conditional({}, handle, RILL_CONDITIONAL_IF);
    taken.bodies.at(0).add_fill({}, memory, 8);
    rill::exec(graph).launch(s.stream);
    std::vector<int> down(1);
    s.stream.copy(down, memory);
    s.stream.synchronize();
    EXPECT(down[0] == 8);
}

static void a_graph_keeps_a_value_alive()
{
    tracked::counts counts;
    scene s;
    rill::graph graph(s.context);
    {
        const rill::user_object<tracked> object(s.platform, tracked(counts));
        EXPECT(object.value());
        graph.retain(object);
    }
    EXPECT(counts.lives == 1);
    graph.reset();
    EXPECT(counts.lives == 0 && counts.ended == 1);
    tap::thrown_by<rill::error>(
        [&] { rill::user_object<tracked>(rill::platform_ref(), tracked(counts)); });
    EXPECT(counts.lives == 0 && counts.ended == 2);
}

static void a_clone_knows_its_nodes()
{
    scene s;
    const rill::graph graph(s.context);
    const rill_node node = graph.add_empty({});
    const rill::graph copy = rill::clone(graph);
    EXPECT(copy.kind(copy.find_in_clone(node)) == RILL_OP_EMPTY);
}

template <class T> static void a_value_is_written_and_waited_for(T value, std::uint32_t flags)
{
    scene s;
    rill::buffer<T> word(s.context, 1);
    rill::stream other(s.context);
    std::string order;
    s.context.copy(word, { 0 });
    {
        gate closed(other);
        s.stream.wait_value(word, value, flags);
        s.stream.launch_host([&] { order += 'b'; });
        other.launch_host([&] { order += 'a'; });
        other.write_value(word, value);
        EXPECT(!s.stream.query());
    }
    s.stream.synchronize();
    EXPECT(order == "ab");
}

static void values_are_written_and_waited_for()
{
    a_value_is_written_and_waited_for(std::uint32_t{ 3 }, RILL_WAIT_GEQ);
    a_value_is_written_and_waited_for(std::uint64_t{ 1 } << 40, RILL_WAIT_EQ);
}

int main()
{
    tap::test("arguments are converted to the parameters",
              arguments_are_converted_to_the_parameters);
    tap::test("untyped kernels take arguments as they are",
              untyped_kernels_take_arguments_as_they_are);
    tap::test("parameters are compared with the kernel", parameters_are_compared_with_the_kernel);
    tap::test("functions over blocks see their block", functions_over_blocks_see_their_block);
    tap::test("a grid has as many blocks as there have to be",
              a_grid_has_as_many_blocks_as_there_have_to_be);
    tap::test("a grid over more than there can be is refused",
              a_grid_over_more_than_there_can_be_is_refused);
    tap::test("a graph is built of nodes", a_graph_is_built_of_nodes);
    tap::test("a child is copied or moved", a_child_is_copied_or_moved);
    tap::test("a child that cannot move stays", a_child_that_cannot_move_stays);
    tap::test("an update is taken over or not", an_update_is_taken_over_or_not);
    tap::test("a node can be switched off", a_node_can_be_switched_off);
    tap::test("a graph has memory of its own", a_graph_has_memory_of_its_own);
    tap::test("a conditional has bodies", a_conditional_has_bodies);
    tap::test("a graph keeps a value alive", a_graph_keeps_a_value_alive);
    tap::test("a clone knows its nodes", a_clone_knows_its_nodes);
    tap::test("values are written and waited for", values_are_written_and_waited_for);
    return tap::done();
}
