# The third part of the tool that read.awk begins: comments and code for the typesetter.

BEGIN {
    width = 72 # of code, beside the margin
}

# ---- Prose: paragraphs, examples, lists

function write_prose(text,    n, i, lines, line, mode, paragraph, begun) {
    n = split(text, lines, "\n")
    for (i = 1; i <= n + 1; i++) {
        line = i <= n ? lines[i] : ""
        if (line ~ /^ *$/) {
            # An example goes on behind an empty line when more of it follows.
            if (mode == "example" && i < n && lines[i + 1] ~ /^    /) { put(""); continue }
            write_paragraph(paragraph)
            if (mode == "example") put(".Ed")
            if (mode == "list") put(".El")
            begun = begun || mode != "" || paragraph != ""
            mode = paragraph = ""
            continue
        }
        if (mode == "" && begun && paragraph == "" && line !~ /^(    | ?[0-9]+\. )/) put(".Pp")
        if (mode != "list" && line ~ /^    /) {
            if (mode == "") {
                write_paragraph(paragraph)
                paragraph = ""
                put(".Bd -literal -offset 4n")
                mode = "example"
            }
            put(code_text(substr(line, 5)))
        } else if (line ~ /^ ?[0-9]+\. /) {
            write_paragraph(paragraph)
            if (mode != "list") put(".Bl -enum -width 3n")
            mode = "list"
            put(".It")
            sub(/^ ?[0-9]+\. /, "", line)
            paragraph = line
        } else {
            sub(/^ +/, "", line)
            paragraph = paragraph (paragraph == "" ? "" : paragraph ~ /[.?!:]$/ ? "  " : " ") line
        }
    }
}

# A line for each sentence, as the typesetter wants it.
function write_paragraph(text,    n, i, sentences) {
    if (text == "") return
    gsub(/\.  +/, ".\n", text)
    gsub(/  +/, " ", text)
    n = split(text, sentences, "\n")
    for (i = 1; i <= n; i++) put(marked(sentences[i]))
}

# Functions in bold, those of other pages with their section; `words` of code slanted.
function marked(text,    out, word, f, before) {
    gsub(/\\/, "\\e", text)
    while (match(text, /[a-zA-Z0-9_]+\(\)|RILL_[A-Z0-9_]+|<rill\/[a-z]+\.h>|`[^`]*`/)) {
        word = substr(text, RSTART, RLENGTH)
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        out = out signs(before)
        if (word ~ /^`/) {
            out = out "\\fI" signs(substr(word, 2, length(word) - 2)) "\\fP"
            continue
        }
        if (word ~ /^RILL/) {
            out = unbroken(out) word
            continue
        }
        if (word ~ /^</) {
            mention(word)
            out = unbroken(out) word
            continue
        }
        f = substr(word, 1, length(word) - 2)
        if (f in page_of && page_of[f] != this_page) mentioned[page_of[f]] = 1
        out = unbroken(out) "\\fB" f "\\fP" (f in page_of && page_of[f] != this_page ? "(3)" : "()")
    }
    return guarded(out signs(text))
}

# Keeps the word that `text` ends in, perhaps an empty one, from being hyphenated.  Only at
# the beginning of a word does the sign say so; elsewhere it says where to break.
function unbroken(text,    at) {
    match(text, /[^ ]*$/)
    at = RSTART ? RSTART : length(text) + 1
    if (substr(text, at, 2) == "\\%") return text
    return substr(text, 1, at - 1) "\\%" substr(text, at)
}

function mention(include) {
    include = substr(include, 7, length(include) - 9)
    mentioned[include == "rill" ? "rill" : "rill_" include] = 1
}

function signs(text) {
    while (match(text, / - [a-z]/))
        text = substr(text, 1, RSTART) "\\(en" substr(text, RSTART + 2)
    while (match(text, /(^|[^a-zA-Z\\])-[0-9>a-z]/))
        text = substr(text, 1, RSTART + RLENGTH - 3) "\\" substr(text, RSTART + RLENGTH - 2)
    return text
}

# A point or quote in front would be a request.
function guarded(line) {
    return line ~ /^[.']/ ? "\\&" line : line
}

function code_text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    gsub(/'/, "\\(aq", line)
    gsub(/`/, "\\(ga", line)
    return guarded(line)
}

# ---- Code: as it is where it fits, else laid out anew

function write_code(raw,    n, i, lines, wide) {
    n = split(raw, lines, "\n")
    for (i = 1; i <= n; i++) if (length(lines[i]) > width) wide = 1
    if (wide && raw !~ /^#/) {
        read_members(lines, n)
        write_members()
        return
    }
    for (i = 1; i <= n; i++) put(code_text(lines[i]))
}

# Members: indent, code and comment of each, with what is on several lines joined.
function read_members(lines, n,    i, line, at) {
    members = 0
    open_comment = open_code = 0
    for (i = 1; i <= n; i++) {
        line = lines[i]
        if (open_comment) {
            add_comment(line)
            continue
        }
        at = index(line, "/*")
        add_code(at ? substr(line, 1, at - 1) : line, at == 0)
        if (at) add_comment(substr(line, at))
    }
}

function add_code(code, alone,    indent) {
    match(code, /^ */)
    indent = RLENGTH
    gsub(/^ +| +$/, "", code)
    if (open_code && code != "") {
        member_code[members] = member_code[members] " " code
    } else if (!open_code || code != "") {
        members++
        member_indent[members] = indent
        member_code[members] = code
        member_comment[members] = ""
    }
    open_code = count_of(member_code[members], "(") != count_of(member_code[members], ")")
}

function add_comment(line) {
    open_comment = line !~ /\*\//
    line = bare(line)
    gsub(/^ +| +$/, "", line)
    gsub(/  +/, " ", line)
    member_comment[members] = member_comment[members] (member_comment[members] == "" ? "" : " ") line
}

# Comments stand in one column behind the code, or above it where there is no room.
function write_members(    i, column, all) {
    for (i = 1; i <= members; i++) {
        all = member_indent[i] + length(member_code[i])
        if (member_comment[i] != "" && all <= 44 && all > column) column = all
    }
    for (i = 1; i <= members; i++) {
        all = member_indent[i] + length(member_code[i])
        if (member_comment[i] == "") {
            write_long(member_indent[i], member_code[i])
        } else if (member_code[i] == "" || all > column) {
            write_comment("", member_indent[i], member_comment[i])
            if (member_code[i] != "") write_long(member_indent[i], member_code[i])
        } else {
            write_comment(blanks(member_indent[i]) member_code[i], column + 1, member_comment[i])
        }
    }
}

function write_comment(front, column, text,    n, i, words, line, left) {
    n = split(text, words, " ")
    line = front blanks(column - length(front)) "/*"
    left = width - 3
    for (i = 1; i <= n; i++) {
        if (length(line) + 1 + length(words[i]) > left) {
            put(code_text(line))
            line = blanks(column + 2)
        }
        line = line " " words[i]
    }
    put(code_text(line " */"))
}

# One declaration, broken behind commas.
function write_long(indent, code,    at, room, line) {
    line = blanks(indent)
    room = width - indent
    while (length(code) > room) {
        at = room
        while (at > 1 && substr(code, at, 2) != ", ") at--
        if (at <= 1) break
        put(code_text(line substr(code, 1, at)))
        code = substr(code, at + 2)
        line = blanks(indent + 8)
        room = width - indent - 8
    }
    put(code_text(line code))
}

function blanks(n) {
    return n > 0 ? sprintf("%" n "s", "") : ""
}
