"""The classes that schemagen writes for Python: views of a value, which live as objects in Python do.

PT2_PYTHON_PACKAGE is the folder that has the package pt2.
"""

import collections.abc
import copy
import enum
import gc
import json
import os
import pathlib
import pickle
import sys
import time
import unittest
import warnings
import weakref

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"
MLP = PROGRAMS / "torch-2.13.0" / "mlp.json"


def node(target="torch.ops.aten.relu.default", **fields):
    return pt2.Node(target=target, **fields)


class ValuesTest(unittest.TestCase):
    def setUp(self):
        self.program = pt2.load(MLP)
        self.nodes = self.program.graph_module.graph.nodes

    def test_a_view_of_an_item_stays_with_it_whatever_comes_before_it(self):
        third = self.nodes[2]
        target = third.target
        self.nodes.insert(0, node())
        self.assertEqual(third.target, target)
        self.assertEqual(self.nodes[3], third)
        del self.nodes[0:2]
        self.assertEqual(third.target, target)
        self.assertEqual(self.nodes[1], third)

    def test_what_is_taken_out_lives_on_by_itself(self):
        first, again = self.nodes[0], self.nodes[0]
        expected = first.to_json()
        inputs = first.inputs
        del self.nodes[0]
        self.assertEqual(first.to_json(), expected)
        first.target = "another"
        self.assertEqual(again.target, "another")
        inputs.clear()
        self.assertEqual(len(again.inputs), 0)
        self.assertNotIn(first, self.nodes)

    def test_what_is_put_in_becomes_a_part_and_what_is_a_part_is_copied(self):
        made = node()
        self.nodes.append(made)
        made.target = "changed"
        self.assertEqual(self.nodes[-1].target, "changed")
        self.nodes.append(made)
        made.target = "again"
        self.assertEqual([one.target for one in self.nodes[-2:]], ["again", "changed"])

    def test_a_value_is_not_put_into_itself_but_copied(self):
        argument = pt2.Argument.as_graph(pt2.GraphArgument(name="g", graph=pt2.Graph()))
        argument.value.graph.inputs.append(argument)
        self.assertEqual(argument.value.graph.inputs[0].value.graph.inputs, [])
        argument = pt2.Argument.as_string_to_argument({})
        argument.value["itself"] = argument
        self.assertEqual(argument.value["itself"].value, {})

    def test_a_replaced_field_leaves_views_of_the_old_one_as_they_were(self):
        first = self.nodes[0]
        old = first.inputs
        names = [argument.name for argument in old]
        first.inputs = []
        self.assertEqual([argument.name for argument in old], names)
        self.assertEqual(len(first.inputs), 0)

    def test_a_view_keeps_its_program(self):
        nodes, self.program, self.nodes = self.nodes, None, None
        gc.collect()
        self.assertTrue(all(one.target for one in nodes))

    def test_lists_do_what_lists_do(self):
        self.assertIsInstance(self.nodes, collections.abc.MutableSequence)
        numbers, expected = pt2.Argument.as_ints([3, 1, 2]).value, [3, 1, 2]
        self.assertEqual(numbers + range(2), [3, 1, 2, 0, 1])
        self.assertEqual(numbers, [3, 1, 2])
        for change in (
            lambda items: items.append(7),
            lambda items: items.extend([8, 9]),
            lambda items: items.insert(-1, 5),
            lambda items: items.insert(100, 6),
            lambda items: items.reverse(),
            lambda items: items.pop(),
            lambda items: items.pop(1),
            lambda items: items.remove(7),
            lambda items: items.__setitem__(slice(1, 3), [10, 11, 12]),
            lambda items: items.__setitem__(slice(None, None, 2), [0] * len(range(0, len(items), 2))),
            lambda items: items.__delitem__(slice(None, None, -2)),
            lambda items: items.__iadd__([4]),
        ):
            self.assertEqual(change(numbers), change(expected) if change(copy.copy(expected)) is not expected else numbers)
            self.assertEqual(list(numbers), expected)
            self.assertEqual(numbers, expected)
        self.assertEqual([item for item in reversed(numbers)], expected[::-1])
        self.assertEqual(numbers.index(4), expected.index(4))
        for wrong in (len(numbers), -len(numbers) - 1):
            with self.assertRaises(IndexError):
                numbers[wrong]

    def test_a_slice_is_replaced_as_a_whole_or_not_at_all(self):
        before = list(self.nodes)
        for part in (slice(0, 2), slice(0, 2, 1), slice(None, None, 2)):
            with self.assertRaisesRegex(TypeError, "expected Node, got int"):
                self.nodes[part] = [node()] * (len(before[part]) - 1) + [3]
            self.assertEqual(list(self.nodes), before)

    def test_an_iterator_that_has_ended_stays_at_its_end(self):
        numbers = pt2.Argument.as_ints([1]).value
        iterator = iter(numbers)
        self.assertEqual(list(iterator), [1])
        numbers.append(2)
        self.assertEqual(list(iterator), [])

    def test_what_has_no_value_is_set_by_none(self):
        device = pt2.Device(type="cuda", index=1)
        device.index = None
        self.assertIsNone(device.index)
        argument = pt2.Argument.as_custom_obj(pt2.CustomObjArgument(name="x", class_fqn="y"))
        for wrong, message in (
            (lambda: setattr(device, "type", None), "expected str, got NoneType"),
            (lambda: setattr(argument, "value", None), "expected CustomObjArgument, got NoneType"),
            (lambda: self.nodes.append(None), "expected Node, got NoneType"),
            (lambda: self.nodes.insert(0, None), "expected Node, got NoneType"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                wrong()

    def test_an_object_that_is_being_destroyed_is_not_given_out_again(self):
        class OfOnesOwn(pt2.Node):
            pass

        class Last:
            def __del__(_):
                found.append(self.nodes[0])

        found = []
        made = OfOnesOwn(target="x")
        made.last = Last()
        self.nodes.insert(0, made)
        reference = weakref.ref(made, lambda _: found.append(self.nodes[0]))
        del made
        self.assertIsNone(reference())
        self.assertEqual([one.target for one in found], ["x", "x"])
        found.clear()
        self.assertEqual(self.nodes[0].target, "x")

    def test_an_object_is_made_once(self):
        first = self.nodes[0]
        expected = first.to_json()
        made = pt2.Node.__new__(pt2.Node)

        def items():
            with self.assertRaises(TypeError):
                made.__init__(target="again")
            yield pt2.Argument.as_int(1)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nanobind warns, too
            for use in (first.__init__, lambda: first.__setstate__(b""), made.to_json, lambda: self.nodes.append(made)):
                with self.assertRaises(TypeError):
                    use()
            made.__init__(target="once", outputs=items())
        self.assertEqual((made.target, len(made.outputs), first.to_json()), ("once", 1, expected))

    def test_iteration_sees_what_is_added_and_removed(self):
        numbers = pt2.Argument.as_ints([1, 2, 3, 4]).value
        seen = []
        for number in numbers:
            seen.append(number)
            if number == 1:
                numbers.remove(2)
                numbers.append(5)
        self.assertEqual(seen, [1, 3, 4, 5])

    def test_maps_do_what_dicts_do(self):
        metadata = node(metadata={"a": "1", "b": "2"}).metadata
        self.assertIsInstance(metadata, collections.abc.MutableMapping)
        metadata["c"] = "3"
        del metadata["a"]
        metadata.update(d="4")
        self.assertEqual(dict(metadata), {"b": "2", "c": "3", "d": "4"})
        self.assertEqual(list(metadata.items()), [("b", "2"), ("c", "3"), ("d", "4")])
        self.assertEqual((metadata.get("x"), metadata.pop("b"), "c" in metadata, len(metadata)), (None, "2", True, 2))
        with self.assertRaises(KeyError) as caught:
            metadata["x"]
        self.assertEqual(caught.exception.args, ("x",))
        with self.assertRaisesRegex(RuntimeError, "changed size during iteration"):
            for key in metadata:
                metadata[key + key] = ""

    def test_unions_have_a_constructor_for_each_member(self):
        argument = pt2.Argument.as_int(3)
        self.assertEqual((argument.kind, argument.value, repr(argument)), ("as_int", 3, "Argument.as_int(3)"))
        argument.value = 4
        self.assertEqual(argument, pt2.Argument.as_int(4))
        self.assertEqual((pt2.Argument().kind, pt2.Argument().value), (None, None))

    def test_each_member_of_a_union_has_a_class_that_matches_its_values(self):
        Argument = pt2.Argument
        values = [(Argument.as_int(3), Argument.as_int), (Argument.as_ints([3]), Argument.as_ints), (Argument(), Argument.Unset),
                  (Argument.Unset(), Argument.Unset), (pt2.SymInt.as_int(3), pt2.SymInt.as_int), (3, int), (None, type(None))]
        for value, its in values:
            for _, other in values:
                self.assertEqual(isinstance(value, other), other is its, (value, other))
        match Argument.as_int(4):
            case Argument.as_ints() | Argument.Unset():
                self.fail("another member")
            case Argument.as_int(number):
                self.assertEqual(number, 4)
            case _:
                self.fail("no match")
        self.assertIsInstance(Argument.as_int(3), Argument.Member)
        self.assertIs(type(Argument.as_int(3)), Argument)
        self.assertIs(Argument.as_int, pickle.loads(pickle.dumps(Argument.as_int)))
        self.assertIs(Argument.as_int(3).as_int, Argument.as_int)
        for wrong in (lambda: Argument.as_int("3"), Argument.as_int, lambda: Argument.Unset(3)):
            self.assertRaises(TypeError, wrong)

    def test_constructors_require_the_fields_without_a_default_except_lists_maps_and_options(self):
        with self.assertRaisesRegex(TypeError, r"^Node\(\) lacks 'target'$"):
            pt2.Node(inputs=[])
        with self.assertRaisesRegex(TypeError, r"^InputToBufferSpec\(\) lacks 'arg', 'persistent'$"):
            pt2.InputToBufferSpec(buffer_name="x")
        self.assertEqual(pt2.Node(target="x"), pt2.Node(target="x", inputs=[], outputs=[], metadata={}))
        self.assertEqual((pt2.Device(type="cuda").index, pt2.Graph().nodes), (None, []))

    def test_enums_are_of_python_and_unknown_numbers_stay(self):
        self.assertTrue(issubclass(pt2.ScalarType, enum.IntEnum))
        meta = next(iter(self.program.graph_module.graph.tensor_values.values()))
        self.assertIs(meta.dtype, pt2.ScalarType.FLOAT)
        meta.dtype = 12345
        self.assertEqual((meta.dtype, json.loads(meta.to_json())["dtype"]), (12345, 12345))

    def test_values_are_copied_compared_and_pickled(self):
        for value in (self.program, self.nodes[0], pt2.Argument.as_strings(["x", "\0", "ä"])):
            for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value)), type(value).from_json(value.to_json())):
                self.assertIsNot(twin, value)
                self.assertEqual(twin, value)
                self.assertIs(type(twin), type(value))
        for items in (self.nodes, self.nodes[0].metadata):
            self.assertEqual(items, pickle.loads(pickle.dumps(items)))
        with self.assertRaises(TypeError):
            hash(self.program)

    def test_mistakes_are_named_and_change_nothing(self):
        first = self.nodes[0]
        before = first.to_json()
        for error, message, change in (
            (TypeError, "^Node.target: expected str, got int$", lambda: setattr(first, "target", 3)),
            (TypeError, "expected NamedArgument, got str", lambda: first.inputs.append("x")),
            (TypeError, "expected list\\[NamedArgument\\], got str", lambda: setattr(first, "inputs", "x")),
            (TypeError, "expected list\\[NamedArgument\\], got dict", lambda: setattr(first, "inputs", {})),
            (AttributeError, "tragt", lambda: setattr(first, "tragt", "x")),
            (TypeError, "Node has no field 'tragt'", lambda: pt2.Node(tragt="x")),
            (ValueError, "does not fit in 64 bits", lambda: pt2.Argument.as_int(2**63)),
            (TypeError, "^Argument.as_int: expected int, got bool$", lambda: pt2.Argument.as_int(True)),
            (TypeError, "^TensorMeta.dtype: expected ScalarType, got str$", lambda: pt2.TensorMeta(dtype="float32")),
            (ValueError, "no member is set", lambda: setattr(pt2.Argument(), "value", 3)),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                change()
        self.assertEqual(first.to_json(), before)

    def test_what_is_made_for_one_type_refuses_values_of_others(self):
        device, argument, first = pt2.Device(type="cpu"), pt2.Argument.as_int(0x4141414141414141), self.nodes[0]
        values = (device, argument, first.inputs, first.metadata, None, 3)
        classes = (pt2.TensorMeta, pt2.SymInt, pt2.Struct, pt2.Union, pt2.List, pt2.Map)
        fits = {pt2.SymInt: (), pt2.TensorMeta: (), pt2.Struct: (device,), pt2.Union: (argument,), pt2.List: (first.inputs,),
                pt2.Map: (first.metadata,)}
        of_no_type = ("__copy__", "__deepcopy__", "__eq__", "__repr__")

        def uses(owner):
            for name, member in vars(owner).items():
                if isinstance(member, property):
                    yield name, member.fget
                    yield name, lambda value, member=member: member.fset(value, None)
                elif type(member).__name__ == "nb_method" and name not in of_no_type:
                    for arguments in ((), (0,), ("x",), (slice(0, 1),), (0, None), ("x", None), (slice(0, 1), [])):
                        yield name, lambda value, member=member, arguments=arguments: member(value, *arguments)

        tried = 0
        for owner in classes:
            for name, use in uses(owner):
                for value in values:
                    if not any(value is each for each in fits[owner]):
                        tried += 1
                        with self.subTest(owner=owner, name=name, value=repr(value)), self.assertRaises(TypeError):
                            use(value)
        self.assertGreater(tried, 300)
        with self.assertRaisesRegex(TypeError, "^expected TensorMeta, got Device$"):
            pt2.TensorMeta.layout.fget(device)

    def test_an_object_whose_class_is_assigned_stays_what_it_was(self):
        device = pt2.Device(type="cpu")
        for other, uses in ((pt2.TensorMeta, (lambda value: value.layout, lambda value: setattr(value, "layout", 1))),
                            (pt2.Argument, (lambda value: value.kind, lambda value: value.value, lambda value: value.to_json())),
                            (pt2.List, (len, iter, lambda value: value.append(1))),
                            (pt2.Map, (len, iter, lambda value: value["x"]))):
            try:
                device.__class__ = other
            except TypeError:
                continue
            for use in uses:
                with self.subTest(other), self.assertRaises(TypeError):
                    use(device)
        device.__class__ = pt2.Device
        self.assertEqual(device.type, "cpu")

    def test_bulk_edits_of_lists_are_those_of_python(self):
        parts = [slice(*bounds) for bounds in ((None, None, 2), (None, None, -2), (1, 7, 3), (8, 2, -1), (0, 0), (3, 3), (20, None), (7, 1, 2))]
        for make in (lambda: pt2.Argument.as_ints(range(10)).value, lambda: pt2.Argument.as_bools([True, False, False] * 3 + [True]).value):
            for part in parts:
                for given in ([], [1, 0, 1], [0] * 5):
                    numbers, expected = make(), list(make())
                    items = [type(expected[0])(item) for item in given]
                    with self.subTest(part=part, items=items):
                        try:
                            expected[part] = items
                        except ValueError as error:
                            with self.assertRaisesRegex(ValueError, str(error)):
                                numbers[part] = items
                        else:
                            numbers[part] = items
                        self.assertEqual(list(numbers), expected)
                        del numbers[part], expected[part]
                        self.assertEqual(list(numbers), expected)

    def test_what_bulk_edits_take_out_and_put_in_are_the_same_objects(self):
        before = list(self.nodes)
        targets = [one.target for one in before]
        del self.nodes[::2]
        self.assertEqual([one.target for one in before], targets)
        self.assertTrue(all(a is b for a, b in zip(self.nodes, before[1::2], strict=True)))
        made = node("x")
        self.nodes[1:1] = [made, before[0], before[1], made]
        self.assertEqual([one.target for one in self.nodes[1:5]], ["x", targets[0], targets[1], "x"])
        self.assertEqual([self.nodes[i] is one for i, one in ((1, made), (2, before[0]), (3, before[1]), (4, made))],
                         [True, True, False, False])
        ordered = sorted(self.nodes, key=lambda one: one.target)
        self.nodes[:] = (one for one in ordered)
        self.assertTrue(all(a is b for a, b in zip(self.nodes, ordered, strict=True)))
        self.nodes[::2] = self.nodes[::2][::-1]
        expected = [one.target for one in ordered]
        expected[::2] = expected[::2][::-1]
        self.assertEqual([one.target for one in self.nodes], expected)
        self.nodes.clear()
        self.assertEqual(len(self.nodes), 0)
        self.assertEqual([one.target for one in ordered], sorted(["x", "x", targets[0], targets[1], *targets[1::2]]))

    def test_what_is_cleared_from_a_map_lives_on(self):
        values = self.program.graph_module.graph.tensor_values
        expected = {name: value.to_json() for name, value in values.items()}
        held = dict(values)
        values.clear()
        self.assertEqual((len(values), list(values)), (0, []))
        self.assertEqual({name: value.to_json() for name, value in held.items()}, expected)
        values.update(held)
        self.assertEqual({name: value.to_json() for name, value in values.items()}, expected)
        self.assertTrue(all(values[name] is value for name, value in held.items()))

    def test_bulk_edits_take_no_longer_than_a_list_is(self):
        nodes = pt2.Graph(nodes=[node()] * 60_000).nodes
        entries = node(metadata={str(number): "" for number in range(20_000)}).metadata
        for name, edit in (("insert", lambda: nodes.__setitem__(slice(0, 0), [node()] * 5_000)),
                           ("erase", lambda: nodes.__delitem__(slice(None, None, 2))),
                           ("clear", lambda: entries.clear())):
            start = time.process_time()
            edit()
            with self.subTest(name):  # takes more than ten seconds item by item
                self.assertLess(time.process_time() - start, 2)

    def test_a_value_with_nan_is_equal_to_its_copies(self):
        numbers = pt2.Argument.as_floats([float("nan"), 1.0])
        for twin in (numbers, copy.copy(numbers), pickle.loads(pickle.dumps(numbers)), pt2.Argument.as_floats([float("nan"), 1])):
            self.assertEqual(numbers, twin)
        for other in ([float("nan"), 2.0], [1.0, float("nan")], [float("nan")], [0.0, 1.0]):
            self.assertNotEqual(numbers, pt2.Argument.as_floats(other))
            self.assertNotEqual(numbers.value, other)
        paths = sorted(path for path in PROGRAMS.glob("*/nonfinite*") if path.suffix in (".json", ".pt2"))
        self.assertGreater(len(paths), 10)
        for path in paths:
            with self.subTest(path=path):
                program = pt2.load(path)
                for twin in (program, copy.deepcopy(program), pickle.loads(pickle.dumps(program)), pt2.from_pt2b(program.to_pt2b())):
                    self.assertTrue(twin == program)
                twin.graph_module.graph.nodes[-1].target += "_"
                self.assertFalse(twin == program)

    def test_a_repr_is_short_whatever_is_in_the_value(self):
        text = "x" * 100_000
        made = node(text, inputs=[pt2.NamedArgument(name=text, arg=pt2.Argument.as_string(text), kind=1)], metadata={text: text})
        self.assertEqual(repr(pt2.Argument.as_string(text)), "Argument.as_string('" + "x" * 60 + "'… (100000 characters))")
        self.assertEqual(repr(pt2.Argument.as_string("x" * 60)), "Argument.as_string('" + "x" * 60 + "')")
        for value in (made, made.inputs, made.inputs[0], made.inputs[0].arg, made.metadata, pt2.Argument.as_strings([text] * 1000),
                      pt2.Argument.as_string("\0" * 1000), pt2.Argument.as_string("\U0001f600" * 1000)):
            self.assertLess(len(repr(value)), 600)

    def test_members_of_another_enum_are_refused(self):
        meta = next(iter(self.program.graph_module.graph.tensor_values.values()))
        for use in (lambda: setattr(meta, "dtype", pt2.Layout.SparseCoo), lambda: pt2.TensorMeta(dtype=pt2.Layout.SparseCoo),
                    lambda: pt2.Argument.as_scalar_type(pt2.Layout.Strided), lambda: setattr(meta, "layout", enum.Flag("F", "x").x)):
            with self.assertRaisesRegex(TypeError, "expected (ScalarType|Layout), got"):
                use()
        meta.dtype, meta.layout = 7, pt2.Layout.SparseCoo
        self.assertEqual((meta.dtype, meta.layout), (pt2.ScalarType.FLOAT, pt2.Layout.SparseCoo))

    def test_all_protocols_of_pickle_keep_values(self):
        for value in (self.program, self.nodes[0], pt2.Argument.as_int(3), self.nodes, self.nodes[0].metadata):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.subTest(value=repr(value), protocol=protocol):
                    self.assertEqual(pickle.loads(pickle.dumps(value, protocol)), value)
        with self.assertRaisesRegex(pt2.DataError, "cannot write an unset union"):
            pickle.dumps(pt2.Argument())

    def test_a_key_that_cannot_be_there_is_not_there(self):
        metadata = node(metadata={"a": "1"}).metadata
        for key in (None, 3, 1.5, (), "\ud800", b"a", "b"):
            with self.subTest(key=repr(key)):
                self.assertEqual((metadata.get(key), metadata.get(key, 4), metadata.pop(key, 5), key in metadata), (None, 4, 5, False))
                for use in (metadata.__getitem__, metadata.__delitem__):
                    with self.assertRaises(KeyError):
                        use(key)
        self.assertEqual(metadata, {"a": "1"})

    def test_lists_and_maps_are_copied(self):
        for items in (self.nodes, self.nodes[0].metadata):
            twin = items.copy()
            self.assertEqual((type(twin), twin), (type(items), items))
            twin.clear()
            self.assertNotEqual(twin, items)

    def test_classes_and_their_methods_have_docs(self):
        for owner in (pt2.View, pt2.Struct, pt2.Union, pt2.List, pt2.Map):
            self.assertTrue(owner.__doc__)
            for name, member in vars(owner).items():
                if not name.startswith("_"):
                    with self.subTest(owner=owner, name=name):
                        self.assertTrue(member.__doc__.split("\n\n", type(member).__name__ == "nb_method")[-1])
                        self.assertNotRegex(member.__doc__, r"-> \w+$")

    def test_bad_data_says_what_is_wrong_and_where(self):
        with self.assertRaises(pt2.DataError) as caught:
            pt2.Node.from_json('{\n"target": 3}')
        error = caught.exception
        self.assertIsInstance(error, (pt2.Error, ValueError))
        self.assertEqual((error.path, error.line, error.column, error.reason), ("target", 2, 11, "expected a string, found an integer"))

    def test_each_program_is_its_own_json_and_binary_again(self):
        for path in sorted(PROGRAMS.glob("torch-2.13.0/*.json")):
            if b"graph_module" not in path.read_bytes():
                continue
            with self.subTest(path.name):
                program = pt2.load(path)
                self.assertEqual(program.to_json(), path.read_bytes().rstrip(b"\n"))
                self.assertEqual(pt2.from_pt2b(program.to_pt2b()).to_json(), program.to_json())


if __name__ == "__main__":
    unittest.main()
