# Writes what a driver exports: what symbols.def has up to `version`, and rill's own names, which
# are functions of <rill/check.h> with which a program declares what it touches, and what rill's
# runtime asks for.  With `what=map` the linker's list of them, with `what=jumps` the functions
# that they are in the library of an older driver (older/jump.h).  What `more` names is on the list
# besides.
BEGIN {
    FS = "[(), ]+"
    if (what == "map") print "{\n  global:"
    else print "#include \"standin/older/jump.h\""
}
/^SYMBOL/ {
    # Without a suffix the version follows the name.
    suffix = $3 ~ /^_/ ? $3 : ""
    since = suffix == "" ? $3 : $4
    if (since <= version) write_name($2 suffix, number)
    number++
}
END {
    write_name("rill_failure_words", number)
    write_name("rill_touch", number + 1)
    write_name("rill_touch_host", number + 2)
    if (what != "map") exit
    count = split(more, names, " ")
    for (i = 1; i <= count; i++) write_name(names[i])
    print "  local: *;\n};"
}
function write_name(name, place) {
    if (what == "map") print "    " name ";"
    else printf "JUMP(%s, %d)\n", name, place
}
