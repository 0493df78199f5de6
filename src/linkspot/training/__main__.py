"""Training in several processes: `accelerate launch -m linkspot.training RECIPE.toml --out FOLDER`."""

import sys

from linkspot.cli import main

if __name__ == "__main__":
    sys.argv.insert(1, "train")
    main()
