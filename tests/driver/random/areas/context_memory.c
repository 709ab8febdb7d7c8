/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and modules of contexts that may have ended.
 */
#include "context_steps.h"

enum { BYTES = 4096 };

static const char image[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                            ".visible .global .align 4 .u32 word;\n"
                            ".visible .entry nothing()\n{\n    ret;\n}\n";

static CUdeviceptr address_of(const struct object *o)
{
    return o ? (CUdeviceptr)o->value : 0;
}

/* ---- Memory ------------------------------------------------------------------------ */

static const char *made_text(CUdeviceptr p)
{
    return !p ? "null" : p == (CUdeviceptr)(uintptr_t)UNTOUCHED ? "untouched" : "other";
}

static void allocate(struct world *w)
{
    CUdeviceptr p = (CUdeviceptr)(uintptr_t)UNTOUCHED;
    line_call(w, "cuMemAlloc", "%d", BYTES);
    if (line_result(w, cuMemAlloc(&p, BYTES))) {
        line_see(w, "%s", made_text(p));
    } else {
        line_see(w, "%s", object_name(w, object_made(w, MEMORY, (void *)(uintptr_t)p,
                                                      DEVICE_MEMORY)));
    }
}

static void allocate_host(struct world *w)
{
    void *p = UNTOUCHED;
    const unsigned flags = dice(w, 4);
    line_call(w, "cuMemHostAlloc", "%d, %u", BYTES, flags);
    if (line_result(w, cuMemHostAlloc(&p, BYTES, flags))) {
        line_see(w, "%s", made_text((CUdeviceptr)(uintptr_t)p));
    } else {
        line_see(w, "%s", object_name(w, object_made(w, MEMORY, p, HOST_MEMORY)));
    }
}

static void free_it(struct world *w, struct object *o)
{
    const bool host = o && o->flags == HOST_MEMORY;
    CUresult r;
    line_call(w, host ? "cuMemFreeHost" : "cuMemFree", "%s", object_name(w, o));
    r = host ? cuMemFreeHost((void *)o->value) : cuMemFree(address_of(o));
    if (!line_result(w, r) && o && o->live) object_end(w, o);
}

void its_memory_step(struct world *w)
{
    struct object *o = chance(w, 12) ? NULL : draw_object(w, MEMORY);
    if (chance(w, 3) || object_live(w, MEMORY) > 6) free_it(w, o);
    else if (chance(w, 3)) allocate_host(w);
    else allocate(w);
    line_end(w);
}

/* ---- Work on memory ---------------------------------------------------------------- */

/* Of the host's memory of a context that ended nothing is left to write to. */
static struct object *draw_memory(struct world *w)
{
    struct object *o = draw_object(w, MEMORY);
    return o && o->flags == DEVICE_MEMORY ? o : NULL;
}

void its_memory_use_step(struct world *w)
{
    struct object *o = draw_memory(w), *s = chance(w, 2) ? NULL : draw_living(w, STREAM);
    const char *stream = s ? object_name(w, s) : "s-null";
    static uint32_t word;
    if (!o) return;
    switch (dice(w, 4)) {
    case 0:
        CALL(w, cuMemsetD32(address_of(o), 7, 4), "cuMemsetD32", "%s", object_name(w, o));
        break;
    case 1:
        CALL(w, cuMemcpyDtoH(&word, address_of(o), 4), "cuMemcpyDtoH", "%s", object_name(w, o));
        break;
    case 2:
        CALL(w, cuMemsetD32Async(address_of(o), 7, 4, HANDLE_OF(s, CUstream)),
             "cuMemsetD32Async", "%s, %s", object_name(w, o), stream);
        break;
    default:
        CALL(w, cuMemcpyDtoDAsync(address_of(o), address_of(o) + 64, 64, HANDLE_OF(s, CUstream)),
             "cuMemcpyDtoDAsync", "%s, %s", object_name(w, o), stream);
    }
}

static void ask_pointer_context(struct world *w, struct object *o)
{
    CUcontext c = UNTOUCHED;
    line_call(w, "cuPointerGetAttribute", "CONTEXT, %s", object_name(w, o));
    line_result(w, cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, address_of(o)));
    line_see(w, "%s", context_name(w, c));
}

static void ask_pointer_device(struct world *w, struct object *o)
{
    int device = 77;
    line_call(w, "cuPointerGetAttribute", "DEVICE_ORDINAL, %s", object_name(w, o));
    line_result(w, cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                         address_of(o)));
    line_see(w, "%d", device);
}

static void ask_range(struct world *w, struct object *o)
{
    CUdeviceptr base = 77;
    size_t bytes = 77;
    line_call(w, "cuMemGetAddressRange", "%s", object_name(w, o));
    line_result(w, cuMemGetAddressRange(&base, &bytes, address_of(o)));
    line_see(w, "%s %zu", base == address_of(o) ? "same" : base == 77 ? "untouched" : "other",
             bytes);
}

static void ask_free(struct world *w, struct object *o)
{
    size_t some = 77, all = 77;
    (void)o;
    line_call(w, "cuMemGetInfo", "%s", "");
    line_result(w, cuMemGetInfo(&some, &all));
    line_see(w, "%s %s", some == 77 ? "untouched" : "set", all == 77 ? "untouched" : "set");
}

void its_memory_ask_step(struct world *w)
{
    static void (*const questions[])(struct world *, struct object *) = {
        ask_pointer_context, ask_pointer_device, ask_range, ask_free,
    };
    struct object *o = draw_object(w, MEMORY);
    if (!o) return;
    questions[dice(w, 4)](w, o);
    line_end(w);
}

/* ---- Modules ----------------------------------------------------------------------- */

static void load(struct world *w)
{
    CUmodule m = UNTOUCHED;
    line_call(w, "cuModuleLoadData", "%s", "");
    if (line_result(w, cuModuleLoadData(&m, image))) {
        line_see(w, "%s", !m ? "null" : m == UNTOUCHED ? "untouched" : "other");
    } else {
        line_see(w, "%s", object_name(w, object_made(w, MODULE, m, 0)));
    }
}

/* Launched at once, where the driver still can tell what it is. */
static void launch(struct world *w, struct object *o)
{
    CUfunction f = UNTOUCHED;
    struct object *s = chance(w, 2) ? NULL : draw_living(w, STREAM);
    line_call(w, "cuModuleGetFunction", "%s", object_name(w, o));
    if (line_result(w, cuModuleGetFunction(&f, HANDLE_OF(o, CUmodule), "nothing"))) return;
    line_see(w, "launched in %s", s ? object_name(w, s) : "s-null");
    line_result(w, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, HANDLE_OF(s, CUstream), NULL, NULL));
}

static void ask_variable(struct world *w, struct object *o)
{
    CUdeviceptr p = 77;
    size_t bytes = 77;
    line_call(w, "cuModuleGetGlobal", "%s", object_name(w, o));
    line_result(w, cuModuleGetGlobal(&p, &bytes, HANDLE_OF(o, CUmodule), "word"));
    line_see(w, "%zu", bytes);
}

static void unload(struct world *w, struct object *o)
{
    line_call(w, "cuModuleUnload", "%s", object_name(w, o));
    if (!line_result(w, cuModuleUnload(HANDLE_OF(o, CUmodule)))) object_end(w, o);
}

/* What has ended is not asked about here, since that may crash a driver. */
void its_module_step(struct world *w)
{
    struct object *o = draw_living(w, MODULE);
    if (!o) load(w);
    else if (chance(w, 5)) unload(w, o);
    else if (chance(w, 3)) ask_variable(w, o);
    else launch(w, o);
    line_end(w);
}
