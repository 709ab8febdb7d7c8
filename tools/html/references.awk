# A page of the manual as mandoc has it, with references that lead somewhere:
#   awk -f references.awk NAMES ANCHORS BODY
# NAMES has "rill_fork.3 rill_stream.3.html#rill_fork" for what is ours, ANCHORS each anchor of
# all pages. References to pages of other people become words.
FILENAME == ARGV[1] { page[$1] = $2; next }
FILENAME == ARGV[2] { anchor[$0] = 1; next }

{
  done = ""
  while (match($0, /<a class="Xr" href="[^"]*">[^<]*<\/a>/)) {
    link = substr($0, RSTART, RLENGTH)
    done = done substr($0, 1, RSTART - 1) reference(link)
    $0 = substr($0, RSTART + RLENGTH)
  }
  print done $0
}

function reference(link,    name, text, to) {
  name = link
  sub(/^.*href="/, "", name)
  text = name
  sub(/".*/, "", name)
  sub(/^[^>]*>/, "", text)
  sub(/<\/a>$/, "", text)
  if (!(name in page)) return text
  to = page[name]
  if (to ~ /#/ && !(to in anchor)) sub(/#.*/, "", to)
  return "<a class=\"Xr\" href=\"" to "\">" text "</a>"
}
