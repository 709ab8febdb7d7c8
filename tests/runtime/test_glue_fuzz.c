/* SPDX-License-Identifier: Apache-2.0
 *
 * The registration calls in any order, with NULLs, images that were cut, names that are not
 * there, and addresses that come again: whatever a constructor may do before main() begins.
 * RILL_RANDOM_SEED chooses other orders.
 */
#include <stdio.h>

#include "runtime/runtime.h"

enum { ROUNDS = 500, STEPS = 40, IMAGES = 4, STUBS = 6 };

static uint64_t seed;

/* xorshift64* */
static unsigned pick(unsigned below)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (unsigned)(seed * 0x2545f4914f6cdd1du >> 33) % below;
}

/* ---- Images -------------------------------------------------------------------------------- */

static struct rt_fatbin fatbins[IMAGES];
static char *texts[IMAGES]; /* as long as they have to be, so that reading on is noticed */
static void *parts[IMAGES][3];

/* Text that ends anywhere, also within its head: a fatbin says how long it is. */
static char *cut_text(void)
{
    size_t most = strlen(program_text), bytes = pick(3) ? most : pick((unsigned)most);
    char *text = test_malloc(bytes + 1);
    memcpy(text, program_text, bytes);
    text[bytes] = 0;
    return text;
}

/* A container with a head, which may tell of more than there is for nobody to read. */
static char *make_container(void)
{
    const struct rt_fatbin_head head = { 0xba55ed50, 1, sizeof head, pick(2) ? 0 : 1 };
    char *container = test_calloc(1, sizeof head + 8);
    memcpy(container, &head, sizeof head);
    return container;
}

static void make_image(unsigned i)
{
    test_free(texts[i]);
    texts[i] = pick(4) ? cut_text() : make_container();
    parts[i][0] = pick(2) ? texts[i] : NULL;
    parts[i][1] = pick(2) ? texts[i] : NULL;
    fatbins[i] = (struct rt_fatbin){ RT_FATBIN_MAGIC, pick(4) ? 1 : RT_FATBIN_TO_LINK, texts[i],
                                     parts[i] };
}

/* ---- Steps --------------------------------------------------------------------------------- */

static void **images[IMAGES]; /* what is registered */
static char stubs[STUBS], symbols[STUBS];
static void *managed_pointers[STUBS];

static const char *any_name(void)
{
    static const char *const names[] = { "store", "add", "trap_here", "total", "table", "none",
                                         "" };
    return names[pick(sizeof names / sizeof names[0])];
}

static void register_managed(void **image, void **pointer, const char *name)
{
    CALL_AS(void, __cudaRegisterManagedVar,
            (void **, void **, char *, const char *, int, size_t, int, int),
            (image, pointer, NULL, name, 0, 4, 0, 0));
}

static void use_stub(const void *stub)
{
    const dim3 one = { 1, 1, 1 };
    uint32_t *word = NULL, value = 1;
    void *params[] = { &word, &value };
    CUkernel kernel;
    char attributes[256];
    switch (pick(3)) {
    case 0: /* a launch of nothing at 0 would fail the context: only what there is not */
        if (pick(2)) launch_sized(&params, one, one, params, NULL);
        else launch_sized(stub, (dim3){ 0, 1, 1 }, one, params, NULL);
        break;
    case 1: CALL(cudaGetKernel, (CUkernel *, const void *), (&kernel, stub)); break;
    default: CALL(cudaFuncGetAttributes, (void *, const void *), (attributes, stub));
    }
}

static void use_symbol(const void *symbol)
{
    uint32_t value = 0;
    void *address;
    if (pick(2))
        CALL(cudaGetSymbolAddress, (void **, const void *), (&address, symbol));
    else
        CALL(cudaMemcpyFromSymbol, (void *, const void *, size_t, size_t, int),
             (&value, symbol, pick(5), pick(20), cudaMemcpyDeviceToHost));
}

static void unregister(unsigned i)
{
    unregister_program(images[i]);
    images[i] = NULL;
}

static void register_image(unsigned i)
{
    if (images[i]) unregister(i);
    make_image(i);
    images[i] = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&fatbins[i]));
}

static void take_step(void)
{
    unsigned i = pick(IMAGES), j = pick(STUBS);
    switch (pick(10)) {
    case 0: register_image(i); break;
    case 1: unregister(i); break;
    case 2:
        CALL_AS(void, __cudaRegisterFatBinaryEnd, (void **), (images[i]));
        break;
    case 3:
    case 4: register_function(images[i], pick(8) ? &stubs[j] : NULL, any_name()); break;
    case 5: register_variable(images[i], pick(8) ? &symbols[j] : NULL, any_name(), pick(20)); break;
    case 6: register_managed(images[i], &managed_pointers[j], any_name()); break;
    case 7: /* seldom, since each time it says what it lacks */
        if (!pick(50)) CALL_AS(char, __cudaInitModule, (void **), (images[i]));
        break;
    case 8: use_stub(pick(8) ? &stubs[j] : NULL); break;
    default: use_symbol(pick(8) ? &symbols[j] : NULL);
    }
}

/* ---- What still holds ---------------------------------------------------------------------- */

/* After each round, a program that is as it should be runs. */
static void check_a_program(void)
{
    void **image = register_program();
    uint32_t *word = allocate(4);
    LAST();
    OK(launch(&store_stub, word, 5, NULL));
    assert_int_equal(word_at(word), 5);
    OK(CALL(cudaFree, (void *), (word)));
    unregister_program(image);
}

static void any_order_of_registrations_is_survived(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned step = 0; step < STEPS; step++) take_step();
        if (round % 10 == 0) check_a_program();
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        unregister(i);
        test_free(texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_registrations_is_survived),
    };
    const char *chosen = getenv("RILL_RANDOM_SEED");
    seed = chosen ? strtoull(chosen, NULL, 0) : 1;
    if (!seed) seed = 1;
    runtime_open(RUNTIME_13);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
