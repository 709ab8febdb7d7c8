# Makes the manual pages of section 3 out of the public headers, a page for each:
#
#   awk -v folder=man -v facts=man -v date='May 1, 2026' -v release=0.1.0 \
#       -f read.awk -f write.awk -f text.awk -f facts.awk FILE.h ...
#
# and folder/links, lines "NAME PAGE" for each function and type that a page tells of. It
# knows how these headers are laid out, not C: a comment belongs to the declarations right
# below it, an empty line ends that, and a comment with dashes begins a part. In a comment,
# lines that are set in by four more columns are examples, and numbers make a list. What is
# in a conditional is for compilers, except behind its #else.

FNR == 1 {
    header = FILENAME
    sub(/.*\//, "", header)
    base = header
    sub(/\.h$/, "", base)
    pages++
    page[pages] = base == "rill" ? "rill" : "rill_" base
    header_of[pages] = header
    is_page[page[pages]] = 1
    state = "between"
    conditionals = 0
    entry = 0
}

{ read_line($0) }

function read_line(line) {
    if (state == "comment") {
        comment = comment "\n" bare(line)
        if (line ~ /\*\//) end_comment()
    } else if (state == "declaration") {
        add_line(line)
    } else if (skipped_by_conditional(line)) {
        return
    } else if (line ~ /^[ \t]*$/) {
        entry = 0
    } else if (line ~ /^\/\*/) {
        comment = bare(line)
        state = "comment"
        if (line ~ /\*\//) end_comment()
    } else if (line ~ /^#include <rill\//) {
        sub(/^#include <rill\//, "", line)
        sub(/\.h>.*/, "", line)
        includes[pages] = includes[pages] " " (line == "rill" ? "rill" : "rill_" line)
    } else if (line !~ /^RILL_(BEGIN|END)_DECLS|^#include|^#define [A-Z_]+(\([a-z, ]*\))?$/) {
        declaration = ""
        depth = 0
        add_line(line)
    }
}

# The guard around the whole header is a conditional that is not counted.
function skipped_by_conditional(line) {
    if (line ~ /^#ifndef RILL_[A-Z]*_H$/) return 1
    if (line ~ /^#if/) {
        conditionals++
        behind_else = 0
        return 1
    }
    if (line ~ /^#else/) {
        behind_else = 1
        return 1
    }
    if (line ~ /^#endif/) {
        if (conditionals) conditionals--
        return 1
    }
    return conditionals && !behind_else
}

# A line of a comment without the stars.
function bare(line) {
    sub(/^[ \t]*\/\*+ ?/, "", line) || sub(/^[ \t]*\* ?/, "", line)
    sub(/[ \t]*\*\/.*$/, "", line)
    return line == "/" ? "" : line
}

function end_comment(    title) {
    state = "between"
    if (comment ~ /SPDX/) {
        take_preamble(comment)
    } else if (comment ~ /^---- /) {
        title = comment
        sub(/\n.*/, "", title)
        gsub(/^-+ | -+$/, "", title)
        new_entry("part", title)
        if (sub(/^[^\n]*\n/, "", comment)) new_entry("text", comment)
        entry = 0
    } else {
        new_entry("text", comment)
    }
}

function take_preamble(text,    at) {
    at = index(text, "<rill/" header_of[pages] ">: ")
    if (!at) complain("its first comment does not say what it is")
    text = substr(text, at + length("<rill/" header_of[pages] ">: "))
    brief[pages] = text
    sub(/\.(  .*|\n.*)?$/, "", brief[pages])
    text = substr(text, length(brief[pages]) + 2)
    sub(/^[ \n]+/, "", text)
    gsub(/\n/, " ", brief[pages])
    if (text != "") new_entry("text", text)
    entry = 0
}

function new_entry(kind, text) {
    entry = ++entries[pages]
    entry_kind[pages, entry] = kind
    entry_text[pages, entry] = text
    entry_codes[pages, entry] = entry_functions[pages, entry] = 0
}

function add_line(line,    code) {
    declaration = declaration (declaration == "" ? "" : "\n") line
    state = "declaration"
    code = without_comments(declaration)
    if (code ~ /^#/ ? line !~ /\\$/ : complete(code)) {
        state = "between"
        take_declaration(declaration, code)
    }
}

function without_comments(text,    from, to) {
    while ((from = index(text, "/*"))) {
        to = index(substr(text, from), "*/")
        text = substr(text, 1, from - 1) (to ? substr(text, from + to + 1) : "")
    }
    gsub(/[ \t\n]+/, " ", text)
    sub(/ $/, "", text)
    return text
}

function complete(code) {
    if (count_of(code, "{") != count_of(code, "}") || count_of(code, "(") != count_of(code, ")"))
        return 0
    return code ~ /^static inline/ ? code ~ /[}]$/ : code ~ /;$/
}

function count_of(text, what,    copy) {
    copy = text
    return gsub("[" what "]", "", copy)
}

function take_declaration(raw, code,    i, kind) {
    if (code ~ /^struct [A-Za-z_]+;$/ && (!entry || page[pages] != "rill_cuda")) return
    if (!entry) new_entry("text", "")
    sub(/ RILL_PRINTF_FORMAT.*$/, ";", code)
    if (code ~ /^(RILL_API|static inline) /) {
        sub(/^(RILL_API|static inline) /, "", code)
        sub(/ *[{].*$/, ";", code)
        i = ++entry_functions[pages, entry]
        entry_function[pages, entry, i] = take_function(code)
        return
    }
    sub(/RILL_API /, "", raw)
    i = entry_codes[pages, entry]
    if (i && raw (entry_code[pages, entry, i]) !~ /[{#]/) raw = entry_code[pages, entry, i] "\n" raw
    else i = ++entry_codes[pages, entry]
    entry_code[pages, entry, i] = raw
    take_type(code)
}

function take_function(code,    f) {
    f = code
    sub(/\(.*/, "", f)
    sub(/.*[ *]/, "", f)
    prototypes[pages]++
    prototype[pages, prototypes[pages]] = code
    take_name(f)
    return f
}

function take_type(code) {
    if (code ~ /^extern /) sub(/;$/, "", code)
    else if (code ~ /^typedef [^{]*\(\*[a-z_]+\)\(/) { sub(/^[^(]*\(\*/, "", code); sub(/\).*/, "", code) }
    else if (code ~ /^typedef /) sub(/;$/, "", code)
    else if (code ~ /^struct [a-z_]+ [{]/) { sub(/ [{].*/, "", code) }
    else return
    sub(/.*[ *]/, "", code)
    take_name(code)
}

function take_name(what) {
    if (what in page_of) return
    page_of[what] = page[pages]
    name[++names] = what
}

function complain(sentence) {
    print FILENAME ": " sentence | "cat >&2"
    failed = 1
}
