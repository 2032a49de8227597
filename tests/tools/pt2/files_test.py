"""Bad files, pipes, links, signals and full disks."""

import os
import re
import resource
import signal
import subprocess
import threading
import unittest
import zipfile

from every_command import call, usual_calls
from pt2_command import BINARY, CommandTest, HEAD, run, written


def empty_zip():
    return b"PK\x05\x06" + bytes(18)


class BadFiles(CommandTest):
    def test_each_ends_with_one_line_on_stderr(self):
        archive = (HEAD / "cond.pt2").read_bytes()
        text = written(HEAD / "cond.json").encode()
        binary = self.binary("cond.json").read_bytes()
        for name, content in [("magic", binary[:8]), ("cut.pt2b", binary[:500]), ("twice.pt2b", binary * 2),
                              ("empty", b""), ("garbage", bytes(range(256)) * 40), ("zeros", bytes(5000)),
                              ("cut.pt2", archive[:5000]), ("tail.pt2", archive[5000:]), ("cut.json", text[:3000]),
                              ("twice.json", text * 2), ("zip", b"PK\x03\x04"), ("empty.zip", empty_zip()),
                              ("brackets", b"[" * 100000), ("list", b"[]"),
                              ("table", b'{"config": {}}'), ("utf16", text.decode().encode("utf-16"))]:
            path = self.file(name, content)
            for arguments in [["info", path], ["show", path], ["convert", path, "-"]]:
                with self.subTest(arguments=arguments):
                    code, out, err = run(*arguments)
                    self.assertEqual((code, out), (3, ""))
                    self.assertRegex(err, rf"\A{re.escape(str(path))}: error: [^\n]+\n\Z")

    def test_folders_and_missing_files_are_io_problems(self):
        missing = self.folder / "missing"
        self.check(["info", missing], 4, "", f"pt2: error: cannot open '{missing}': No such file or directory\n")
        self.check(["show", self.folder], 4, "", f"pt2: error: cannot read '{self.folder}': Is a directory\n")

    def test_names_of_files_do_not_reach_the_terminal_as_they_are(self):
        path = self.file("a\x1b[31m", "")
        code, _, err = run("info", path)
        self.assertEqual((code, "\x1b" in err), (3, False))


class TextFiles(CommandTest):
    """A byte order mark and Windows' line ends change nothing; UTF-16 is refused by name."""

    def inputs(self):
        yield "program", "json", written(HEAD / "mlp.json"), lambda path: ["show", path]
        yield "backend", "txt", "aten.linear\naten.relu.default\naten.add\naten.mul\n", lambda path: ["operators", HEAD / "mlp.pt2", "--backend", path]
        yield "rules", "txt", "NAME_EMPTY=note\n# none\nVERIFIER_UNKNOWN=off\n", lambda path: ["validate", HEAD / "mlp.pt2", "--rules", path]
        yield "operators", "txt", "my::scale(Tensor x, int n=1) -> Tensor\n", lambda path: ["validate", HEAD / "mlp.pt2", "--operators", path]
        for extension, text in (("csv", "name,ms\nadd,1\nlinear,2\n"), ("json", '{"add": 1,\n"linear": 2}\n')):
            yield "overlay", extension, text, lambda path: ["view", HEAD / "mlp.pt2", "--overlay", path, "-o", self.folder / "page.html"]

    def test_marks_and_line_ends(self):
        for name, extension, text, arguments in self.inputs():
            with self.subTest(name):
                plain, windows = ((self.folder / each).with_suffix("." + extension) for each in ("plain", "windows"))
                plain.write_text(text)
                windows.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
                expected = run(*arguments(plain))
                self.assertEqual((expected[0], expected[2]), (0, ""))
                found = run(*arguments(windows))
                self.assertEqual((found[0], found[1].replace("windows", "plain"), found[2]), expected)

    def test_other_encodings(self):
        for name, extension, text, arguments in self.inputs():
            for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
                with self.subTest(name, encoding=encoding):
                    path = self.file(f"wide.{extension}", text.encode(encoding))
                    code, out, err = run(*arguments(path))
                    self.assertEqual((code, out), (3, ""))
                    self.assertIn(f"{path}: ", err)
                    self.assertIn(f"the text is {encoding[:6].upper()}; hint: save it as UTF-8\n", err)

    def test_scan_reads_a_program_with_a_mark(self):
        path = self.file("mark.json", written(HEAD / "mlp.json").encode("utf-8-sig"))
        self.assertEqual(run("scan", path)[0], 0)


