/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/describe.h"

#include <string.h>

#include "layer-check/report/place.h"
#include "site/plain.h"

static void find_place(rill_finding_place *place, const void *site, const struct ck_finder *finder)
{
    struct cs_source source;
    place->address = cs_site_alone(site);
    if (!site || !finder->source(site, &source)) return;
    place->file = source.file;
    place->line = source.line;
    place->function = source.function;
    place->module = source.module;
    place->offset = source.offset;
}

static void find_callers(rill_finding_place *place, const void *site,
                         const struct ck_finder *finder,
                         rill_finding_caller callers[CS_CALLERS_MAX])
{
    struct cs_source sources[CS_CALLERS_MAX];
    if (!site || !finder->most) return;
    place->caller_count = finder->callers(site, sources, finder->most);
    place->callers = callers;
    for (size_t i = 0; i < place->caller_count; i++)
        callers[i] = (rill_finding_caller){ sources[i].file, sources[i].line, sources[i].function,
                                            sources[i].module, sources[i].offset };
}

static rill_finding_place place_of(const struct ck_end *end, const struct ck_finder *finder,
                                   rill_finding_caller callers[CS_CALLERS_MAX])
{
    rill_finding_place place = {
        .what = end->what ? end->what : "",
        .does = end->does ? end->does : "",
        .stream = end->stream ? end->stream : "",
        .stream_id = end->stream_id,
        .number = end->number,
        .node = end->node,
        .within = end->within,
    };
    find_place(&place, end->site, finder);
    find_callers(&place, end->site, finder, callers);
    struct cs_source launch;
    if (end->launched && finder->source(end->launched, &launch) && launch.file) {
        place.launch_file = launch.file;
        place.launch_line = launch.line;
    }
    return place;
}

/* ---- Words ------------------------------------------------------------------------------- */

static void put_sentence(struct ck_text *text, const rill_finding_place place[2])
{
    ck_put_format(text, "%s %s what %s %s, and nothing orders them", place[0].what,
                  place[0].does, place[1].what, place[1].does);
}

/* Adds to "... (device 0, 1 MiB)" where the memory was allocated. */
static void put_memory(struct ck_text *text, const char *memory,
                       const rill_finding_place *allocated)
{
    size_t size = strlen(memory);
    bool open = size && memory[size - 1] == ')';
    ck_put_bytes(text, memory, open ? size - 1 : size);
    if (allocated->file || allocated->module) {
        ck_put(text, open ? ", allocated at " : " (allocated at ");
        ck_put_place(text, allocated);
        open = true;
    }
    if (open) ck_put(text, ")");
}

/* Puts "'copy'" for "stream 'copy'", and other words for a stream as they are. */
static void put_stream(struct ck_text *text, const rill_finding_place *place)
{
    static const char before[] = "stream ";
    size_t skip = sizeof before - 1;
    bool labelled = !strncmp(place->stream, before, skip) && place->stream[skip] == '\'';
    ck_put(text, place->stream + (labelled ? skip : 0));
}

static void put_place_or_name(struct ck_text *text, const rill_finding_place *place)
{
    if (!ck_put_place(text, place)) ck_put(text, place->what);
}

/* Puts the call that gave the work to its stream: of a node, the launch. */
static void put_submission(struct ck_text *text, const rill_finding_place *place)
{
    if (place->launch_file)
        ck_put_format(text, "%s:%d", ck_base_name(place->launch_file), place->launch_line);
    else
        put_place_or_name(text, place);
}

static void put_node(struct ck_text *text, const rill_finding_place *place)
{
    if (place->node) ck_put_format(text, "node %llu, ", (unsigned long long)place->node);
    put_place_or_name(text, place);
}

/* Edges join nodes of one graph.  Of those in different ones it is about what they are in. */
static void put_end_of_edge(struct ck_text *text, const rill_finding_place *place,
                            const rill_finding_place *other)
{
    bool apart = place->within && place->within != other->within;
    if (apart) ck_put(text, "the node that has ");
    put_node(text, place);
    if (apart) ck_put(text, ", inside");
}

