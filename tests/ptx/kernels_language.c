/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of cuda/language.cu compute. */
#include "kernels.h"

#include <stdio.h>

static uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t ackermann(uint32_t a, uint32_t n)
{
    if (!a) return n + 1;
    return ackermann(a - 1, n ? ackermann(a, n - 1) : 1);
}

static void recursion(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        if (x->grid * x->block > 600) continue;
        uint32_t n = x->grid * x->block;
        uint32_t *out = machine_memory(m, 2 * n * sizeof *out);
        struct { uint32_t *out; } params = { out };
        RUN(m, "recursion", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t wanted[2] = { fibonacci(i % 13), ackermann(i % 3, i % 5) };
            same_words("answers", out + 2 * i, wanted, 2);
        }
    }
}

static void function_pointers(struct machine *m)
{
    uint32_t n = 500;
    int *a = random_memory(m, n * 4, 1), *b = random_memory(m, n * 4, 2);
    int *out = machine_memory(m, n * 4);
    for (uint32_t i = 0; i < n; i++) b[i] >>= 20;
    struct { int *out, *a, *b; uint32_t n; } params = { out, a, b, n };
    RUN(m, "function_pointers", (&(struct extents){ 3, 200 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i], wanted = 0;
        switch (x % 4) {
        case 0: wanted = x + y; break;
        case 1: wanted = x - y; break;
        case 2: wanted = x * y; break;
        case 3: wanted = b[i] ? (uint32_t)(a[i] / b[i]) : ~0u; break;
        }
        same_words("answer", (uint32_t *)&out[i], &wanted, 1);
    }
}

static void virtual_calls(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block;
        float *out = machine_memory(m, n * sizeof *out);
        struct { float *out; } params = { out };
        RUN(m, "virtual_calls", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            float side = (float)i, wanted[3] = { side * side + 4, 2.5980762f * side * side + 6, 0 };
            same_floats("measure", &out[i], &wanted[i % 3], 1);
        }
    }
}

struct big {
    int numbers[7];
    char letter;
    double half;
};

static struct big turned(struct big b, int by)
{
    struct big r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 7; i++) r.numbers[i] = b.numbers[(i + by) % 7];
    r.letter = (char)(b.letter + by);
    r.half = b.half * by;
    return r;
}

