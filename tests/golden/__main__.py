"""Write the golden hashes of the current versions."""

import argparse
import json
import sys

from . import FILE, SPLITS, digest, stored

parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
parser.add_argument("--replace", action="store_true", help="change hashes of versions that have one already")
replace = parser.parse_args().replace

known = stored()
current = {name: digest(rows()) for name, rows in SPLITS.items()}
changed = [name for name, value in current.items() if known.get(name, value) != value]
if changed and not replace:
    sys.exit(f"bump the version, or use --replace before a release: {', '.join(changed)}")
FILE.write_text(json.dumps(known | current, indent=1) + "\n", encoding="utf-8", newline="\n")
for name in current:
    print("changed" if name in changed else "kept" if name in known else "added", name)
