/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed memory: buffers, copies and fills.
 */
#include "scene.hpp"

#include <array>
#include <vector>

static std::size_t free_bytes(rill::context_ref context)
{
    std::size_t bytes = 0;
    rill::check(rill_mem_info(context.get(), &bytes, nullptr));
    return bytes;
}

static void copies_take_whatever_has_data_and_size()
{
    scene s;
    const std::vector<int> up = { 1, 2, 3, 4 };
    std::array<int, 4> down = {};
    int plain[4] = {};
    rill::buffer<int> first(s.context, 4), second(s.context, 4);
    s.stream.copy(first, up);
    s.stream.copy(second, first);
    s.stream.copy(down, second);
    s.stream.copy(plain, second);
    s.stream.synchronize();
    EXPECT((down == std::array<int, 4>{ 1, 2, 3, 4 }));
    EXPECT(plain[3] == 4);
    s.context.copy(second, { 5, 6, 7, 8 });
    s.context.copy(first, second);
    s.context.copy(down, first);
    EXPECT(down[0] == 5);
}

static void a_copy_is_of_two_things_of_one_size()
{
    scene s;
    std::vector<int> two = { 1, 2 };
    const rill::buffer<int> four(s.context, 4);
    const auto failure = tap::thrown_by<rill::error>([&] { s.stream.copy(four, two); });
    EXPECT(failure.status() == RILL_ERROR_INVALID_VALUE);
    EXPECT(std::string(failure.explanation()).find("8 bytes") != std::string::npos);
    tap::thrown_by<rill::error>([&] { s.stream.copy(two, four); });
    s.stream.fill(four, 9);
    s.stream.copy(four.subspan(1, 2), two);
    std::vector<int> all(4);
    s.stream.copy(all, four);
    s.stream.synchronize();
    EXPECT((all == std::vector<int>{ 9, 1, 2, 9 }));
}

static void fills_have_the_type_of_the_elements()
{
    scene s;
    rill::buffer<float> floats(s.context, 3);
    rill::buffer<unsigned char> bytes(s.context, 3);
    s.context.fill(floats, 1.5f);
    s.stream.fill(bytes, 200);
    std::vector<float> f(3);
    std::vector<unsigned char> b(3);
    s.context.synchronize();
    s.context.copy(f, floats);
    s.context.copy(b, bytes);
    EXPECT(f[2] == 1.5f && b[2] == 200);
}

static void the_end_of_a_buffer_frees()
{
    scene s;
    const std::size_t before = free_bytes(s.context);
    {
        rill::buffer<char> first(s.context, 4096);
        EXPECT(free_bytes(s.context) < before);
        rill::buffer<char> second = std::move(first);
        EXPECT(first.empty() && !first.address());
        first = std::move(second);
        EXPECT(first.size() == 4096 && second.empty());
    }
    EXPECT(free_bytes(s.context) == before);
}

static void a_buffer_can_be_released_and_adopted()
{
    scene s;
    const std::size_t before = free_bytes(s.context);
    rill::buffer<int> buffer(s.context, 1024);
    const rill::device_span<int> released = buffer.release();
    EXPECT(buffer.empty() && released.size() == 1024);
    EXPECT(rill::buffer<int>(s.context, released).reset() == RILL_SUCCESS);
    EXPECT(free_bytes(s.context) == before);
}

static void nothing_is_a_buffer_too()
{
    scene s;
    const rill::buffer<int> none(s.context, 0);
    std::vector<int> empty;
    s.stream.copy(none, empty);
    s.stream.fill(none, 1);
    s.stream.copy(empty, none);
    s.stream.synchronize();
    EXPECT(none.empty());
}

static void too_much_is_refused()
{
    scene s;
    const rill::graph graph(s.context);
    const std::size_t count = SIZE_MAX / 2;
    const auto refused = [](const char *operation, auto function) {
        const auto failure = tap::thrown_by<rill::error>(function);
        EXPECT(failure.status() == RILL_ERROR_OUT_OF_MEMORY);
        EXPECT(failure.operation() == std::string(operation));
    };
    refused("rill::buffer", [&] { rill::buffer<double>(s.context, count); });
    refused("rill::buffer", [&] { rill::buffer<double>(s.stream, count); });
    refused("rill::host_buffer", [&] { rill::host_buffer<double>(s.context, count); });
    refused("rill::graph_ref::add_alloc", [&] { graph.add_alloc<double>({}, count); });
}

static void a_buffer_of_a_stream_is_freed_in_its_order()
{
    scene s;
    const rill::pool pool(s.platform);
    int value = 0;
    {
        gate closed(s.stream);
        rill::buffer<int> memory(s.stream, 1, pool);
        s.stream.fill(memory, 7);
        rill::host_buffer<int> host(s.context, 1);
        s.stream.copy(host, memory);
        EXPECT(memory.reset() == RILL_SUCCESS);
        closed.open();
        s.stream.synchronize();
        value = host[0];
    }
    EXPECT(value == 7);
    EXPECT(pool.attribute(RILL_POOL_USED_CURRENT) == 0);
}

static void pinned_memory_is_a_range()
{
    scene s;
    rill::host_buffer<int> host(s.context, 3);
    for (int &element : host) EXPECT(element == 0);
    host[1] = 4;
    rill::buffer<int> memory(s.context, 3);
    s.stream.copy(memory, host);
    s.stream.synchronize();
    std::vector<int> down(3);
    s.context.copy(down, memory);
    EXPECT(down[1] == 4);
    EXPECT(host.on_device().size() == 3);
    rill::host_buffer<int> moved = std::move(host);
    EXPECT(moved.size() == 3 && host.size() == 0);
}

int main()
{
    tap::test("copies take whatever has data and size", copies_take_whatever_has_data_and_size);
    tap::test("a copy is of two things of one size", a_copy_is_of_two_things_of_one_size);
    tap::test("fills have the type of the elements", fills_have_the_type_of_the_elements);
    tap::test("the end of a buffer frees", the_end_of_a_buffer_frees);
    tap::test("a buffer can be released and adopted", a_buffer_can_be_released_and_adopted);
    tap::test("nothing is a buffer, too", nothing_is_a_buffer_too);
    tap::test("too much is refused", too_much_is_refused);
    tap::test("a buffer of a stream is freed in its order",
              a_buffer_of_a_stream_is_freed_in_its_order);
    tap::test("pinned memory is a range", pinned_memory_is_a_range);
    return tap::done();
}
