"""`pt2 extract`."""

import json
import unittest

from pt2_command import CommandTest, HEAD, run


class Extract(CommandTest):
    def weights(self, path):
        return json.loads(run("weights", path, "--json")[1])

    def test_extract_writes_a_part_with_its_weights(self):
        out = self.folder / "head.pt2"
        self.check(["extract", HEAD / "mlp.pt2", "-o", out, "--inputs", "x", "--outputs", "relu"], 0, "", "")
        self.assertEqual([w["name"] for w in self.weights(out)], ["l1.weight", "l1.bias"])
        info = json.loads(run("info", out, "--json")[1])
        self.assertEqual(info["signature"]["user_outputs"], ["relu"])
        self.assertEqual(run("validate", out)[0], 0)


if __name__ == "__main__":
    unittest.main()
