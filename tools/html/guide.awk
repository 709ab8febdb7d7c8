# A guide as lowdown has it:  awk -f guide.awk LEADS BODY
# LEADS has for each link where it is to lead, or "-" if it is to be words. Headings get the
# anchors that sites which show Markdown give them, since that is what links name.
FILENAME == ARGV[1] { lead[$1] = $2; next }

/^<h[1-6] id="/ {
  match($0, /^<h[1-6] id="[^"]*"/)
  rest = substr($0, RSTART + RLENGTH)
  $0 = substr($0, 1, 3) " id=\"" anchor_of(rest) "\"" rest
}

{
  done = ""
  # A link that is taken away: its end comes with its text, maybe on the next line.
  while (match($0, /(href|src)="[^"]*"|<\/a>/)) {
    before = substr($0, 1, RSTART - 1)
    found = substr($0, RSTART, RLENGTH)
    $0 = substr($0, RSTART + RLENGTH)
    if (found == "</a>") {
      done = done before (taken ? "</span>" : found)
      taken = 0
      continue
    }
    link = found
    sub(/^[a-z]*="/, "", link)
    sub(/"$/, "", link)
    if (link in lead && lead[link] == "-") {
      sub(/<a $/, "<span ", before)
      done = done before "class=\"source\""
      taken = 1
    } else if (link in lead) {
      sub(/=.*/, "", found)
      done = done before found "=\"" lead[link] "\""
    } else {
      done = done before found
    }
  }
  print done $0
}

# The anchor of a heading, of what comes after its first tag's name.
function anchor_of(text) {
  sub(/^[^>]*>/, "", text)
  gsub(/<[^>]*>/, "", text)
  gsub(/&[a-z]+;|&#[0-9a-z]+;/, "", text)
  text = tolower(text)
  gsub(/[^a-z0-9_ -]/, "", text)
  gsub(/ /, "-", text)
  if (text in anchors) return text "-" anchors[text]++
  anchors[text] = 1
  return text
}
