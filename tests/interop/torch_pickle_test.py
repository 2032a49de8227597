#!/usr/bin/env python3
"""torch.save files are read as torch.load(weights_only=True) reads them.

Random values that torch.save wrote come back with the same content, bytes of tensors included. Of random changes of such pickles,
and of random programs of pickle instructions, whatever torch refuses is refused, and whatever is refused beyond that is of the few
kinds that torch.save never writes (NEVER_WRITTEN).

Needs torch. PICKLE_VALUES names the program of pickle_values.cpp; PT2_TEST_SEED sets the seed, PT2_TEST_ROUNDS the number of
random pickles of each test.
"""

import collections
import io
import os
import pathlib
import pickletools
import random
import re
import struct
import subprocess
import sys
import unittest
import warnings
import zipfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PICKLE_VALUES = os.environ.get("PICKLE_VALUES", "build/tests/pickle_values")
ROUNDS = int(os.environ.get("PT2_TEST_ROUNDS", 2500))

# libpt2 refuses these and torch accepts them; torch.save writes none.
NEVER_WRITTEN = re.compile(
    "the pickle has a call to '.* torch.save never writes|"
    "the pickle has an object of the class '.* torch.save never writes|cannot be encoded as|metadata of a tensor|"
    "expected a tuple of arguments, found|expected a storage class, found a storage|expected a tensor for a parameter, found None|expected a tuple for a torch.Size|expected a valid state for|expected integers for a torch.Size, found a bool|"
    "expected a non-negative integer for the size of a storage, found a bool|unknown device 'cuda:")
# torch refuses these because a device is missing, or because it cannot load its own _rebuild_tensor_v3 of a tensor with gradients.
ONLY_TORCH = re.compile("a leaf Variable that requires grad is being used in an in-place operation|CUDA|Storage device not recognized|device module is not registered|torch.xpu|torch.hpu|not available|"
                          "PyTorch is not linked with support|Cannot access accelerator")

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
          torch.bool, torch.complex32, torch.complex64, torch.complex128, torch.uint16, torch.uint32, torch.uint64,
          torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]


def read_by_libpt2(files):
    """`ok VALUE` or `error MESSAGE` for each file."""
    data = b"".join(struct.pack("<I", len(file)) + file for file in files)
    run = subprocess.run([PICKLE_VALUES], input=data, capture_output=True, check=True)
    lines = run.stdout.decode().splitlines()
    assert len(lines) == len(files), run.stderr
    return lines


def read_by_torch(file):
    """(value, None) or (None, error)"""
    try:
        return torch.load(io.BytesIO(file), weights_only=True), None
    except Exception as error:  # noqa: BLE001 - whatever it raises is a refusal
        return None, error


def zipped(pickle, records):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("archive/data.pkl", pickle)
        file.writestr("archive/version", "3\n")
        for name, content in records.items():
            file.writestr(f"archive/data/{name}", content)
    return stream.getvalue()


def parts_of(file):
    """The pickle and the records of a file of torch.save."""
    archive = zipfile.ZipFile(io.BytesIO(file))
    folder = archive.namelist()[0].split("/")[0]
    records = {name.split("/data/")[1]: archive.read(name) for name in archive.namelist() if "/data/" in name}
    return archive.read(f"{folder}/data.pkl"), records



def bits(number):
    return str(struct.unpack("<Q", struct.pack("<d", number))[0])


def storage_text(storage):
    if storage.device.type == "meta":
        return ""
    return bytes(storage.untyped_storage() if isinstance(storage, torch.Tensor) else storage).hex()


def tensor_text(tensor):
    if tensor.layout != torch.strided or tensor.dtype not in DTYPES or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        return "call"
    numbers = ["(" + "".join(f"{number}," for number in each) + ")" for each in (tensor.shape, tensor.stride())]
    text = f"{type(tensor).__name__} {str(tensor.dtype)[6:]} {numbers[0]} {numbers[1]} {tensor.storage_offset()}"
    text += (" grad" if tensor.requires_grad else "") + (" conj" if tensor.is_conj() else "") + (" neg" if tensor.is_neg() else "")
    return f"{text} {storage_text(tensor)}"


