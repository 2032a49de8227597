"""Runs scripts in copies of one process that has torch loaded, which takes each of them five seconds less.

`warm_torch.py --serve` loads torch, and waits for scripts until it is stopped. `warm_torch.py SCRIPT ARGUMENTS...` has it run the
script, with this process's arguments, environment, folder, input and output; its exit code is the script's. WARM_TORCH names the
socket by which they meet. Where nobody serves there, the script is run as if by python.
"""

import json
import os
import pathlib
import runpy
import signal
import socket
import struct
import sys
import tempfile


def load_torch():
    """Does once what torch is slow at the first time; without threads, which no copy would have."""
    import torch

    torch.set_num_threads(1)
    program = torch.export.export(torch.nn.Linear(2, 3), (torch.rand(1, 2),))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.pt2"
        torch.export.save(program, path)
        torch.export.load(path).run_decompositions().module()


def read(connection, count):
    """So many bytes."""
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def serve(listener):
    """Answers until it is stopped. Returns in the copy that is to run a script: its arguments."""
    while True:
        connection, _ = listener.accept()
        if os.fork() != 0:  # detaches the copy
            connection.close()
            continue
        listener.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        head, streams, _, _ = socket.recv_fds(connection, 4, 3)
        folder, arguments, environment = json.loads(read(connection, struct.unpack("I", head)[0]))
        script = os.fork()
        if script == 0:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            return arguments
        connection.sendall(struct.pack("i", os.waitstatus_to_exitcode(os.waitpid(script, 0)[1])))
        os._exit(0)


def ask(arguments):
    """The exit code of a script that was run in a copy, or None where nobody serves."""
    if not os.environ.get("WARM_TORCH"):
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(os.environ["WARM_TORCH"])
        except OSError:
            return None
        request = json.dumps((os.getcwd(), arguments, dict(os.environ))).encode()
        socket.send_fds(connection, [struct.pack("I", len(request))], [0, 1, 2])
        connection.sendall(request)
        return struct.unpack("i", read(connection, 4))[0]


def main():
    arguments = sys.argv[1:]
    if arguments == ["--serve"]:
        path = os.environ["WARM_TORCH"]
        pathlib.Path(path).unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        load_torch()
        arguments = serve(listener)
    else:
        code = ask(arguments)
        if code is not None:
            sys.exit(code)
    sys.argv = arguments
    sys.path[0] = str(pathlib.Path(arguments[0]).resolve().parent)
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
