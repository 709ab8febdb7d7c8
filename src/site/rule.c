/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "site/rule.h"

#include <link.h>
#include <string.h>

/* DWARF's numbers of the registers that matter. */
#if defined(__x86_64__)
enum { FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16 };
#elif defined(__aarch64__)
enum { FRAME_POINTER = 29, STACK_POINTER = 31, RETURN_ADDRESS = 30 };
#elif defined(__riscv) && __riscv_xlen == 64
enum { FRAME_POINTER = 8, STACK_POINTER = 2, RETURN_ADDRESS = 1 };
#else
enum { FRAME_POINTER = -1, STACK_POINTER = -2, RETURN_ADDRESS = -3 }; /* no rule is known */
#endif

/* ---- Reading ------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at, *end;
    bool failed; /* at the end too early, or at something that is not understood */
};

static uint64_t read_bytes(struct reader *reader, size_t count)
{
    uint64_t value = 0;
    if (reader->failed || (size_t)(reader->end - reader->at) < count) {
        reader->failed = true;
        return 0;
    }
    for (size_t i = 0; i < count; i++) /* all of them are little-endian */
        value |= (uint64_t)reader->at[i] << (8 * i);
    reader->at += count;
    return value;
}

/* Reads a number of DWARF's variable length (LEB128), and how many bits were stored of it. */
static uint64_t read_leb(struct reader *reader, unsigned *bits)
{
    uint64_t value = 0, byte;
    *bits = 0;
    do {
        byte = read_bytes(reader, 1);
        if (*bits < 64) value |= (byte & 0x7f) << *bits;
        *bits += 7;
    } while (byte & 0x80);
    return value;
}

static uint64_t read_uleb(struct reader *reader)
{
    unsigned bits;
    return read_leb(reader, &bits);
}

static int64_t read_sleb(struct reader *reader)
{
    unsigned bits;
    uint64_t value = read_leb(reader, &bits);
    if (bits < 64 && (value >> (bits - 1) & 1)) value |= ~UINT64_C(0) << bits;
    return (int64_t)value;
}

static void skip_bytes(struct reader *reader, uint64_t count)
{
    if (count > (uint64_t)(reader->end - reader->at)) reader->failed = true;
    else reader->at += count;
}

/* Reads a pointer in one of the encodings of DW_EH_PE_*: of a width, and absolute or counted
 * from the field itself. */
static uintptr_t read_pointer(struct reader *reader, unsigned encoding)
{
    uintptr_t base = (encoding & 0x70) == 0x10 ? (uintptr_t)reader->at : 0;
    if ((encoding & 0x70) > 0x10) reader->failed = true;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c: return base + (uintptr_t)read_bytes(reader, 8);
    case 0x03: return base + (uintptr_t)read_bytes(reader, 4);
    case 0x0b: return base + (uintptr_t)(intptr_t)(int32_t)read_bytes(reader, 4);
    default: reader->failed = true; return 0;
    }
}

/* ---- Finding the entry of a function ------------------------------------------------------- */

struct finding {
    uintptr_t address;
    const uint8_t *header; /* of .eh_frame_hdr */
};

static int find_header(struct dl_phdr_info *module, size_t size, void *data)
{
    struct finding *finding = data;
    const uint8_t *header = NULL;
    bool inside = false;
    (void)size;
    for (unsigned i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        uintptr_t begin = module->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && finding->address - begin < part->p_memsz) inside = true;
        if (part->p_type == PT_GNU_EH_FRAME) memcpy(&header, &begin, sizeof header);
    }
    if (inside) finding->header = header;
    return inside;
}

/* Finds a function's entry (FDE) in the table that linkers write: pairs of a function's
 * address and its entry's, sorted, both counted from the header. */
static const uint8_t *find_entry(const uint8_t *header, uintptr_t address)
{
    enum { BY_4_SIGNED_FROM_HEADER = 0x3b, COUNT_OF_4 = 0x03, FIRST_VERSION = 1 };
    if (!header || header[0] != FIRST_VERSION || header[2] != COUNT_OF_4 ||
        header[3] != BY_4_SIGNED_FROM_HEADER)
        return NULL;
    struct reader reader = { .at = header + 4, .end = header + 32 };
    read_pointer(&reader, header[1]);
    uint32_t count = (uint32_t)read_bytes(&reader, 4), first = 0;
    const uint8_t *table = reader.at;
    int32_t pair[2] = { 0, 0 };
    if (reader.failed || !count) return NULL;
    while (count > 1) { /* the last one that begins at or before the address */
        uint32_t half = count / 2;
        memcpy(pair, table + 8 * (size_t)(first + half), sizeof pair);
        bool before = (uintptr_t)header + (uintptr_t)(intptr_t)pair[0] <= address;
        if (before) first += half;
        count = before ? count - half : half;
    }
    memcpy(pair, table + 8 * (size_t)first, sizeof pair);
    return header + pair[1];
}

/* What is the same for many functions (CIE), and what is one function's (FDE). */
struct entry {
    struct reader common, own; /* their instructions */
    uint64_t code_unit;
    int64_t data_unit;
    unsigned pointers; /* their encoding */
    bool augmented;    /* has a length before each one's instructions */
    uintptr_t function;
    size_t bytes;
};

