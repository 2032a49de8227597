#!/usr/bin/env python3
"""tests/project/prose.py [--count] [PATH...]: lists phrases in documents, messages and comments that the style guide of CONTRIBUTING.md advises against.

Prints `FILE:LINE: KIND: ADVICE: "PHRASE"` for each, then for each kind the number per thousand words. --count prints only the numbers.
PATH: files or folders of this repository (default: all). The patterns find suspects and overlook much: judge each sentence yourself.
"""

import argparse
import io
import pathlib
import re
import tokenize

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["runtime", "toolbox", "generator", "tools", "bindings", "templates", "dev"]
DOCUMENTS = ["*.md", "docs/*.md", "schema/*.md", "dev/packaging/*.md", "tests/*/README.md"]
KINDS = ["documents", "messages", "comments"]

# Advice and pattern, for the start of a sentence.
OPENINGS = [
    ("put the subject first", r"(?:of|with|to|in|from|for) (?:an?|the|one|each|such|those|them|it|what|which)\b[^,]{0,70}, "
                              r"(?:there|it|they|one|the|an?|its|only|no|what)\b"),
    ("name the subject", r"(?:who|what|where|whoever|whatever) (?!(?:is|are|was|does|do|did|to|can|should|if|about|it|you|this|we|must|remains?|happens|changes)\b)"
                         r"[a-z]+\b(?!.*\?)"),
]
# Advice and pattern, for any place.
PHRASES = [
    ("say what it is", r"(?<!there )\b(?:is|are|was) no (?!(?:longer|more|one|way|need|reason|such|error|value)\b)[a-z]+"),
    ("compare numbers", r"\bnot as many\b|\bas many \w+ (?:as|are)\b|\bha(?:s|ve) not (?:an?|one|as|the)\b"),
    ("say who does it", r"\b(?:is|are|was|be|been) (?:asked|gone|held against|left alone|looked at|passed over|said|taken for|told)\b"),
    ("repeat the noun", r"\b(?:those|that|the ones|the same) of\b|\bone of which\b|\bof which (?:it|nothing|one|there)\b|\bof whom\b|"
                        r"\bthere(?:of|in)\b|\bwhose own\b"),
    ("write 'except', 'only' or 'own'", r"\bbut for\b|\bno(?:thing|ne) but\b|\bof (?:its|their|one's) own\b|\bby itself alone\b|\banew\b"),
    ("use 'is'", r"\bst(?:ands?|ood) (?:above|alone|at|before|behind|below|beside|by|first|for itself|in|last|on|there|where)\b"),
    ("split the sentence", r", (?:which|whose?|where) [^.;:|,]{4,}(?:,[^.;:|,]+)*?, (?:and so|as|so|where|which|whose?) "),
    ("use a plain verb", r"\b(?:are|is) to be\b|\bmay come to be\b|\bcomes to\b|\bgives? back\b|\bin (?:a|one) word\b|\bwith(?:out)? a word\b"),
    ("say who knows it", r"\bit is (?:known|not known|said|told)\b|\bis not known\b"),
    ("use the term of the field", r"\bwhole numbers?\b|\b(?:least|greatest) number\b|\bnumber of bits\b|\bplace in memory\b|\btext of a program\b"),
]
OPENINGS = [(advice, re.compile(pattern, re.I)) for advice, pattern in OPENINGS]
PHRASES = [(advice, re.compile(pattern, re.I)) for advice, pattern in PHRASES]
SENTENCE = re.compile(r"(?<=[.!?])\s+")
CPP_TOKEN = re.compile(r'//(?P<comment>[^\n]*)|/\*(?P<block>.*?)\*/|R"(?P<delimiter>\w*)\((?P<raw>.*?)\)(?P=delimiter)"|'
                       r"'(?:[^'\\\n]|\\[^\n]{1,4}?)'|\"(?P<literal>(?:[^\"\\\n]|\\.)*)\"", re.S)
LICENCES = ("dagre_licence",)


def suspects_in(text):
    """Advice and phrase for each suspect in a paragraph."""
    for sentence in SENTENCE.split(text):
        sentence = sentence.lstrip("*-/!#> |(")
        for advice, pattern in OPENINGS:
            if found := pattern.match(sentence):
                yield advice, found[0]
    for advice, pattern in PHRASES:
        for found in pattern.finditer(text):
            yield advice, found[0]


