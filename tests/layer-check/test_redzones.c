/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards behind allocations: what functions of C write there is found when the memory is freed, or
 * at the end.
 */
#include "layer-check/checked.h"
#include "support/emulated.h"

enum { BYTES = 1000 };

static const char says_behind[] =
    "something of C writes behind an allocation, from the byte 0 after its end on";

static void write_byte(void *byte)
{
    *(volatile char *)byte = 0;
}

static void write_at(struct checked *c, rill_devptr address)
{
    OK(rill_launch_host(c->s, write_byte, (void *)(uintptr_t)address, NULL));
    OK(rill_stream_synchronize(c->s));
}

static rill_devptr allocate(struct checked *c, size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc(c->context, bytes, &address));
    return address;
}

/* AddressSanitizer sees such writes itself, and ends the program. */
static void needs_redzones(void)
{
#if defined(__SANITIZE_ADDRESS__)
    skip();
#endif
}

static void a_write_behind_is_found_when_the_memory_is_freed(void **state)
{
    struct checked c;
    (void)state;
    needs_redzones();
    begin_checked(&c);
    rill_devptr x = allocate(&c, BYTES);
    write_at(&c, x + BYTES);
    assert_int_equal(c.count, 0);
    OK(rill_mem_free(c.context, x));
    expect_found(&c, RILL_FINDING_LIFETIME, says_behind);
    end_checked(&c);
}

static void it_is_found_where_the_allocation_fills_its_pages(void **state)
{
    struct checked c;
    (void)state;
    needs_redzones();
    begin_checked(&c);
    rill_devptr x = allocate(&c, 4096);
    write_at(&c, x + 4096);
    OK(rill_mem_free(c.context, x));
    expect_found(&c, RILL_FINDING_LIFETIME, says_behind);
    end_checked(&c);
}

static void it_is_found_at_the_end_of_the_context(void **state)
{
    struct checked c;
    (void)state;
    needs_redzones();
    begin_checked(&c);
    rill_devptr x = allocate(&c, BYTES);
    write_at(&c, x + BYTES);
    end_checked(&c);
    expect_found(&c, RILL_FINDING_LIFETIME, says_behind);
}

static void it_is_found_at_the_end_of_a_process_that_frees_nothing(void **state)
{
    char command[512], said[4096];
    needs_redzones();
    needs_own_programs();
    snprintf(command, sizeof command, "RILL_CHECK=life %s leave 2>&1", (const char *)*state);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
    assert_non_null(strstr(said, says_behind));
}

static int leave(void)
{
    struct checked c;
    begin_checked(&c);
    OK(rill_check_report(c.platform, NULL, NULL));
    write_at(&c, allocate(&c, BYTES) + BYTES);
    return 0;
}

static void writes_inside_are_nobodys_business(void **state)
{
    struct checked c;
    (void)state;
    begin_checked(&c);
    for (int i = 0; i < 3; i++) {
        rill_devptr x = allocate(&c, BYTES), y = allocate(&c, 4096);
        write_at(&c, x), write_at(&c, x + BYTES - 1), write_at(&c, y + 4095);
        OK(rill_mem_free(c.context, y));
        OK(rill_mem_free(c.context, x));
    }
    end_checked(&c);
    assert_int_equal(c.count, 0);
}

/* ---- Memory that the host writes as well ------------------------------------------------- */

static const char host_says_behind[] =
    "the host or something of C writes behind an allocation, from the byte 3 after its end on";

typedef void with_shared(struct checked *c, volatile char *memory, size_t bytes);

static void with_pinned(struct checked *c, size_t bytes, with_shared *use)
{
    void *memory;
    OK(rill_host_alloc(c->context, bytes, 0, &memory));
    use(c, memory, bytes);
    OK(rill_host_free(c->context, memory));
}

static void with_managed(struct checked *c, size_t bytes, with_shared *use)
{
    rill_devptr memory;
    OK(rill_mem_alloc_managed(c->context, bytes, RILL_ATTACH_GLOBAL, &memory));
    use(c, (volatile char *)(uintptr_t)memory, bytes);
    OK(rill_mem_free(c->context, memory));
}

