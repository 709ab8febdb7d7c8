# What a reader gets beside the manual page: installed in $(docdir).
dist_doc_DATA = \
  CONTRIBUTING.md \
  HACKING.md \
  NEWS.md \
  README.md \
  %D%/alternatives.md \
  %D%/conformance.md \
  %D%/performance.md \
  %D%/performance.svg \
  %D%/production.md \
  %D%/third-party.md

# What a reader of the code gets.
internalsdir = $(docdir)/internals
dist_internals_DATA = \
  %D%/internals/adding-a-kind.md