def markdown_prose(text):
    """Line numbers and paragraphs, without headings and fenced blocks, and with `x` for code. Each item and table row is a paragraph."""
    paragraph, start, is_code = [], 1, False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            is_code = not is_code
            continue
        if is_code:
            continue
        if paragraph and (not stripped or stripped[0] in "#|" or re.match(r"(?:[*-]|\d+\.) ", stripped)):
            yield start, "documents", re.sub(r"`[^`]*`", "`x`", " ".join(paragraph))
            paragraph = []
        if stripped and not stripped.startswith(("#", "<!--")):
            start = start if paragraph else number
            paragraph.append(stripped)


def cpp_prose(text):
    """Comments, with adjacent lines in one paragraph, and literals, with adjacent ones joined."""
    previous = None
    for token in CPP_TOKEN.finditer(text):
        kind = "comments" if token["comment"] is not None or token["block"] is not None else "messages"
        words = next((token[name] for name in ("comment", "block", "raw", "literal") if token[name] is not None), None)
        if words is None:
            continue
        between = text[previous[2]:token.start()] if previous else "x"
        if previous and previous[0] == kind and not between.strip() and between.count("\n") <= 1:
            joint = " " if kind == "comments" else ""
            previous = (kind, previous[1], token.end(), previous[3] + joint + words.strip("/! " if joint else ""))
            continue
        if previous:
            yield text.count("\n", 0, previous[1]) + 1, previous[0], previous[3]
        previous = (kind, token.start(), token.end(), words.strip("/! ") if kind == "comments" else words)
    if previous:
        yield text.count("\n", 0, previous[1]) + 1, previous[0], previous[3]


def python_prose(text):
    """Comments and docstrings, and literals."""
    is_statement = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name == "COMMENT":
            yield token.start[0], "comments", token.string.lstrip("#! ")
        elif name == "STRING":
            yield token.start[0], "comments" if is_statement else "messages", re.sub(r"^\w*(\"\"\"|'''|\"|')|[\"']+$", "", token.string)
        elif name == "FSTRING_MIDDLE":
            yield token.start[0], "messages", token.string
        if name not in ("COMMENT", "NL"):
            is_statement = name in ("NEWLINE", "INDENT", "DEDENT", "ENCODING")


def script_prose(text):
    """Comments after `#`."""
    for number, line in enumerate(text.split("\n"), 1):
        if found := re.search(r"(?:^|\s)#!?\s?(.*)", line):
            yield number, "comments", found[1]


READERS = {".md": markdown_prose, ".h": cpp_prose, ".cpp": cpp_prose, ".c": cpp_prose, ".js": cpp_prose, ".mustache": cpp_prose,
           ".py": python_prose, ".pyi": python_prose, ".sh": script_prose, ".cmake": script_prose, ".txt": script_prose}


def files_of(paths=()):
    """Returns the files to read: documents, and sources outside the tests and generated code; with `paths`, only files in these."""
    found = {path for pattern in DOCUMENTS for path in REPOSITORY.glob(pattern)}
    for folder in FOLDERS:
        for path in (REPOSITORY / folder).rglob("*"):
            if path.suffix in READERS and path.is_file() and path.stem not in LICENCES and (path.suffix != ".txt" or path.name == "CMakeLists.txt"):
                found.add(path)
    roots = [pathlib.Path(path).resolve() for path in paths]
    return sorted(path for path in found if not roots or any(path == root or root in path.parents for root in roots))


def prose_of(path):
    """Line numbers, kinds and texts of a file. Literals with fewer than three words are not prose."""
    for line, kind, text in READERS[path.suffix](path.read_text(encoding="utf-8")):
        if kind != "messages" or text.count(" ") >= 2:
            yield line, kind, text


def measure(paths=()):
    """Returns the words and the suspects of each kind: (file, line, advice, phrase)."""
    words, suspects = dict.fromkeys(KINDS, 0), {kind: [] for kind in KINDS}
    for path in files_of(paths):
        for line, kind, text in prose_of(path):
            words[kind] += len(text.split())
            suspects[kind] += [(path.relative_to(REPOSITORY), line, *found) for found in suspects_in(text)]
    return words, suspects


def rate(words, suspects):
    return 1000 * suspects / max(words, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="print only the numbers")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    arguments = parser.parse_args()
    words, suspects = measure(arguments.paths)
    for kind in KINDS:
        for path, line, advice, phrase in [] if arguments.count else suspects[kind]:
            print(f'{path}:{line}: {kind}: {advice}: "{phrase}"')
    for kind in KINDS:
        print(f"{kind}: {len(suspects[kind])} in {words[kind]} words, {rate(words[kind], len(suspects[kind])):.1f} per thousand")


if __name__ == "__main__":
    main()
