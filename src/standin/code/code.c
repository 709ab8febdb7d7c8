/* SPDX-License-Identifier: Apache-2.0
 *
 * Code: an image, and for each of its kernels a row of the table that rill takes.
 */
#include "standin/code/code.h"

#include <rill/backend.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/words/log_words.h"
#include "core/object/error.h"
#include "standin/abi/log.h"
#include "standin/abi/version.h"
#include "standin/code/kernel_libraries.h"
#include "standin/code/names.h"
#include "standin/object/machine.h"

/* ---- What images are read for ------------------------------------------------------- */

/* Returns the newest PTX that a driver reads: 90 for 9.0. */
static uint32_t newest_ptx(int driver)
{
    static const struct {
        int driver;
        uint32_t ptx;
    } rows[] = { { 13000, 90 }, { 12090, 88 }, { 12080, 87 }, { 12070, 86 }, { 12050, 85 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (driver >= rows[i].driver) return rows[i].ptx;
    /* 8.4 of 12.4, 7.8 of 11.8 */
    return (uint32_t)(driver / 1000 - 4) * 10 + (uint32_t)(driver % 1000 / 10);
}

static uint32_t architecture_of(CUdevice device)
{
    const rill_device_info *info = &si_devices[device].info;
    return (uint32_t)(info->compute_major * 10 + info->compute_minor);
}

struct image_target si_target(CUdevice device)
{
    return (struct image_target){ .architecture = architecture_of(device),
                                  .ptx_version = newest_ptx(si_version()) };
}

/* ---- Code --------------------------------------------------------------------------- */

void si_code_release(struct si_code *code)
{
    if (atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) != 1) return;
    image_free(code->image);
    for (struct si_other_image *other = code->others, *next; other; other = next) {
        next = other->next;
        image_free(other->image);
        rl_free(other);
    }
    rl_free(code->functions);
    rl_free(code->params);
    rl_free(code->runs);
    rl_free(code);
}

/* A program may have a module without kernels, rill may not: it gets one with a name that no
 * program can ask for. */
static void run_nothing(const rill_launch *launch)
{
    (void)launch;
}

static CUresult fill_tables(struct si_code *code)
{
    struct image *image = code->image;
    rill_param *params = code->params;
    uint32_t end = image->entry_count;
    code->functions[0] = (rill_function){ .name = "(none)", .over_grid = run_nothing };
    for (uint32_t i = 0; i < image->entry_count; i++) {
        struct image_entry *entry = &image->entries[i];
        rill_function function;
        entry->name = si_name(entry->name);
        if (!entry->name) return RILL_ERROR_OUT_OF_MEMORY;
        code->runs[i] = (uint8_t)si_find_c_function(entry, params, &function);
        code->functions[code->runs[i] ? code->function_count++ : --end] = function;
        params += entry->param_count;
    }
    return RILL_SUCCESS;
}

static CUresult make_tables(struct si_code *code)
{
    const struct image *image = code->image;
    size_t count = image->entry_count ? image->entry_count : 1, params = 0;
    for (uint32_t i = 0; i < image->entry_count; i++) params += image->entries[i].param_count;
    code->functions = rl_zalloc(count * sizeof *code->functions);
    code->params = rl_zalloc(params * sizeof *code->params);
    code->runs = rl_zalloc(count);
    if (!code->functions || !code->params || !code->runs) return RILL_ERROR_OUT_OF_MEMORY;
    return fill_tables(code);
}

/* Reads the image for the kind of device that `device` is, unless that was done. */
static CUresult read_for(struct si_code *code, const void *image, size_t bytes, CUdevice device,
                         struct image_refusal *refusal)
{
    struct image_target target = si_target(device);
    if (code->image && code->architecture == target.architecture) return RILL_SUCCESS;
    for (const struct si_other_image *other = code->others; other; other = other->next)
        if (other->architecture == target.architecture) return RILL_SUCCESS;
    struct image *read = NULL;
    CUresult status = image_read(image, bytes, &target, &read, refusal);
    if (!status && !code->image) {
        code->image = read;
        code->architecture = target.architecture;
        return RILL_SUCCESS;
    }
    struct si_other_image *other = rl_zalloc(sizeof *other);
    if (!other) {
        image_free(read);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    *other = (struct si_other_image){ code->others, target.architecture, status, read };
    code->others = other;
    return status;
}

/* Reads the image for each kind of device.  Returns why the first one has none if no kind has
 * one. */
static CUresult read_for_all(struct si_code *code, const void *image, size_t bytes,
                             struct image_refusal *refusal)
{
    CUresult first = read_for(code, image, bytes, 0, refusal);
    for (int i = 1; i < si_device_count && first != RILL_ERROR_OUT_OF_MEMORY; i++) {
        struct image_refusal ignored;
        if (read_for(code, image, bytes, i, &ignored) == RILL_ERROR_OUT_OF_MEMORY)
            return RILL_ERROR_OUT_OF_MEMORY;
    }
    return code->image ? RILL_SUCCESS : first;
}

CUresult si_code_image(const struct si_code *code, CUdevice device, const struct image **image)
{
    uint32_t architecture = architecture_of(device);
    *image = code->image;
    if (code->architecture == architecture) return RILL_SUCCESS;
    for (const struct si_other_image *other = code->others; other; other = other->next) {
        if (other->architecture != architecture) continue;
        *image = other->image;
        return other->status;
    }
    return RILL_ERROR_NO_BINARY_FOR_GPU;
}

CUresult si_code_read(const void *image, size_t bytes, CUdevice device, const struct si_jit *jit,
                      struct si_code **out)
{
    struct image_refusal refusal = { RILL_SUCCESS, "" };
    CUresult status = si_kernel_libraries_load();
    if (status) return status;
    struct si_code *code = rl_zalloc(sizeof *code);
    if (!code) return RILL_ERROR_OUT_OF_MEMORY;
    atomic_init(&code->references, 1);
    status = device == SI_ALL_DEVICES ? read_for_all(code, image, bytes, &refusal)
                                      : read_for(code, image, bytes, device, &refusal);
    if (status && rl_log_wants("images")) si_log("an image is refused: %s", refusal.message);
    if (status) si_jit_say(jit, refusal.message);
    if (status && refusal.message[0])
        status = rl_finish("module_load", NULL,
                           rill_backend_fail(status, NULL, "%s", refusal.message));
    if (!status) status = make_tables(code);
    if (status)
        si_code_release(code);
    else
        *out = code;
    return status;
}

/* ---- Files -------------------------------------------------------------------------- */

static CUresult read_all(FILE *file, char **out, size_t *bytes)
{
    size_t room = 1 << 16, count = 0;
    char *data = rl_alloc(room);
    for (size_t more = 1; data && more; count += more) {
        if (count == room) {
            char *larger = rl_alloc(2 * room);
            if (larger) memcpy(larger, data, count);
            rl_free(data);
            data = larger;
            room *= 2;
        }
        more = data ? fread(data + count, 1, room - count, file) : 0;
    }
    if (!data) return RILL_ERROR_OUT_OF_MEMORY;
    if (ferror(file)) {
        rl_free(data);
        return RILL_ERROR_OPERATING_SYSTEM;
    }
    *out = data;
    *bytes = count;
    return RILL_SUCCESS;
}

CUresult si_read_file(const char *path, char **data, size_t *bytes)
{
    FILE *file = fopen(path, "rbe");
    if (!file) return RILL_ERROR_FILE_NOT_FOUND;
    CUresult status = read_all(file, data, bytes);
    fclose(file);
    return status;
}

CUresult si_code_read_file(const char *path, CUdevice device, const struct si_jit *jit,
                           struct si_code **code)
{
    char *data = NULL;
    size_t bytes = 0;
    CUresult status = si_read_file(path, &data, &bytes);
    if (!status && !bytes) status = RILL_ERROR_INVALID_IMAGE;
    if (!status) status = si_code_read(data, bytes, device, jit, code);
    rl_free(data);
    return status;
}

int si_code_find(const struct si_code *code, const char *name)
{
    const struct image_entry *entry = image_find_entry(code->image, name);
    return entry ? (int)(entry - code->image->entries) : -1;
}
