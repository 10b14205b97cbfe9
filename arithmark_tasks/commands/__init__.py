"""One module per ``arithmark`` command. Heavy imports stay inside the functions: ``--help`` must be quick."""
