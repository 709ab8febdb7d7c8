/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels ask CUDA's device runtime for besides launches: fills and copies of boxes, the names
 * and texts of statuses, and what their device has.
 */
#include "sim/kernels/ptx_scene.h"

#define RUNTIME(name) "__cudaCDP2" name
#define ANSWER ".extern .func (.param .b32 r) " RUNTIME

static const char declares[] = HEAD
    ANSWER("MemsetAsync") " (.param .b64 d, .param .b32 v, .param .b64 n, .param .b64 s);\n"
    ANSWER("Memset2DAsync") " (.param .b64 d, .param .b64 p, .param .b32 v, .param .b64 w,\n"
    " .param .b64 h, .param .b64 s);\n"
    ANSWER("Memset3DAsync") " (.param .align 8 .b8 d[32], .param .b32 v,\n"
    " .param .align 8 .b8 e[24], .param .b64 s);\n"
    ANSWER("Memcpy2DAsync") " (.param .b64 d, .param .b64 p, .param .b64 f, .param .b64 q,\n"
    " .param .b64 w, .param .b64 h, .param .b32 k, .param .b64 s);\n"
    ANSWER("Memcpy3DAsync") " (.param .b64 c, .param .b64 s);\n"
    ANSWER("GetLastError") ";\n"
    ANSWER("GetDevice") " (.param .b64 d);\n"
    ANSWER("GetDeviceCount") " (.param .b64 d);\n"
    ANSWER("DeviceGetAttribute") " (.param .b64 v, .param .b32 a, .param .b32 d);\n"
    ".extern .func (.param .b64 r) " RUNTIME("GetErrorName") " (.param .b32 e);\n"
    ".extern .func (.param .b64 r) " RUNTIME("GetErrorString") " (.param .b32 e);\n";

static const char entry[] = ".visible .entry k(.param .u64 out)\n"
    "{ .reg .b64 %out, %a<4>; .reg .b32 %r<4>; .reg .pred %p; ld.param.u64 %out, [out];\n";

#define B64(name, value) ".param .b64 " name "; st.param.b64 [" name "], " value ";\n"
#define B32(name, value) ".param .b32 " name "; st.param.b32 [" name "], " value ";\n"
#define CALL_OF(name, arguments) \
    ".param .b32 r; call.uni (r), " RUNTIME(name) ", (" arguments ");\nld.param.b32 %r0, [r];\n"
#define STATUS_TO(at) "st.global.u32 [%out+" at "], %r0; }\n"

enum { BYTES = 512 };

static struct scene s;
static rill_devptr out;
static unsigned char bytes[BYTES]; /* what the kernel left */

static void begin(const char *body, rill_sim_options sim)
{
    char text[8192];
    assert_true((size_t)snprintf(text, sizeof text, "%s%s%s ret;\n}\n", declares, entry, body) <
                sizeof text);
    open_with(&s, sim);
    ok(rill_mem_alloc(s.context, BYTES, &out));
    ok(rill_memset_d8(s.context, out, 0, BYTES));
    load(&s, text);
}

static rill_status run_once(void)
{
    rill_status status = run(&s, 1, 1, (const void *[]){ &out });
    if (!status) ok(rill_memcpy_dtoh(s.context, bytes, out, BYTES));
    return status;
}

static void run_text(const char *body)
{
    begin(body, (rill_sim_options){ .workers = 2 });
    ok(run_once());
    close_scene(&s);
}

