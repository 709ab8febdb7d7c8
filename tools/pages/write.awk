# The second part of the tool that read.awk begins: what a page is made of.

END {
    for (p = 1; p <= pages; p++) write_page(p)
    for (n = 1; n <= names; n++)
        if (!(name[n] in is_page)) print name[n], page_of[name[n]] > (folder "/links")
    if (failed) exit 1
}

function write_page(p,    i) {
    file = folder "/" page[p] ".3"
    this_page = page[p]
    split("", mentioned)
    put(".\\\" SPDX-License-Identifier: Apache-2.0")
    put(".\\\" Made from <rill/" header_of[p] ">: edit that header instead of this page.")
    put(".Dd " date)
    put(".Dt " toupper(page[p]) " 3")
    put(".Os rill " release)
    put(".Sh NAME")
    write_names(p)
    put(".Nd " brief[p])
    put(".Sh LIBRARY")
    put("rill (librill, \\-lrill; pkg-config knows it as rill)")
    put(".Sh SYNOPSIS")
    put(".In rill/" header_of[p])
    for (i = 1; i <= prototypes[p]; i++) write_prototype(prototype[p, i])
    put(".Sh DESCRIPTION")
    behind_heading = 1
    for (i = 1; i <= entries[p]; i++) write_entry(p, i)
    write_parameters(p)
    write_return_values(p)
    write_properties(p)
    write_example(p)
    write_see_also(p)
    close(file)
}

function put(line) {
    print line > file
}

function write_names(p,    n, line) {
    line = ".Nm " page[p]
    for (n = 1; n <= names; n++) {
        if (page_of[name[n]] != page[p] || name[n] in is_page) continue
        put(line " ,")
        line = ".Nm " name[n]
    }
    put(line)
}

function write_prototype(code,    f, arguments) {
    f = code
    sub(/\(.*/, "", f)
    arguments = substr(code, length(f) + 2)
    sub(/\);$/, "", arguments)
    match(f, /[a-z0-9_]+$/)
    put(".Ft \"" clean(substr(f, 1, RSTART - 1)) "\"")
    put(".Fo " substr(f, RSTART))
    write_arguments(arguments)
    put(".Fc")
}

function clean(text) {
    sub(/ +$/, "", text)
    return text
}

# Those of a function pointer's own are split as well: they look the same, and can be broken.
function write_arguments(text,    n, i, parts) {
    n = split(text, parts, /, */)
    for (i = 1; i <= n; i++) put(".Fa \"" parts[i] "\"")
}

function write_entry(p, i,    k, text) {
    if (entry_kind[p, i] == "part") {
        put(".Ss " entry_text[p, i])
        behind_heading = 1
        return
    }
    text = entry_text[p, i]
    for (k = 1; k <= entry_codes[p, i]; k++) {
        if (k == 1) space()
        put(".Bd -literal -compact")
        write_code(entry_code[p, i, k])
        put(".Ed")
    }
    if (entry_functions[p, i]) {
        space()
        put(".Bl -tag -width 4n -compact")
        for (k = 1; k <= entry_functions[p, i]; k++) put(".It Fn " entry_function[p, i, k])
        write_prose(text)
        put(".El")
    } else if (entry_codes[p, i] && text != "") {
        # Not a display, since the text may have one.
        put(".Bl -item -offset 6n -compact")
        put(".It")
        write_prose(text)
        put(".El")
    } else if (text != "") {
        space()
        write_prose(text)
    }
}

# Between entries, but not below a heading.
function space() {
    if (!behind_heading) put(".Pp")
    behind_heading = 0
}

# ---- What every page ends with

function write_return_values(p,    i, found) {
    for (i = 1; i <= prototypes[p]; i++) if (prototype[p, i] ~ /^rill_status /) found = 1
    if (!found) return
    put(".Sh RETURN VALUES")
    put("Functions of the type")
    put(".Vt rill_status")
    put("return")
    put(".Dv RILL_SUCCESS ,")
    put("which is 0, or one of the errors in")
    put(".Xr rill_status 3 .")
    put("A call that is refused has changed nothing and written no output, unless this page")
    put("says otherwise;")
    put(page[p] == "rill_error" ? ".Fn rill_last_error" : ".Xr rill_last_error 3")
    put("returns a record with the argument at fault and a sentence about it.")
}

function write_see_also(p,    n, i, list, q, lines) {
    n = split(includes[p], list, " ")
    for (i = 1; i <= n; i++) mentioned[list[i]] = 1
    delete mentioned[page[p]]
    put(".Sh SEE ALSO")
    for (q = 1; q <= pages; q++) if (page[q] in mentioned) put(".Xr " page[q] " 3 ,")
    if (page[p] == "rill_backend") {
        put(".Xr rill 7 ,")
        put(".Xr rill_backend 7")
    } else {
        put(".Xr rill 7")
    }
}