static struct reader open_record(const uint8_t *record)
{
    struct reader reader = { .at = record, .end = record + 4 };
    uint64_t bytes = read_bytes(&reader, 4);
    reader.failed = bytes >= 0xfffffff0; /* the 64-bit form, which no compiler uses here */
    reader.end = reader.failed ? reader.at : reader.at + bytes;
    return reader;
}

/* Reads what the letters of the augmentation announce.  A letter that is not known may
 * change the meaning of all. */
static void read_augmentation(struct reader *common, const char *letters, struct entry *entry)
{
    entry->augmented = *letters == 'z';
    if (!*letters) return;
    if (!entry->augmented) common->failed = true;
    uint64_t bytes = read_uleb(common);
    struct reader data = { .at = common->at, .failed = common->failed };
    skip_bytes(common, bytes);
    data.end = common->at;
    for (letters++; *letters && !common->failed; letters++) {
        if (*letters == 'R') entry->pointers = (unsigned)read_bytes(&data, 1);
        else if (*letters == 'L') read_bytes(&data, 1);
        else if (*letters == 'P') read_pointer(&data, (unsigned)read_bytes(&data, 1) & 0x7f);
        else common->failed = true;
        if (data.failed) common->failed = true;
    }
}

static void read_common(const uint8_t *record, struct entry *entry)
{
    struct reader common = open_record(record);
    read_bytes(&common, 4); /* 0 for a common record */
    uint64_t version = read_bytes(&common, 1);
    const char *letters = (const char *)common.at;
    while (read_bytes(&common, 1) && !common.failed) continue;
    entry->code_unit = read_uleb(&common);
    entry->data_unit = read_sleb(&common);
    uint64_t column = version == 1 ? read_bytes(&common, 1) : read_uleb(&common);
    if ((version != 1 && version != 3) || column != (uint64_t)RETURN_ADDRESS) common.failed = true;
    if (!common.failed) read_augmentation(&common, letters, entry);
    entry->common = common;
}

static bool read_entry(const uint8_t *header, uintptr_t address, struct entry *entry)
{
    const uint8_t *record = find_entry(header, address);
    if (!record) return false;
    struct reader own = open_record(record);
    const uint8_t *here = own.at;
    read_common(here - read_bytes(&own, 4), entry);
    if (entry->common.failed) return false;
    entry->function = read_pointer(&own, entry->pointers);
    entry->bytes = (size_t)read_pointer(&own, entry->pointers & 0x0f);
    if (entry->augmented) skip_bytes(&own, read_uleb(&own));
    entry->own = own;
    return !own.failed && address - entry->function < entry->bytes;
}

/* ---- Its instructions ---------------------------------------------------------------------- */

enum { FROM_STACK_POINTER, FROM_FRAME_POINTER, FROM_ELSEWHERE };
enum { UNTOUCHED, SAVED, LOST };

struct saved_register {
    int state;
    int64_t at; /* from the CFA, where it is SAVED */
};

/* What holds at one place of a function. */
struct row {
    int cfa_from;
    int64_t cfa;
    struct saved_register frame_pointer, return_address;
};

#define REMEMBERED_MAX 8

struct interpreter {
    const struct entry *entry;
    uintptr_t place; /* from which on `row` holds */
    struct row row, first, remembered[REMEMBERED_MAX];
    unsigned remembered_count;
    bool failed;
};

static void set_cfa_register(struct row *row, uint64_t number)
{
    row->cfa_from = number == (uint64_t)STACK_POINTER ? FROM_STACK_POINTER :
        number == (uint64_t)FRAME_POINTER ? FROM_FRAME_POINTER : FROM_ELSEWHERE;
}

static void set_register(struct row *row, uint64_t number, int state, int64_t at)
{
    struct saved_register value = { state, at };
    if (number == (uint64_t)FRAME_POINTER) row->frame_pointer = value;
    if (number == (uint64_t)RETURN_ADDRESS) row->return_address = value;
}

static void restore_register(struct interpreter *it, uint64_t number)
{
    if (number == (uint64_t)FRAME_POINTER) it->row.frame_pointer = it->first.frame_pointer;
    if (number == (uint64_t)RETURN_ADDRESS) it->row.return_address = it->first.return_address;
}

static void remember_row(struct interpreter *it)
{
    if (it->remembered_count == REMEMBERED_MAX) it->failed = true;
    else it->remembered[it->remembered_count++] = it->row;
}

static void recall_row(struct interpreter *it)
{
    if (!it->remembered_count) it->failed = true;
    else it->row = it->remembered[--it->remembered_count];
}