def text_of(value, inside=()):
    if id(value) in inside:
        return "..."
    inside = (*inside, id(value))
    if value is None or value is True or value is False:
        return str(value)
    if isinstance(value, torch.Tensor):
        return tensor_text(value)
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return str(value)
        return "int " + value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True).hex()
    if isinstance(value, float):
        return "float " + bits(value)
    if isinstance(value, complex):
        return f"complex {bits(value.real)} {bits(value.imag)}"
    if isinstance(value, str):
        return "str " + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes | bytearray):
        return f"{type(value).__name__} {value.hex()}"
    if isinstance(value, torch.device | torch.layout):
        return f"{type(value).__name__} {value}"
    if isinstance(value, torch.UntypedStorage | torch.TypedStorage):
        return "storage " + storage_text(value if isinstance(value, torch.UntypedStorage) else value._untyped_storage)
    if isinstance(value, dict):
        items = [text_of(item, inside) for pair in value.items() for item in pair]
        return f"{type(value).__name__}[" + "".join(item + "," for item in items) + "]"
    if isinstance(value, list | tuple | set):
        items = [text_of(item, inside) for item in value]
        return f"{type(value).__name__}[" + "".join(item + "," for item in (sorted(items) if isinstance(value, set) else items)) + "]"
    return "global"



def random_tensor(choose):
    dtype = choose.choice(DTYPES)
    count = choose.randrange(0, 13)
    tensor = torch.randint(0, 2, (count,)).to(dtype)
    if count == 12 and choose.random() < 0.7:
        tensor = tensor.view(3, 4)
        tensor = choose.choice([lambda t: t, lambda t: t.t(), lambda t: t[1:, ::2], lambda t: t[:, 1:2].expand(3, 7), lambda t: t[0, 0]])(tensor)
    if dtype.is_complex and dtype != torch.complex32 and choose.random() < 0.3:
        tensor = tensor.conj()
    if dtype.is_floating_point and choose.random() < 0.3:
        tensor = torch.nn.Parameter(tensor, choose.random() < 0.5) if choose.random() < 0.7 else tensor.detach().requires_grad_()
    return tensor


def random_other(choose):
    """Tensors that the schema cannot express."""
    return choose.choice([
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.ones(2, 3, device="meta"),
        lambda: torch.quantize_per_tensor(torch.ones(3), 0.5, 1, torch.quint8),
        lambda: torch.eye(3).to_sparse_csr(),
    ])()


def random_key(choose):
    return choose.choice([lambda: f"layer{choose.randrange(4)}.weight", lambda: choose.randrange(-3, 300), lambda: (1, "a"),
                          lambda: "\u00e9\u4e2d", lambda: torch.float16])()


def random_value(choose, depth=0, seen=None):
    seen = [] if seen is None else seen
    if seen and choose.random() < 0.1:
        return choose.choice(seen)
    leaves = [lambda: None, lambda: choose.random() < 0.5, lambda: choose.randrange(-(2**70), 2**70) >> choose.randrange(70),
              lambda: choose.gauss(0, 1e30), lambda: float(choose.choice(["nan", "inf", "-0.0"])), lambda: complex(1.5, -2),
              lambda: "".join(choose.choice("a\u00e9\u4e2d\U0001f600\ud800") for _ in range(choose.randrange(4))),
              lambda: bytes(choose.randrange(256) for _ in range(choose.randrange(1, 5))), lambda: bytearray(b"a\xff"),
              lambda: torch.Size([2, 3]), lambda: choose.choice(DTYPES), lambda: torch.device("cpu"), lambda: torch.device("cuda:3"),
              lambda: torch.strided, lambda: random_tensor(choose), lambda: random_tensor(choose), lambda: random_tensor(choose),
              lambda: {1, "b", 2.5}, lambda: torch.UntypedStorage(3).fill_(7), lambda: random_other(choose)]
    if depth > 3 or choose.random() < 0.4:
        value = choose.choice(leaves)()
    else:
        def nested():
            return random_value(choose, depth + 1, seen)

        count = choose.randrange(4)
        value = choose.choice([
            lambda: [nested() for _ in range(count)],
            lambda: tuple(nested() for _ in range(count)),
            lambda: {random_key(choose): nested() for _ in range(count)},
            lambda: collections.OrderedDict((random_key(choose), nested()) for _ in range(count)),
            lambda: collections.Counter({random_key(choose): choose.randrange(5) for _ in range(count)}),
        ])()
        if isinstance(value, list) and choose.random() < 0.05:
            value.append(value)
    seen.append(value)
    return value


