#!/usr/bin/python3
"""The commands of the package frictionbench beside this file, called by links of their names.

Debian's Python, because the python3 of PATH may lack the packages of apt-packages.txt.
"""

from frictionbench.commands import run

run()