static uint32_t word(size_t at)
{
    uint32_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

/* Expects `value` in the columns [x, x + width) of rows of 16 bytes, and 0 around them. */
static void expect_row(size_t row, size_t x, size_t width, unsigned value)
{
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(bytes[row + i], i >= x && i < x + width ? value : 0);
}

/* ---- Fills -------------------------------------------------------------------------------- */

/* An H200 writes 0 by the library of CUDA 13.0; here it is the value (child_memory.c). */
static void a_fill_writes_the_low_byte_of_its_value(void **state)
{
    (void)state;
    run_text("add.u64 %a0, %out, 33; {" B64("d", "%a0") B32("v", "0x1217") B64("n", "3")
             B64("s", "0") CALL_OF("MemsetAsync", "d, v, n, s") STATUS_TO("0"));
    assert_int_equal(word(0), 0);
    expect_row(32, 1, 3, 0x17);
}

static void a_fill_of_rows_leaves_what_is_between(void **state)
{
    (void)state;
    run_text("add.u64 %a0, %out, 32; {" B64("d", "%a0") B64("p", "16") B32("v", "9")
             B64("w", "5") B64("h", "2") B64("s", "0")
             CALL_OF("Memset2DAsync", "d, p, v, w, h, s") STATUS_TO("0"));
    assert_int_equal(word(0), 0);
    expect_row(32, 0, 5, 9);
    expect_row(48, 0, 5, 9);
    expect_row(64, 0, 0, 9);
}

static void a_fill_of_a_box_goes_from_slice_to_slice(void **state)
{
    (void)state;
    run_text("add.u64 %a0, %out, 32; { .param .align 8 .b8 d[32]; st.param.b64 [d], %a0;\n"
             "st.param.b64 [d+8], 16; st.param.b64 [d+16], 16; st.param.b64 [d+24], 3;\n"
             ".param .align 8 .b8 e[24]; st.param.b64 [e], 4; st.param.b64 [e+8], 2;\n"
             "st.param.b64 [e+16], 2;" B32("v", "5") B64("s", "0")
             CALL_OF("Memset3DAsync", "d, v, e, s") STATUS_TO("0"));
    assert_int_equal(word(0), 0);
    for (size_t row = 0; row < 6; row++)
        expect_row(32 + 16 * row, 0, row % 3 < 2 ? 4 : 0, 5);
}

static void a_fill_that_leaves_its_memory_fails(void **state)
{
    (void)state;
    begin("add.u64 %a0, %out, 510; {" B64("d", "%a0") B32("v", "1") B64("n", "3") B64("s", "0")
          CALL_OF("MemsetAsync", "d, v, n, s") STATUS_TO("0"), (rill_sim_options){ .workers = 2 });
    is(RILL_ERROR_ILLEGAL_ADDRESS, run_once());
    SAYS("a kernel fills 3 bytes", "does not reach all of them");
    close_scene(&s);
}

/* ---- Copies ------------------------------------------------------------------------------- */

#define COPY_ROWS(pitch, width, kind) \
    "add.u64 %a0, %out, 64; add.u64 %a1, %out, 16;\n{" B64("d", "%a0") B64("p", pitch) \
    B64("f", "%a1") B64("q", "8") B64("w", width) B64("h", "2") B32("k", kind) B64("s", "0") \
    CALL_OF("Memcpy2DAsync", "d, p, f, q, w, h, k, s")

static void a_copy_of_rows_has_two_pitches(void **state)
{
    (void)state;
    run_text("st.global.u32 [%out+16], 0x01010101; st.global.u32 [%out+24], 0x02020202;\n"
             COPY_ROWS("16", "3", "3") STATUS_TO("0"));
    assert_int_equal(word(0), 0);
    expect_row(64, 0, 3, 1);
    expect_row(80, 0, 3, 2);
}

static void rows_that_overlap_and_other_kinds_are_refused(void **state)
{
    (void)state;
    run_text(COPY_ROWS("4", "5", "3") STATUS_TO("0") COPY_ROWS("16", "5", "1") STATUS_TO("4")
             COPY_ROWS("4", "0", "1") STATUS_TO("12")
             "{ .param .b32 r; call.uni (r), " RUNTIME("GetLastError") ";\n"
             "ld.param.b32 %r0, [r];\n" STATUS_TO("8"));
    assert_int_equal(word(0), 12); /* cudaErrorInvalidPitchValue */
    assert_int_equal(word(4), 21); /* cudaErrorInvalidMemcpyDirection */
    assert_int_equal(word(8), 21);
    assert_int_equal(word(12), 0); /* nothing is wrong with no bytes */
    expect_row(64, 0, 0, 0);
}

/* A cudaMemcpy3DParms. */
struct copy_parameters {
    uint64_t src_array, src_position[3], src[4], dst_array, dst_position[3], dst[4], extent[3];
    uint32_t kind, padding;
};

static void a_copy_of_a_box_begins_where_its_parameters_say(void **state)
{
    (void)state;
    unsigned char source[64];
    rill_devptr from;
    begin("{ add.u64 %a0, %out, 256;" B64("c", "%a0") B64("s", "0")
          CALL_OF("Memcpy3DAsync", "c, s") STATUS_TO("0")
          "{" B64("c", "0") B64("s", "0") CALL_OF("Memcpy3DAsync", "c, s") STATUS_TO("4"),
          (rill_sim_options){ .workers = 2 });
    ok(rill_mem_alloc(s.context, sizeof source, &from));
    for (size_t i = 0; i < sizeof source; i++) source[i] = (unsigned char)i;
    ok(rill_memcpy_htod(s.context, from, source, sizeof source));
    const struct copy_parameters parameters = {
        .src_position = { 1, 1, 1 }, .src = { from, 8, 8, 4 },
        .dst_position = { 2, 0, 0 }, .dst = { out + 64, 16, 16, 2 },
        .extent = { 3, 2, 1 }, .kind = 3,
    };
    ok(rill_memcpy_htod(s.context, out + 256, &parameters, sizeof parameters));
    ok(run_once());
    close_scene(&s);
    assert_int_equal(word(0), 0);
    assert_int_equal(word(4), 1); /* cudaErrorInvalidValue */
    for (size_t row = 0; row < 2; row++)
        for (size_t x = 0; x < 16; x++)
            assert_int_equal(bytes[64 + 16 * row + x],
                             x >= 2 && x < 5 ? 32 + 8 * (row + 1) + 1 + (x - 2) : 0);
}

/* ---- Texts -------------------------------------------------------------------------------- */

/* The address of a text in %a0. */
#define TEXT(function, status) \
    "{" B32("e", status) ".param .b64 r; call.uni (r), " RUNTIME(function) ", (e);\n" \
    "ld.param.b64 %a0, [r]; }\n"

#define TAKE(label, at) \
    "add.u64 %a1, %out, " at ";\n" label ": ld.u8 %r1, [%a0]; st.u8 [%a1], %r1;\n" \
    "add.u64 %a0, %a0, 1; add.u64 %a1, %a1, 1; setp.ne.u32 %p, %r1, 0;\n@%p bra " label ";\n"

static void names_and_texts_of_statuses_are_those_of_the_host(void **state)
{
    (void)state;
    run_text(TEXT("GetErrorName", "9") TAKE("NAME", "0")
             TEXT("GetErrorString", "9") TAKE("WORDS", "64")
             TEXT("GetErrorString", "0") TAKE("GOOD", "128")
             TEXT("GetErrorName", "77") TAKE("OTHER", "192"));
    assert_string_equal(bytes, "cudaErrorInvalidConfiguration");
    assert_string_equal(bytes + 64, "invalid configuration argument");
    assert_string_equal(bytes + 128, "no error");
    assert_string_equal(bytes + 192, "unrecognized error code");
}

static void a_text_cannot_be_written(void **state)
{
    (void)state;
    begin(TEXT("GetErrorString", "0") "st.u8 [%a0], 0;\n", (rill_sim_options){ .workers = 2 });
    is(RILL_ERROR_ILLEGAL_ADDRESS, run_once());
    close_scene(&s);
}

/* ---- Devices ------------------------------------------------------------------------------ */

#define ASK_ATTRIBUTE(number, device) \
    "{ add.u64 %a0, %out, 8;" B64("v", "%a0") B32("a", number) B32("d", device) \
    CALL_OF("DeviceGetAttribute", "v, a, d") STATUS_TO("12")

static void a_kernel_knows_its_device_and_their_count(void **state)
{
    (void)state;
    begin("{" B64("d", "%out") CALL_OF("GetDevice", "d") STATUS_TO("8")
          "{ add.u64 %a0, %out, 4;" B64("d", "%a0") CALL_OF("GetDeviceCount", "d") STATUS_TO("12")
          "{" B64("d", "0") CALL_OF("GetDevice", "d") STATUS_TO("16"),
          (rill_sim_options){ .workers = 2, .devices = 3 });
    ok(run_once());
    close_scene(&s);
    assert_int_equal(word(0), 0);
    assert_int_equal(word(4), 3);
    assert_int_equal(word(8) | word(12), 0);
    assert_int_equal(word(16), 1); /* cudaErrorInvalidValue */
}

static int answer(void *data, int device, int attribute, int *value)
{
    *value = *(int *)data + 100 * device + attribute;
    return attribute == 5 ? 0 : RILL_ERROR_INVALID_VALUE;
}

static void attributes_are_what_the_program_says(void **state)
{
    (void)state;
    int base = 1000;
    begin(ASK_ATTRIBUTE("5", "2"), (rill_sim_options){ .workers = 2, .attribute = answer,
                                                       .attribute_data = &base });
    ok(run_once());
    close_scene(&s);
    assert_int_equal(word(8), 1205);
    assert_int_equal(word(12), 0);
    begin(ASK_ATTRIBUTE("6", "2"), (rill_sim_options){ .workers = 2, .attribute = answer,
                                                       .attribute_data = &base });
    ok(run_once());
    close_scene(&s);
    assert_int_equal(word(8), 0); /* as it was */
    assert_int_equal(word(12), 1);
}

static void without_such_a_program_they_are_not_supported(void **state)
{
    (void)state;
    run_text(ASK_ATTRIBUTE("5", "0"));
    assert_int_equal(word(12), 801); /* cudaErrorNotSupported */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_writes_the_low_byte_of_its_value),
        cmocka_unit_test(a_fill_of_rows_leaves_what_is_between),
        cmocka_unit_test(a_fill_of_a_box_goes_from_slice_to_slice),
        cmocka_unit_test(a_fill_that_leaves_its_memory_fails),
        cmocka_unit_test(a_copy_of_rows_has_two_pitches),
        cmocka_unit_test(rows_that_overlap_and_other_kinds_are_refused),
        cmocka_unit_test(a_copy_of_a_box_begins_where_its_parameters_say),
        cmocka_unit_test(names_and_texts_of_statuses_are_those_of_the_host),
        cmocka_unit_test(a_text_cannot_be_written),
        cmocka_unit_test(a_kernel_knows_its_device_and_their_count),
        cmocka_unit_test(attributes_are_what_the_program_says),
        cmocka_unit_test(without_such_a_program_they_are_not_supported),
    };
    return cmocka_run_group_tests_name("sim/device_runtime", tests, NULL, NULL);
}
