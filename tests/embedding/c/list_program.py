"""Lists the operators and weights of a program by ctypes, and nothing else: list_program.py LIBPT2C FILE.pt2"""

import ctypes
import sys


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.size).decode() if self.data else ""


class Value(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("type", ctypes.c_void_p), ("place", ctypes.c_uint64), ("life", ctypes.c_uint64)]

    def __getattr__(self, name):
        return pt2.schemagen_value_named(self, name.encode())

    def __iter__(self):
        return (pt2.schemagen_value_item(self, i) for i in range(pt2.schemagen_value_size(self)))

    def __str__(self):
        return str(pt2.schemagen_value_string(self))


pt2 = ctypes.CDLL(sys.argv[1])
pointer, size = ctypes.c_void_p, ctypes.c_size_t
for name, result, arguments in [
    ("pt2_error_message", Str, [pointer]), ("pt2_error_free", None, [pointer]),
    ("pt2_file_open", pointer, [ctypes.c_char_p, pointer, pointer]), ("pt2_file_free", None, [pointer]),
    ("pt2_program_load", pointer, [pointer, Str, pointer, pointer]), ("pt2_program_free", None, [pointer]),
    ("pt2_program_value", Value, [pointer]), ("schemagen_value_named", Value, [Value, ctypes.c_char_p]),
    ("schemagen_value_item", Value, [Value, size]), ("schemagen_value_size", size, [Value]),
    ("schemagen_value_string", Str, [Value]), ("pt2_weights_load", pointer, [pointer, Str, pointer]),
    ("pt2_weights_count", size, [pointer]), ("pt2_weights_at", pointer, [pointer, size]), ("pt2_weights_free", None, [pointer]),
    ("pt2_tensor_name", Str, [pointer]), ("pt2_tensor_dtype_name", Str, [pointer]), ("pt2_tensor_rank", size, [pointer]),
    ("pt2_tensor_shape", ctypes.POINTER(ctypes.c_int64), [pointer]),
]:
    getattr(pt2, name).restype, getattr(pt2, name).argtypes = result, arguments


def made(function, *arguments):
    """Returns the last argument of a function, or raises its error."""
    out = pointer()
    error = function(*arguments, ctypes.byref(out))
    if error:
        message = str(pt2.pt2_error_message(error))
        pt2.pt2_error_free(error)
        raise ValueError(message)
    return out


file = made(pt2.pt2_file_open, sys.argv[2].encode(), None)
program = made(pt2.pt2_program_load, file, Str(), None)
for node in pt2.pt2_program_value(program).graph_module.graph.nodes:
    print(f"{node.target}, {len(list(node.inputs))} arguments")
weights = made(pt2.pt2_weights_load, file, Str())
for i in range(pt2.pt2_weights_count(weights)):
    tensor = pt2.pt2_weights_at(weights, i)
    shape = pt2.pt2_tensor_shape(tensor)[:pt2.pt2_tensor_rank(tensor)]
    print(f"{pt2.pt2_tensor_name(tensor)}:", pt2.pt2_tensor_dtype_name(tensor), *shape)
pt2.pt2_weights_free(weights)
pt2.pt2_program_free(program)
pt2.pt2_file_free(file)