/* The instructions (DW_CFA_*) that say where registers are. */
static void run_rule(struct interpreter *it, struct reader *code, unsigned operation)
{
    int64_t unit = it->entry->data_unit;
    struct row *row = &it->row;
    uint64_t number;
    switch (operation) {
    case 0x00: break;                                           /* nop */
    case 0x05:                                                  /* offset_extended */
        number = read_uleb(code);
        set_register(row, number, SAVED, (int64_t)read_uleb(code) * unit);
        break;
    case 0x06: restore_register(it, read_uleb(code)); break;    /* restore_extended */
    case 0x07: set_register(row, read_uleb(code), LOST, 0); break; /* undefined */
    case 0x08: set_register(row, read_uleb(code), UNTOUCHED, 0); break; /* same_value */
    case 0x0a: remember_row(it); break;                         /* remember_state */
    case 0x0b: recall_row(it); break;                           /* restore_state */
    case 0x0c:                                                  /* def_cfa */
        set_cfa_register(row, read_uleb(code));
        row->cfa = (int64_t)read_uleb(code);
        break;
    case 0x0d: set_cfa_register(row, read_uleb(code)); break;   /* def_cfa_register */
    case 0x0e: row->cfa = (int64_t)read_uleb(code); break;      /* def_cfa_offset */
    case 0x0f:                                                  /* def_cfa_expression */
        row->cfa_from = FROM_ELSEWHERE;
        skip_bytes(code, read_uleb(code));
        break;
    case 0x10:                                                  /* expression */
    case 0x16:                                                  /* val_expression */
        set_register(row, read_uleb(code), LOST, 0);
        skip_bytes(code, read_uleb(code));
        break;
    case 0x11:                                                  /* offset_extended_sf */
        number = read_uleb(code);
        set_register(row, number, SAVED, read_sleb(code) * unit);
        break;
    case 0x12:                                                  /* def_cfa_sf */
        set_cfa_register(row, read_uleb(code));
        row->cfa = read_sleb(code) * unit;
        break;
    case 0x13: row->cfa = read_sleb(code) * unit; break;        /* def_cfa_offset_sf */
    case 0x2e: read_uleb(code); break;                          /* GNU_args_size */
    default: it->failed = true; break; /* also signed return addresses (0x2d) */
    }
}

/* Runs instructions until the row holds that is in force at the address. */
static void run_instructions(struct interpreter *it, struct reader code, uintptr_t address)
{
    while (code.at < code.end && !code.failed && !it->failed) {
        unsigned byte = (unsigned)read_bytes(&code, 1), low = byte & 0x3f;
        uint64_t step = 0;
        if (byte >> 6 == 1) step = low;                                   /* advance_loc */
        else if (byte >= 2 && byte <= 4) step = read_bytes(&code, 1u << (byte - 2));
        else if (byte >> 6 == 2)                                          /* offset */
            set_register(&it->row, low, SAVED, (int64_t)read_uleb(&code) * it->entry->data_unit);
        else if (byte >> 6 == 3) restore_register(it, low);               /* restore */
        else run_rule(it, &code, low);
        it->place += step * it->entry->code_unit;
        if (it->place > address) return;
    }
    if (code.failed) it->failed = true;
}

/* ---- The rule ------------------------------------------------------------------------------ */

static bool fits_words(int64_t bytes, int64_t least, int64_t most)
{
    int64_t word = (int64_t)sizeof(uintptr_t);
    return bytes % word == 0 && bytes / word >= least && bytes / word <= most;
}

static bool make_rule(const struct row *row, bool innermost, struct cs_rule *rule)
{
    const struct saved_register *frame_pointer = &row->frame_pointer;
    const struct saved_register *address = &row->return_address;
    bool leads_on = address->state == SAVED ? fits_words(address->at, INT16_MIN, -1)
                                            : address->state == UNTOUCHED && innermost;
    if (row->cfa_from == FROM_ELSEWHERE || !fits_words(row->cfa, 0, UINT16_MAX) || !leads_on ||
        frame_pointer->state == LOST || !fits_words(frame_pointer->at, INT16_MIN, 0))
        return false;
    int64_t word = (int64_t)sizeof(uintptr_t);
    *rule = (struct cs_rule){
        .from_frame_pointer = row->cfa_from == FROM_FRAME_POINTER,
        .saves_frame_pointer = frame_pointer->state == SAVED,
        .cfa = (uint16_t)(row->cfa / word),
        .return_address = (int16_t)(address->at / word),
        .frame_pointer = (int16_t)(frame_pointer->at / word),
    };
    return true;
}

bool cs_read_rule_in(const uint8_t *header, uintptr_t address, bool innermost,
                     struct cs_rule *rule)
{
    struct entry entry = { .pointers = 0 };
    uintptr_t call = address - 1; /* the call's last byte: what follows may be another place */
    if (!read_entry(header, call, &entry)) return false;
    struct interpreter it = { .entry = &entry, .row = { .cfa_from = FROM_ELSEWHERE } };
    run_instructions(&it, entry.common, call);
    it.first = it.row;
    it.place = entry.function;
    if (!it.failed) run_instructions(&it, entry.own, call);
    return !it.failed && make_rule(&it.row, innermost, rule);
}

bool cs_read_rule(uintptr_t address, struct cs_rule *rule)
{
    struct finding finding = { .address = address - 1 };
    dl_iterate_phdr(find_header, &finding);
    return cs_read_rule_in(finding.header, address, false, rule);
}
