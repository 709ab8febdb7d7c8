# Examples: built by `make`, run by tests/examples.sh. They use the library as its
# users do. For a new one add its name to EXAMPLES and its _LDADD line below.
EXAMPLE_LIBS = librill.la
EXAMPLES =
noinst_PROGRAMS += $(EXAMPLES)
