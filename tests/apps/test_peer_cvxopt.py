"""The peer cvxopt: CVXOPT's interior point on cone programs."""

from __future__ import annotations

import unittest

from cone_peers import ConeTests
from peers import PeerTest


class CvxoptTest(ConeTests, PeerTest):
    peer = "cvxopt"
    accurate = "cvxopt-coneqp-tight"
    exact = ("cvxopt-coneqp", "cvxopt-coneqp-tight")
    most_contacts, refusal = 1500, "dense: at most 1500 contacts"


if __name__ == "__main__":
    unittest.main()
