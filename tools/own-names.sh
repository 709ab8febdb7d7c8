#!/bin/sh
# Links the library and leaves the static one no name that is not its own:
#   OBJCOPY=… LD=… AR=… RANLIB=… tools/own-names.sh LIBRARY.la COMMAND...
# COMMAND is libtool's and makes LIBRARY.la. The archive that it left in .libs is made anew,
# of one object in which every function finds the others; with that done, what does not
# begin with rill_ becomes local. Without OBJCOPY the archive stays as it is.
set -u
library=$1
shift
"$@" || exit

archive=$(dirname "$library")/.libs/$(basename "$library" .la).a
[ -n "$OBJCOPY" ] && [ -f "$archive" ] || exit 0

object=${archive%.a}-one.o
trap 'rm -f "$object" "$archive.new"' EXIT
rm -f "$object" "$archive.new"
# Each of these may be a command with options.
# shellcheck disable=SC2086
$LD -r -o "$object" --whole-archive "$archive" --no-whole-archive &&
  $OBJCOPY --wildcard --keep-global-symbol='rill_*' "$object" &&
  $AR cr "$archive.new" "$object" && $RANLIB "$archive.new" &&
  mv -f "$archive.new" "$archive"
