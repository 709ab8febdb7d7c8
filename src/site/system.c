/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/system.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define MODULES_MAX 8
#define FRAMES_MAX 48

bool cs_is_system_module(const char *name)
{
    static const char *const names[] = {
        "libc.so", "libpthread.so", "ld-musl", "libasan.so", "libtsan.so", "libubsan.so",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i]))) return true;
    return false;
}

/* ---- Modules ------------------------------------------------------------------------------- */

/* The modules' code.  Written once, before `count` says that they are there; such modules are
 * never unloaded. */
static struct module {
    uintptr_t begin, end;
    const uint8_t *header; /* of .eh_frame_hdr */
} modules[MODULES_MAX];
static atomic_uint module_count;

static int learn_module(struct dl_phdr_info *info, size_t size, void *data)
{
    unsigned *count = data;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    const char *name = slash ? slash + 1 : info->dlpi_name;
    struct module module = { .begin = UINTPTR_MAX };
    (void)size;
    if (!name || !cs_is_system_module(name) || *count == MODULES_MAX) return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_GNU_EH_FRAME) memcpy(&module.header, &begin, sizeof begin);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        if (begin < module.begin) module.begin = begin;
        if (end > module.end) module.end = end;
    }
    if (module.begin < module.end) modules[(*count)++] = module;
    return 0;
}

static void learn_modules(void)
{
    unsigned count = 0;
    dl_iterate_phdr(learn_module, &count);
    atomic_store_explicit(&module_count, count, memory_order_release);
}

void cs_learn_system(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, learn_modules);
}

static const struct module *find_module(uintptr_t address)
{
    unsigned count = atomic_load_explicit(&module_count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++)
        if (address >= modules[i].begin && address < modules[i].end) return &modules[i];
    return NULL;
}

/* ---- The walk ------------------------------------------------------------------------------ */

static const void *pointer_to(uintptr_t address)
{
    const void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

const void *cs_site_of_fault(struct cs_frame frame, uintptr_t link)
{
    const uintptr_t instruction = frame.address;
    frame.address++; /* as if it were a call */
    for (int i = 0; i < FRAMES_MAX; i++) {
        const struct module *module = find_module(frame.address - 1);
        struct cs_rule rule;
        if (!module) return pointer_to(frame.address);
        if (!cs_read_rule_in(module->header, frame.address, !i, &rule)) break;
        bool in_register = !rule.return_address;
        cs_go_to_caller(&frame, rule);
        if (in_register) frame.address = link;
    }
    return pointer_to(instruction + 1);
}