static void put_advice(struct ck_text *text, rill_mend mend, const rill_finding_place place[2])
{
    const rill_finding_place *later = &place[0], *earlier = &place[1];
    switch (mend) {
    case RILL_MEND_WAIT:
        ck_put(text, "record an event in "), put_stream(text, earlier);
        ck_put(text, " after "), put_submission(text, earlier);
        ck_put(text, " and let "), put_stream(text, later);
        ck_put(text, " wait for it before "), put_submission(text, later);
        break;
    case RILL_MEND_EDGE:
        ck_put(text, "add an edge from "), put_end_of_edge(text, earlier, later);
        ck_put(text, ", to "), put_end_of_edge(text, later, earlier);
        break;
    case RILL_MEND_SYNC:
        ck_put(text, "let the host wait for "), put_stream(text, earlier);
        ck_put(text, " before "), put_place_or_name(text, later);
        break;
    case RILL_MEND_NONE:
        break;
    }
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void find_places(struct ck_description *description, const struct ck_finding *finding,
                        const struct ck_finder *finder)
{
    rill_finding_place allocated = { .what = "" };
    char memory[CK_SENTENCE_MAX];
    rill_finding *said = &description->finding;
    for (size_t i = 0; i < said->place_count; i++)
        said->place[i] = place_of(&finding->ends[i], finder, description->callers[i]);
    if (finding->memory) {
        find_place(&allocated, finding->allocated, finder);
        cs_plain_text(finding->memory, memory, sizeof memory);
        put_memory(&description->memory, memory, &allocated);
    }
}

static void find_words(struct ck_description *description, const struct ck_finding *finding)
{
    rill_finding *said = &description->finding;
    char sentence[CK_SENTENCE_MAX];
    if (finding->sentence) {
        cs_plain_text(finding->sentence, sentence, sizeof sentence);
        ck_put(&description->sentence, sentence);
    } else {
        put_sentence(&description->sentence, said->place);
    }
    if (finding->advice)
        ck_put(&description->advice, finding->advice);
    else
        put_advice(&description->advice, finding->mend, said->place);
    /* That such a call does not wait surprises most people. */
    if (!finding->advice && finding->mend != RILL_MEND_NONE && finding->ends[1].returns_early)
        ck_put_format(&description->advice, ": %s may return before it is done",
                      said->place[1].what);
}

/* The id is made of the names that the linker knows: it must not depend on who can tell the
 * plain ones. */
static void find_identity(struct ck_description *description, const struct ck_finding *finding)
{
    rill_finding *said = &description->finding;
    description->identity = ck_identity(said, finding->cause);
    ck_write_id(description->id, finding->kind, description->identity);
    for (size_t i = 0; i < said->place_count; i++) {
        cs_plain_text(said->place[i].what, description->what[i], CK_WHAT_MAX);
        said->place[i].what = description->what[i];
    }
}

bool ck_describe(struct ck_description *description, const struct ck_finding *finding,
                 const struct ck_finder *finder)
{
    *description = (struct ck_description){ .finding = {
        .size = sizeof description->finding,
        .kind = finding->kind,
        .place_count = finding->end_count,
        .address = finding->address,
        .bytes = finding->bytes,
        .mend = finding->mend,
        .assumed = finding->assumed,
        .count = finding->count ? finding->count : 1,
        .cost_ns = finding->cost_ns,
    } };
    rill_finding *said = &description->finding;
    find_places(description, finding, finder);
    find_identity(description, finding);
    find_words(description, finding);
    said->id = description->id;
    said->sentence = description->sentence.bytes;
    said->memory = description->memory.bytes ? description->memory.bytes : "";
    said->advice = description->advice.bytes ? description->advice.bytes : "";
    if (!description->sentence.cut && !description->memory.cut && !description->advice.cut)
        return true;
    ck_description_fini(description);
    return false;
}

void ck_description_fini(struct ck_description *description)
{
    ck_text_fini(&description->sentence);
    ck_text_fini(&description->memory);
    ck_text_fini(&description->advice);
}