static void structs_by_value(struct machine *m)
{
    struct big first = { { 1, -2, 3, -4, 5, -6, 7 }, 'a', 0.5 };
    struct big second = { { 9, 8, 7, 6, 5, 4, 3 }, 'Q', -1.75 };
    uint32_t n = 150;
    struct big *out = machine_memory(m, n * sizeof *out);
    struct { struct big *out, in; char a; short b; long long c; struct big more; } params =
        { out, first, -3, 1000, 1234567890123, second };
    RUN(m, "structs_by_value", (&(struct extents){ 3, 50 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        struct big wanted = turned(first, (int)(i % 7));
        wanted.numbers[0] += -3 + 1000;
        wanted.half += 1234567890123.0 + second.half;
        wanted.letter ^= second.letter;
        wanted = turned(wanted, second.numbers[i % 7] & 3);
        same_bytes("numbers", out[i].numbers, wanted.numbers, sizeof wanted.numbers);
        same_bytes("letter", &out[i].letter, &wanted.letter, 1);
        same_doubles("half", &out[i].half, &wanted.half, 1);
    }
}

static int32_t switched(int32_t v)
{
    uint32_t u = (uint32_t)v;
    switch (u % 12) {
    case 0: return (int32_t)(u + 17);
    case 1: return (int32_t)(u ^ u << 3);
    case 2: return (int32_t)(-u * 5);
    case 3: return (int32_t)(u * 5);
    case 4: return v / 3;
    case 5: while (v & 1) v >>= 1; return v;
    case 6: return __builtin_popcount(u);
    case 8: return v | 0x1000;
    case 9: return u ? __builtin_clz(u) : 32;
    case 11: return v % 1000;
    default: return v;
    }
}

static void switches(struct machine *m)
{
    uint32_t n = 2000;
    int32_t *in = random_memory(m, n * 4, 6), *out = machine_memory(m, n * 4);
    for (uint32_t i = 0; i < n; i++)
        if (in[i] == -1) in[i] = 5;
    struct { int32_t *out, *in; uint32_t n; } params = { out, in, n };
    RUN(m, "switches", (&(struct extents){ 8, 256 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t wanted = (uint32_t)in[i] % 12 == 10 ? 0 : (uint32_t)switched(in[i]);
        same_words("switched", (uint32_t *)&out[i], &wanted, 1);
    }
}

static void variables(struct machine *m)
{
    static const char *const words[] = { "zero", "one", "two", "three", "four" };
    static const unsigned table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int *out = machine_memory(m, 64 * sizeof *out);
    struct { int *out; } params = { out };
    RUN(m, "variables", (&(struct extents){ 1, 64 }), 0, &params);
    for (int i = 0; i < 64; i++) {
        uint32_t wanted = 0;
        for (const char *word = words[i % 5]; *word; word++)
            wanted = wanted * 31 + (unsigned char)*word;
        wanted += (uint32_t)("a secret key 15"[i % 16] - 7 + 2 + "constant"[i % 8] + 5);
        wanted += table[i % 2][i % 3] + (i % 2 ? 0 : 1);
        same_words("sum", (uint32_t *)&out[i], &wanted, 1);
    }
    size_t bytes;
    int *counter = machine_variable(m, "counter", &bytes);
    assert_int_equal(bytes, 4);
    assert_int_equal(*counter, 1001);
    const float *floats = machine_variable(m, "floats", &bytes);
    same_floats("floats", floats, (float[]){ 1.5f, -0.0f, 3.25e10f }, 3);
}

static void local_arrays(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block, first = 99;
        uint32_t *out = machine_memory(m, n * sizeof *out);
        struct { uint32_t *out, seed; } params = { out, first };
        RUN(m, "local_arrays", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t deck[52], spots[52], seed = first, sum = 0;
            for (uint32_t k = 0; k < 52; k++) deck[k] = k;
            for (uint32_t k = 51; k > 0; k--) {
                seed = seed * 1664525u + 1013904223u + i;
                uint32_t other = (seed >> 8) % (k + 1), card = deck[k];
                deck[k] = deck[other];
                deck[other] = card;
            }
            for (uint32_t k = 0; k < 52; k++) spots[deck[k]] = k;
            for (uint32_t k = 0; k < 52; k++)
                sum = sum * 3 + deck[spots[(k * 5 + i) % 52]] * spots[k];
            same_words("sum", &out[i], &sum, 1);
        }
    }
}

static void turn_text(char *at, uint32_t *length)
{
    *length = (uint32_t)strlen(at);
    for (uint32_t k = 0; k < *length; k++) {
        if (at[k] >= 'a' && at[k] <= 'z') at[k] = (char)('a' + (at[k] - 'a' + 13) % 26);
        else if (at[k] >= 'A' && at[k] <= 'Z') at[k] = (char)(at[k] + 32);
    }
    for (uint32_t k = 0; k < *length / 2; k++) {
        char c = at[k];
        at[k] = at[*length - 1 - k];
        at[*length - 1 - k] = c;
    }
}

static void strings(struct machine *m)
{
    struct dice dice = { 77 };
    uint32_t n = 130, stride = 41;
    char *text = machine_memory(m, n * stride);
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0, length = dice_below(&dice, 41); k < length; k++)
            text[i * stride + (uint32_t)k] = (char)BETWEEN(&dice, ' ', '~');
    char *wanted = copied(text, n * stride);
    uint32_t *lengths = machine_memory(m, n * sizeof *lengths);
    struct { char *text; uint32_t *lengths, stride, n; } params = { text, lengths, stride, n };
    RUN(m, "strings", (&(struct extents){ 2, 100 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t length;
        turn_text(wanted + i * stride, &length);
        same_words("length", &lengths[i], &length, 1);
    }
    same_bytes("text", text, wanted, n * stride);
    free(wanted);
}

static void checksum(struct machine *m)
{
    uint32_t n = 96, each = 37;
    unsigned char *data = random_memory(m, n * each, 5);
    memcpy(data, "123456789", 9);
    uint32_t *out = machine_memory(m, n * sizeof *out);
    struct { uint32_t *out; unsigned char *data; uint32_t each; } params = { out, data, each };
    RUN(m, "checksum", (&(struct extents){ 3, 32 }), 0, &params);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t crc = ~0u;
        for (uint32_t k = 0; k < each; k++) {
            crc ^= data[i * each + k];
            for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
        }
        crc = ~crc;
        same_words("crc", &out[i], &crc, 1);
    }
}

static void print(struct machine *m)
{
    char *word = machine_memory(m, 8), wanted[200];
    strcpy(word, "word");
    struct { int n; double x; char *word; } params = { 42, -3.14159, word };
    RUN(m, "print", (&(struct extents){ 1, 40 }), 0, &params);
    snprintf(wanted, sizeof wanted, "%d of %s: %5.2f %c %llx %% %-6d|%+05d|%s\n", 42, "block",
             -3.14159, 'q', 0x123456789abcdefull, 42, 42, word);
    assert_string_equal(machine_printed(m), wanted);

    machine_run(m, "print_each", &(struct machine_shape){ .block = { 5 } }, NULL, 0);
    assert_string_equal(machine_printed(m), "thread 0\nthread 1\nthread 2\nthread 3\nthread 4\n");
}

static void check(struct machine *m)
{
    int *in = machine_memory(m, 64 * sizeof *in);
    struct { int *in; } params = { in };
    struct machine_shape shape = { .block = { 64 } };
    machine_run(m, "check", &shape, &params, sizeof params);
    in[37] = -1;
    machine_fails(m, "check", &shape, &params, sizeof params, RILL_ERROR_ASSERT,
                  "no number is negative", "37");
}

static void lists(struct machine *m)
{
    EACH_EXTENT(odd_extents, x) {
        uint32_t n = x->grid * x->block, length = 5;
        if (n > 600) continue;
        uint32_t *out = machine_memory(m, n * sizeof *out);
        struct { uint32_t *out, length; } params = { out, length };
        RUN(m, "lists", x, 0, &params);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t sum = 0;
            for (uint32_t k = length + i % 3; k-- > 0;) sum = sum * 7 + i + k;
            same_words("sum", &out[i], &sum, 1);
        }
        assert_int_equal(machine_heap_live(m), 0);
    }
}

static const struct kernel_case rows[] = {
    { "functions call themselves", "language", recursion, false, 0 },
    { "lanes call functions by pointers, each another", "language", function_pointers, false, 0 },
    { "virtual functions are those of the object", "language", virtual_calls, false, 0 },
    { "structs are passed and returned by value", "language", structs_by_value, false, 0 },
    { "a switch has its cases", "language", switches, false, 0 },
    { "variables begin as they were written", "language", variables, false, 0 },
    { "arrays of a thread are indexed as it runs", "language", local_arrays, false, 0 },
    { "bytes of texts are changed in place", "language", strings, false, 0 },
    { "bytes make a checksum", "language", checksum, false, 0 },
    { "printf prints", "language", print, true, 0 },
    { "an assertion that does not hold ends the launch", "language", check, true, 0 },
    { "lists are allocated and freed", "language", lists, true, 0 },
};

const struct kernel_cases language_kernels = { rows, sizeof rows / sizeof rows[0] };