class Kinds(CommandTest):
    """Every command tells what a file without a complete program is."""

    def commands(self, path):
        return [call(words, path, path if words[0] == "diff" else HEAD / "mlp.pt2", self.folder) for words in usual_calls()]

    def copy(self, source, keep, name=lambda member: member):
        path = self.folder / "kind.pt2"
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w") as new:
            for member in filter(keep, old.namelist()):
                new.writestr(name(member), old.read(member))
        return path

    def check_all(self, path, message, besides=()):
        for arguments in self.commands(path):
            if arguments[0] in besides:
                continue
            with self.subTest(arguments[0]):
                code, out, err = run(*arguments)
                self.assertIn(code, (1, 3))
                self.assertIn(message, out if arguments[0] in ("check", "validate", "scan") else err)
                self.assertFalse((self.folder / "out.pt2").exists())

    def test_archives_that_torch_export_save_did_not_finish(self):
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive:
            members = archive.namelist()
        tensors = members[:members.index("mlp/models/model.json")]
        self.assertGreater(len(tensors), 4)  # torch writes them first
        for count in (0, 1, len(tensors) - 2, len(tensors)):
            kept = [*tensors[:count], *(name for name in members if "/data/" not in name and "/models/" not in name)]
            path = self.copy(HEAD / "mlp.pt2", kept.__contains__)
            message = "torch.export.save() did not finish this archive: it has " + ("tensors, but no program" if count else "no model")
            self.check_all(path, message)
            code, out, _ = run("scan", path)
            self.assertEqual(code, 3)
            self.assertIn(message, out)

    def test_an_archive_whose_second_model_is_missing(self):
        path = self.copy(HEAD.parents[1] / "packages" / "multi.pt2", lambda name: not name.endswith("/models/b.json"))
        self.check_all(path, "torch.export.save() did not finish this archive: it has records of the model 'b', but no program 'models/b.json'")

    def test_an_archive_without_the_weights_of_its_program(self):
        path = self.copy(HEAD / "mlp.pt2", lambda name: "/data/" not in name)
        message = "torch.export.save() did not finish this archive: it has no record 'data/weights/model_weights_config.json'"
        for arguments in self.commands(path):
            if arguments[0] in ("validate", "check", "scan"):
                continue
            with self.subTest(arguments[0]):
                self.assertIn(message, run(*arguments)[2])
        self.assertIn("the archive has no record 'data/weights/model_weights_config.json'", run("check", path)[1])

    def test_an_archive_that_ends_early(self):
        data = (HEAD / "mlp.pt2").read_bytes()
        for size in (100, len(data) // 2, len(data) - 40):
            self.check_all(self.file("cut.pt2", data[:size]), "truncated", besides=("scan",))  # may find the end of an archive in a record

    def test_compiled_packages(self):
        message = "this is a package of models that AOTInductor compiled, which have no graph, not an exported program"
        source = HEAD.parents[1] / "packages" / "aoti.pt2"
        with zipfile.ZipFile(source) as archive:
            top = archive.namelist()[0].split("/")[0] + "/"
        flat = [lambda name: name, lambda name: name.removeprefix(top)]
        keep = [lambda name: True, lambda name: "/aotinductor/" in name]
        for name, kept in ((flat[0], keep[0]), (flat[1], keep[0]), (flat[1], keep[1])):
            path = self.copy(source, kept, name)
            self.check_all(path, message, besides=("info", "weights", "validate", "check", "scan", "strip", "attach", "slim", "harden"))
            self.assertIn("  AOTInductor  model\n", run("info", path)[1])
            self.assertEqual(run("weights", path)[0], 0)
            note = f"{path}: note: a package of the compiled model 'model' (AOTInductor) has no exported program to validate\n"
            self.check(["validate", path], 0, note, "")
            self.assertEqual(run("scan", path)[0], 1)


class Files(CommandTest):
    """Inputs that can be read only once, and outputs that are not completed."""

    def test_a_named_pipe_is_read_from_its_first_byte_to_its_last(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        program = written(HEAD / "cond.json").encode()
        for _ in range(10):
            writer = threading.Thread(target=pipe.write_bytes, args=[program], daemon=True)
            writer.start()
            self.assertEqual(run("convert", pipe, "-"), (0, program.decode(), ""))
            writer.join()

    def test_a_signal_leaves_the_old_file_and_no_other(self):
        # Inflating it takes a while, after the output has begun.
        archive = self.archive(model=written(HEAD / "cond.json"))
        with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as more:
            more.writestr("top/extra/zeros", bytes(1 << 28))
        old = self.file("old.pt2", "old")
        for end in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with subprocess.Popen([BINARY, "convert", archive, old]) as process:
                while not list(self.folder.glob(".pt2-*")):
                    self.assertIsNone(process.poll())
                process.send_signal(end)
            self.assertEqual(process.returncode, -end)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["old.pt2", "several.pt2"])
            self.assertEqual(old.read_text(), "old")

    def test_a_signal_that_is_ignored_stays_so(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        out = self.folder / "out.json"
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen([BINARY, "convert", pipe, out], preexec_fn=ignore) as process:
            with open(pipe, "wb") as stream:
                process.send_signal(signal.SIGHUP)
                stream.write(written(HEAD / "cond.json").encode())
        self.assertEqual((process.returncode, out.read_bytes()), (0, written(HEAD / "cond.json").encode()))

    def test_a_limit_on_the_size_of_files_is_an_io_problem(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        out = self.file("out.json", "old")
        for arguments in [["convert", HEAD / "cond.json", out], ["upgrade", HEAD / "cond.json", "-o", out]]:
            self.check(arguments, 4, "", f"pt2: error: cannot write '{out}': File too large\n", preexec_fn=limit)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.json"])
        self.assertEqual(out.read_text(), "old")

    def test_a_link_to_what_is_not_there_yet_stays(self):
        link = self.folder / "link.json"
        link.symlink_to("target.json")
        self.check(["convert", HEAD / "cond.json", link], 0, "", "")
        self.assertTrue(link.is_symlink())
        self.assertEqual((self.folder / "target.json").read_bytes(), written(HEAD / "cond.json").encode())


if __name__ == "__main__":
    unittest.main()
