"""Calls of every command of pt2, with all options: tests of what holds for all commands run these."""

import re

from pt2_command import run

# FILE is the file, OTHER another program, NAME a name that the file may not have. The first call of a command succeeds, unless FILE and
# OTHER do not fit.
CALLS = [line.split() for line in """
info FILE
info FILE --json
info FILE --model NAME
show FILE
show FILE --signature
show FILE --json
show FILE --json --signature
show FILE --source
show FILE --fold
show FILE --depth 0
show FILE --depth 1 --fold
show FILE --color always
show FILE --node NAME
show FILE --module NAME
show FILE --model NAME
show FILE --operators FILE
validate FILE
validate FILE --no-checksums
validate FILE --json
validate FILE --rule NAME
validate FILE --rules FILE
validate FILE --operators FILE
convert FILE -o -
convert FILE -o OUT.json --indent 1
convert FILE -o - --plain-tree
convert FILE -o OUT.json --plain-tree
convert FILE -o NAME
convert FILE -o - --root NAME
convert FILE -o - --root ExportedProgram
convert FILE -o - --to NAME
convert FILE -o OUT.pt2
convert FILE -o OUT.pt2 --into FILE
convert FILE -o - --keep-unknown
convert FILE -o OUT.pt2b --no-compress
convert FILE -o OUT.pt2b --canonical
convert FILE -o OUT.pt2 --model NAME
upgrade FILE -o OUT.json
upgrade FILE -o OUT.pt2
upgrade FILE --dry-run
upgrade FILE --dry-run --json
upgrade FILE --dry-run --model NAME
upgrade FILE -o NAME
downgrade FILE -o - --to 8.2
downgrade FILE -o OUT.pt2 --to torch-2.6
downgrade FILE -o OUT.pt2 --to torch-2.9
downgrade FILE -o OUT.json --to 8.14
downgrade FILE -o OUT.json --to NAME
downgrade FILE -o - --to 8.2 --model NAME
canonicalize FILE -o -
canonicalize FILE -o OUT.pt2
canonicalize FILE -o - --form torch
canonicalize FILE -o - --form names --keep-provenance
canonicalize FILE -o - --form NAME
canonicalize FILE -o - --model NAME
hash FILE
hash FILE --json
hash FILE --weights
hash FILE --model NAME
diff FILE OTHER
diff OTHER FILE --json
diff FILE FILE
diff FILE OTHER --weights
diff FILE OTHER -o -
diff FILE FILE -o OUT.html --weights
diff FILE OTHER --model NAME
diff FILE OTHER --operators FILE
diff FILE NAME
rename FILE x=y -o -
rename FILE xNAME=y -o -
rename FILE NAME -o -
rename FILE x=y NAME=z -o OUT.json
rename FILE l1.weight=w -o OUT.pt2 --json
rename FILE x=y -o - --model NAME
retarget FILE -o - --device cuda
retarget FILE -o - --device NAME
retarget FILE -o - --device cpu --from NAME
retarget FILE -o OUT.pt2 --device cuda:0
retarget FILE -o OUT.json --dtype bfloat16
retarget FILE -o OUT.pt2 --dtype float16
retarget FILE -o OUT.json --dtype float16 --keep NAME --keep-unconvertible --json
retarget FILE -o - --dtype NAME
retarget FILE -o - --device cpu --model NAME
extract FILE -o - --inputs x --outputs relu
extract FILE -o - --outputs relu
extract FILE -o - --inputs NAME --outputs NAME --operators FILE
extract FILE -o OUT.json --outputs r2 --json
extract FILE -o OUT.json --outputs y --model NAME
join FILE OTHER -o -
join OTHER FILE -o OUT.pt2
join FILE OTHER -o OUT.json --json
join FILE OTHER -o - --connect NAME
slim FILE -o OUT.pt2 --drop samples,unused
slim FILE -o OUT.json --drop stack-traces,metadata,samples,unused,names
slim FILE -o OUT.pt2 --drop unused,metadata --reproducible
slim FILE -o OUT.json --drop names --json
slim FILE -o - --drop NAME
slim FILE -o - --drop names --model NAME
stats FILE
stats FILE --by module
stats FILE --by node
stats FILE --by NAME
stats FILE --json --by node
stats FILE --bind s0=3
stats FILE --bind NAME=3
stats FILE --operators FILE
stats FILE --model NAME
operators FILE
operators FILE --json
operators FILE --torch 2.1
operators FILE --torch NAME
operators FILE --backend core-aten
operators FILE --backend FILE
operators FILE --model NAME
infer FILE
infer FILE --json
infer FILE --operators FILE
infer FILE --model NAME
weights FILE
weights FILE --json
weights FILE NAME
weights FILE -o OUT.npz
weights FILE -o OUT.safetensors
weights FILE -o NAME
weights FILE --model NAME
strip FILE -o OUT.pt2
strip FILE -o OUT.pt2 --weights OUT.npz
strip FILE -o OUT.pt2 --weights NAME
strip FILE -o OUT.pt2 --model NAME
attach FILE OTHER -o OUT.pt2
attach OTHER FILE -o OUT.pt2
attach FILE OTHER -o OUT.pt2 --model NAME
scan FILE
scan FILE --format json
scan FILE --format sarif
scan FILE --format NAME
check FILE
check FILE --no-checksums
check FILE --policy load
check FILE --policy inspect
check FILE --policy NAME
check FILE --format json
check FILE --format sarif
check FILE --format github
check FILE --rule NAME
check FILE --rules FILE
check FILE --operators FILE
harden FILE -o OUT.pt2
harden FILE -o OUT.pt2 --drop-native --keep-extra
harden FILE -o OUT.pt2 --model NAME
view FILE -o -
view FILE -o - --no-weights
view FILE -o - --format model-explorer
view FILE -o - --format NAME
view FILE -o - --model NAME
view FILE -o - --overlay FILE
view FILE -o - --app
export FILE --format dot
export FILE --format dot -o OUT.dot
export FILE --format NAME
export FILE --format dot --model NAME
rules
rules --json
explain NAME
""".strip().splitlines()]


def call(words, file, other, out, name="r1"):
    """The arguments of a call; `out` is a folder."""
    places = {"FILE": str(file), "OTHER": str(other), "NAME": name, "OUT": f"{out}/out"}
    return [re.sub("|".join(places), lambda match: places[match[0]], word) for word in words]


def usual_calls():
    """The first call of each command that reads a file."""
    commands = set()
    for words in CALLS:
        if words[0] not in commands and "FILE" in words:
            commands.add(words[0])
            yield words


def commands():
    """The names that the help lists."""
    names = re.findall(r"^  ([a-z]+) +[A-Z]", run("--help")[1], re.MULTILINE)
    assert len(names) > 20, names
    return names


def options(command):
    """The options that --help lists."""
    text = run(command, "--help")[1].split("\nExamples:")[0]
    return set(re.findall(r"^  (?:-h,)?(--?[a-z-]+)", text, re.MULTILINE)) - {"--help", "--version"}