def saved(value):
    stream = io.BytesIO()
    torch.save(value, stream)
    return stream.getvalue()



def line_pair(name):
    module, _, attribute = name.rpartition(".")
    return b"c" + module.encode() + b"\n" + attribute.encode() + b"\n"


GLOBALS = [line_pair(name) for name in (
    "collections.OrderedDict", "collections.Counter", "builtins.set", "__builtin__.set", "builtins.bytearray", "builtins.complex",
    "_codecs.encode", "torch.Size", "torch.device", "torch.nn.parameter.Parameter", "torch.serialization._get_layout", "torch.float32",
    "torch.qint8", "torch.per_tensor_affine", "torch.FloatStorage", "torch.LongStorage", "torch.storage.UntypedStorage",
    "torch.storage.TypedStorage", "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter", "os.system", "posix.system", "builtins.eval", "builtins.getattr", "sys.exit", "torch.load",
    "torch.hub.load", "torch._utils.nothing", "__builtin__.xrange", "copy_reg._reconstructor", "numpy.core.multiarray._reconstruct")]
CONSTANTS = [b"N", b"\x88", b"\x89", b"K\x00", b"K\x02", b"K\x04", b"J\xff\xff\xff\xff", b"M\x10\x00", b"\x8a\x00", b"\x8a\x01\xff", b"G" + bytes(8),
             b"X\x01\0\0\0a", b"X\x03\0\0\0cpu", b"X\x07\0\0\0storage", b"X\x01\0\0\0000", b"U\x01b", b"X\x06\0\0\0latin1", b")", b"]", b"}",
             b"\x8f", b"(K\x04t", b"(K\x01t", b"ccollections\nOrderedDict\n)R",
             b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0000X\x03\0\0\0cpuK\x04tQ"]
ACTIONS = [b"(", b"t", b"\x85", b"\x86", b"\x87", b"a", b"e", b"s", b"u", b"R", b"R", b"\x81", b"b", b"Q", b"q\x00", b"q\x01", b"h\x00", b"h\x01",
           b"r\x05\0\0\0", b"j\x05\0\0\0"]
OUTSIDE = [b"0", b"1", b"2", b"\x94", b"\x93", b"\x92", b"\x90", b"\x91", b"\x82\x01", b"I1\n", b"S'a'\n", b"ios\nsystem\n", b"o", b"Pid\n", b"d", b"l",
           b"\x95" + bytes(8), b"C\x01a", b"\x8c\x01a", b"\xff"]


def random_program(choose):
    """Instructions that mostly have what they need on the stack."""
    parts = [b"\x80\x02"]
    for _ in range(choose.randrange(1, 14)):
        kind = choose.random()
        parts.append(choose.choice(CONSTANTS if kind < 0.45 else GLOBALS[:22] if kind < 0.55 else ACTIONS if kind < 0.97 else GLOBALS + OUTSIDE))
        if choose.random() < 0.15:
            count = choose.randrange(4)
            arguments = b"".join(choose.choice(CONSTANTS) for _ in range(count))
            parts.append(choose.choice(GLOBALS) + b"(" + arguments + b"t" + choose.choice([b"R", b"R", b"\x81"]))
    return b"".join(parts) + b"."


def mutated(pickle, choose):
    """The pickle after one to three changes of bytes or of whole instructions."""
    for _ in range(choose.randrange(1, 4)):
        starts = [0]
        try:
            starts = [position for _, _, position in pickletools.genops(pickle)]
        except Exception:  # noqa: BLE001 - broken by an earlier change
            pass
        at = choose.randrange(len(pickle))
        first = choose.randrange(len(starts))
        here, there = starts[first], starts[min(first + 1, len(starts) - 1)]
        pickle = choose.choice([
            lambda: pickle[:at] + bytes([choose.randrange(256)]) + pickle[at + 1:],
            lambda: pickle[:at] + bytes([pickle[at] ^ 1 << choose.randrange(8)]) + pickle[at + 1:],
            lambda: pickle[:at],
            lambda: pickle[:here] + pickle[there:],
            lambda: pickle[:here] + choose.choice(CONSTANTS + GLOBALS + ACTIONS + OUTSIDE) + pickle[here:],
            lambda: pickle[:here] + choose.choice(CONSTANTS + GLOBALS + ACTIONS) + pickle[there:],
        ])() or b"."
    return pickle


class TorchPickleTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        torch.manual_seed(random_seed.SEED)
        self.choose = random.Random(random_seed.SEED)

    def test_what_torch_save_wrote_is_read_with_the_same_content(self):
        files = [saved(random_value(self.choose)) for _ in range(ROUNDS)]
        read = 0
        for file, line in zip(files, read_by_libpt2(files), strict=True):
            value, error = read_by_torch(file)
            if error:
                self.assertRegex(line if line.startswith("error ") else str(error), "^error |" + ONLY_TORCH.pattern, line)
                continue
            self.assertEqual("ok " + text_of(value), line)
            read += 1
        self.assertGreater(read, ROUNDS / 2)

    def check_verdicts(self, pickles, records):
        """Each pickle, in a file with its records, is taken or refused as torch does."""
        files = [zipped(pickle, each) for pickle, each in zip(pickles, records, strict=True)]
        counts = collections.Counter()
        for pickle, file, line in zip(pickles, files, read_by_libpt2(files), strict=True):
            value, error = read_by_torch(file)
            verdict = line.partition(" ")[0]
            self.assertIn(verdict, ("ok", "error"), line)
            counts[verdict, error is None] += 1
            if error is None and verdict == "error":
                self.assertRegex(line, NEVER_WRITTEN, pickle)
            elif error is not None and verdict == "ok":
                self.assertRegex(str(error), ONLY_TORCH, (pickle, line))
            elif error is None and not re.search(r"set\[|ict\[|Counter\[", line):  # 1, True and 1.0 are the same key
                self.assertEqual("ok " + text_of(value), line, pickle)
        print(f"{sum(counts.values())} pickles, of which both take {counts['ok', True]} and refuse {counts['error', False]}; "
              f"only libpt2 refuses {counts['error', True]}", flush=True)
        return counts

    def test_changed_pickles_have_the_verdict_of_torch(self):
        seeds = [parts_of(saved(random_value(self.choose))) for _ in range(ROUNDS // 10)]
        # Tensors that are not strided keep their arguments.
        seeds = [seed for seed in seeds if not re.search(rb"_rebuild_(qtensor|sparse)", seed[0])]
        chosen = [self.choose.choice(seeds) for _ in range(ROUNDS)]
        counts = self.check_verdicts([mutated(pickle, self.choose) for pickle, _ in chosen], [records for _, records in chosen])
        self.assertGreater(counts["ok", True], ROUNDS / 50)
        self.assertLess(counts["error", True], ROUNDS / 20)

    def test_random_instructions_have_the_verdict_of_torch(self):
        pickles = [random_program(self.choose) for _ in range(2 * ROUNDS)]
        counts = self.check_verdicts(pickles, [{"0": bytes(16)}] * len(pickles))
        self.assertGreater(counts["ok", True], ROUNDS / 50)
        self.assertLess(counts["error", True], ROUNDS / 10)


if __name__ == "__main__":
    unittest.main()
