"""The peer scs: SCS on cone programs, a program of node."""

from __future__ import annotations

import unittest

from cone_peers import ConeTests
from peers import PeerTest


class ScsTest(ConeTests, PeerTest):
    peer = "scs"
    accurate = "scs-ccp-absolute"
    exact = ("scs-ccp", "scs-ccp-absolute")
    most_contacts, refusal = 2000, "at most 2000 contacts"


if __name__ == "__main__":
    unittest.main()
