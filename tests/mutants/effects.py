"""Loads, unflattens and calls programs with torch in a forked child, where audit hooks observe and stop each effect."""

import builtins
import copy
import json
import os
import resource
import select
import signal
import tempfile

import sys

import torch

SECONDS = 30
EFFECTS = {
    "os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.spawn", "socket.connect", "socket.__new__", "os.remove", "os.rename",
    "os.mkdir", "os.rmdir", "shutil.rmtree", "os.chmod", "os.putenv", "ctypes.dlopen", "urllib.Request", "webbrowser.open", "builtins.input", "builtins.breakpoint",
}  # fmt: skip


class Stopped(BaseException):
    """Raised in place of an effect."""


class Canary:
    """A builtin that nothing uses: whatever is done with it is an effect."""

    def __init__(self, watch):
        object.__setattr__(self, "watch", watch)

    def stop(self, *_, **__):
        object.__getattribute__(self, "watch").stop("canary")

    __call__ = __getattr__ = __getitem__ = __iter__ = __len__ = __bool__ = __enter__ = __add__ = __radd__ = __eq__ = __str__ = __repr__ = __hash__ = __format__ = stop


class Watch:
    """Records and stops effects while it is armed."""

    def __init__(self):
        self.events, self.armed = [], False
        builtins.canary = Canary(self)
        sys.addaudithook(self.audit)

    def stop(self, *event):
        if self.armed:
            self.events.append(" ".join(str(part)[:100] for part in event))
            raise Stopped

    def audit(self, event, arguments):
        if not self.armed:
            return
        if event == "open":
            path, mode, flags = arguments
            writes = (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if "CANARY" in str(path) or (writes and str(path) != os.devnull):
                self.stop("open", path, mode)
        elif event == "import":
            if "canary" in arguments[0].lower() or arguments[0] in ("antigravity", "this"):
                self.stop("import", arguments[0])
        elif event in EFFECTS and not (event == "ctypes.dlopen" and arguments[0] is None):
            self.stop(event, *arguments)

    def run(self, action):
        """The value of the action, or its exception."""
        self.armed = True
        try:
            return action()
        except (Stopped, Exception) as error:  # noqa: BLE001
            return error
        finally:
            self.armed = False


def use(watch, load, path, calls, is_thorough):
    """Loads and calls a program. Returns the first error, or None; the effects are in watch.events."""
    program = watch.run(lambda: load(str(path)))
    if isinstance(program, BaseException):
        return program
    module = watch.run(program.module)
    fault = module if isinstance(module, BaseException) else None
    given = [calls]
    samples = getattr(program, "example_inputs", None)
    if isinstance(samples, tuple) and len(samples) == 2:
        given.append(samples)

    def call(function):
        """The error, if all calls fail."""
        errors = [watch.run(lambda: function(*copy.deepcopy(args), **copy.deepcopy(kwargs))) for args, kwargs in given]
        return errors[0] if all(isinstance(error, BaseException) for error in errors) else None

    if fault is None:
        fault = call(module)
    if is_thorough:
        flat = watch.run(lambda: torch.export.unflatten(program))
        if not isinstance(flat, BaseException):
            call(flat)
        watch.run(lambda: str(program) + str(program.graph_module.code))
        watch.run(program.run_decompositions)
    return fault


def in_children(watch, jobs):
    """Returns for each job (load, path, calls, is_thorough) its effects and the text of its error or None; None if torch crashed
    or hung.
    """
    results = {}
    while len(results) < len(jobs):
        first = len(results)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            run_jobs(watch, jobs, first, write)
            os._exit(0)
        os.close(write)
        rest = b""
        while True:
            if not select.select([read], [], [], SECONDS)[0]:
                os.kill(child, signal.SIGKILL)
                break
            part = os.read(read, 1 << 16)
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                index, events, error = json.loads(line)
                results[index] = (events, error)
        os.close(read)
        os.waitpid(child, 0)
        if len(results) < len(jobs):
            results[len(results)] = None
    return [results[index] for index in range(len(jobs))]


def run_jobs(watch, jobs, first, write):
    """Runs in the child: performs the jobs from the first on, in an empty folder, with limits."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
        for index in range(first, len(jobs)):
            watch.events.clear()
            try:
                error = use(watch, *jobs[index])
                text = None if error is None else f"{type(error).__name__}: {error}"[:300]
            except BaseException as problem:  # noqa: BLE001  even the text of an error may come from the file
                text = type(problem).__name__
            os.write(write, (json.dumps([index, list(watch.events), text]) + "\n").encode())
