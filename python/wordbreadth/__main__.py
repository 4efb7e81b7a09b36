"""python -m wordbreadth: the program."""

from wordbreadth._program import main

main()
