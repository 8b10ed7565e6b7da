"""Pictures: what they have in common (pictures), panels of curves and bars (panels), and the numbers in them (curves)."""

import logging

# Someone who wants a picture need not hear that a cache is being built or cannot be kept.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
