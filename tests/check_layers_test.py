#!/usr/bin/env python3
"""The layer check finds what it is there for."""
import pathlib
import tempfile
import unittest

import check_layers


class LayersTest(unittest.TestCase):
    def check(self, path, text):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return check_layers.check(pathlib.Path(root))

    def test_a_lower_room_may_be_used(self):
        self.assertEqual([], self.check("src/codec/a.cc", '#include "store/b.h"\n#include "base/c.h"\n#include <vector>\n'))

    def test_a_higher_room_is_refused(self):
        self.assertEqual(1, len(self.check("src/memory/a.h", '#include "codec/b.h"\n')))

    def test_a_neighbour_is_refused(self):
        self.assertEqual(1, len(self.check("src/codec/a.h", '#include "invert/b.h"\n')))

    def test_an_unknown_room_is_refused(self):
        self.assertEqual(1, len(self.check("src/extra/a.cc", "\n")))

    def test_parser_libraries_stay_in_input(self):
        self.assertEqual(1, len(self.check("src/index/a.cc", "#include <simdjson.h>\n")))

    def test_public_headers_show_no_library(self):
        self.assertEqual(1, len(self.check("include/postern/a.h", "#include <fmt/format.h>\n")))
        self.assertEqual(1, len(self.check("include/postern/a.h", '#include "base/bytes.h"\n')))


if __name__ == "__main__":
    unittest.main()
