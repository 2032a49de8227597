"""The hooks for pre-commit."""

import re
import subprocess
import unittest

from schemagen_command import BAD_INPUT, CommandTest, DONE, NICE, NO, REPOSITORY, SMALL, UGLY


try:
    import yaml
except ImportError:
    yaml = None


@unittest.skipUnless(yaml, "PyYAML is not installed")
class HooksTest(CommandTest):
    def setUp(self):
        super().setUp()
        hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        self.hooks = {hook["id"]: hook for hook in hooks}

    def run_hook(self, name, *arguments, code=DONE):
        command = self.hooks[name]["entry"].split()
        self.assertEqual(command[0], "schemagen")
        return self.run_command(*command[1:], *arguments, code=code)

    def test_each_hook_runs_and_says_no_where_it_should(self):
        self.write("s.yaml", NICE)
        self.write("ugly.yaml", UGLY)
        self.write("bad.yaml", "name: s\n")
        self.run_hook("schemagen-check", "s.yaml", "ugly.yaml")
        self.run_hook("schemagen-check", "s.yaml", "bad.yaml", code=BAD_INPUT)
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml", "--check", code=NO)
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml")
        self.run_hook("schemagen-fmt", "s.yaml", "ugly.yaml", "--check")
        self.run_hook("schemagen-generate-check", "s.yaml", "-o", "out", code=NO)
        self.run_command("generate", "s.yaml", "-o", "out")
        self.run_hook("schemagen-generate-check", "s.yaml", "-o", "out")

    def test_hooks_of_a_contract_compare_with_the_main_branch_and_with_a_hash(self):
        self.write("s.yaml", SMALL)
        for command in ("init -q -b main", "add .", "-c user.name=test -c user.email=test@example.org commit -qm schema"):
            subprocess.run(["git", *command.split()], cwd=self.folder, check=True)
        expected = self.run_command("hash", "s.yaml", "--projection", "bin")[0].split()[0].split(":")[-1]
        of_diff, of_hash = ("git:main:s.yaml", "s.yaml"), ("s.yaml", "--projection", "bin", "--expect", expected)
        self.run_hook("schemagen-diff", *of_diff)
        self.run_hook("schemagen-hash", *of_hash)
        self.write("s.yaml", SMALL.replace("id: 1", "id: 2"))
        self.run_hook("schemagen-diff", *of_diff, code=NO)
        self.run_hook("schemagen-hash", *of_hash, code=NO)

    def test_every_hook_for_schemas_was_run(self):
        run = ["schemagen-check", "schemagen-fmt", "schemagen-generate-check", "schemagen-diff", "schemagen-hash"]
        self.assertEqual([name for name in self.hooks if name.startswith("schemagen-")], run)

    def test_hooks_take_schemas_and_not_the_workflow_that_checks_them(self):
        for name in ("schemagen-check", "schemagen-fmt"):
            pattern = self.hooks[name]["files"]
            for path in ("schema.yaml", "a/schema.yml", "schema/pt2.yaml", "schema/released/8.2.yaml", "app/notes.schema.yaml",
                         "notes_schema.yml", "proto/schemas/a.yaml"):
                self.assertTrue(re.search(pattern, path), path)
            for path in (".github/workflows/schema-check.yml", "schemas.yaml", "schema/README.md", "a.yaml"):
                self.assertFalse(re.search(pattern, path), path)


if __name__ == "__main__":
    unittest.main()
