"""The peer ecos: ECOS on cone programs, a program in R."""

from __future__ import annotations

import unittest

from cone_peers import ConeTests
from peers import PeerTest


class EcosTest(ConeTests, PeerTest):
    peer = "ecos"
    accurate = "ecos-socp-tight"
    exact = ("ecos-socp-tight",)  # the other row's error is as the root of its tolerance
    tolerance, accuracy = 1e-7, 1e-5
    statuses = ("converged", "inaccurate")
    residual = 1e-5
    most_contacts, refusal = 700, "dense: at most 700 contacts"


if __name__ == "__main__":
    unittest.main()