static void write_behind(struct checked *c, volatile char *memory, size_t bytes)
{
    memory[0] = 1, memory[bytes + 3] = 1;
    assert_int_equal(c->count, 0);
}

static void write_inside(struct checked *c, volatile char *memory, size_t bytes)
{
    memory[0] = 1, memory[bytes - 1] = 1;
    OK(rill_memset_d8(c->context, (uintptr_t)memory, 1, bytes));
    assert_int_equal(c->count, 0);
}

static void the_host_writes_behind_pinned_memory(void **state)
{
    struct checked c;
    (void)state;
    needs_redzones();
    for (size_t bytes = 36; bytes <= 4096; bytes += 4060) { /* a part of a page, and all of it */
        begin_checked(&c);
        with_pinned(&c, bytes, write_behind);
        expect_found(&c, RILL_FINDING_LIFETIME, host_says_behind);
        end_checked(&c);
    }
}

static void the_host_writes_behind_managed_memory(void **state)
{
    struct checked c;
    (void)state;
    needs_redzones();
    for (size_t bytes = 36; bytes <= 4096; bytes += 4060) {
        begin_checked(&c);
        with_managed(&c, bytes, write_behind);
        expect_found(&c, RILL_FINDING_LIFETIME, host_says_behind);
        end_checked(&c);
    }
}

static void behind_managed_memory_that_is_left_as_well(void **state)
{
    struct checked c;
    rill_devptr memory;
    (void)state;
    needs_redzones();
    begin_checked(&c);
    OK(rill_mem_alloc_managed(c.context, BYTES, RILL_ATTACH_GLOBAL, &memory));
    ((volatile char *)(uintptr_t)memory)[BYTES + 3] = 1;
    end_checked(&c);
    expect_found(&c, RILL_FINDING_LIFETIME, host_says_behind);
}

static void writes_of_the_host_inside_are_nobodys_business(void **state)
{
    struct checked c;
    (void)state;
    begin_checked(&c);
    for (size_t bytes = 36; bytes <= 4096; bytes += 4060) {
        with_pinned(&c, bytes, write_inside);
        with_managed(&c, bytes, write_inside);
    }
    end_checked(&c);
    assert_int_equal(c.count, 0);
}

/* What a program asks of its memory is answered as without red zones. */
static void redzones_do_not_show(void **state)
{
    struct checked c;
    size_t before, after, bytes;
    rill_devptr base;
    (void)state;
    begin_checked(&c);
    OK(rill_mem_info(c.context, &before, &bytes));
    rill_devptr x = allocate(&c, 4096);
    OK(rill_mem_info(c.context, &after, &bytes));
    assert_int_equal(before - after, 4096);
    OK(rill_mem_range(c.context, x + 100, &base, &bytes));
    assert_int_equal(base, x);
    assert_int_equal(bytes, 4096);
    assert_int_equal(rill_memset_d8(c.context, x, 0, 4097), RILL_ERROR_INVALID_VALUE);
    OK(rill_mem_free(c.context, x));
    OK(rill_mem_info(c.context, &after, &bytes));
    assert_int_equal(before, after);
    end_checked(&c);
    assert_int_equal(c.count, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "leave")) return leave();
    setenv("RILL_CHECK", "log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_behind_is_found_when_the_memory_is_freed),
        cmocka_unit_test(it_is_found_where_the_allocation_fills_its_pages),
        cmocka_unit_test(it_is_found_at_the_end_of_the_context),
        cmocka_unit_test_prestate(it_is_found_at_the_end_of_a_process_that_frees_nothing,
                                  argv[0]),
        cmocka_unit_test(writes_inside_are_nobodys_business),
        cmocka_unit_test(the_host_writes_behind_pinned_memory),
        cmocka_unit_test(the_host_writes_behind_managed_memory),
        cmocka_unit_test(behind_managed_memory_that_is_left_as_well),
        cmocka_unit_test(writes_of_the_host_inside_are_nobodys_business),
        cmocka_unit_test(redzones_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
