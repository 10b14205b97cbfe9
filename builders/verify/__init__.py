"""The claims of built folders and files, recomputed: each dataset returns its list of sections."""
