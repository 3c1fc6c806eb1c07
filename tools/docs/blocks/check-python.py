"""Checks the Python blocks of the documentation against the client: syntax, names, arguments, and codes.

Reads a JSON list of [place, code], and prints a JSON list of problems.
"""

import ast
import inspect
import json
import re
import sys
import typing

import signet_client
from signet_client.codes import MESSAGES

# What a block that continues another one calls them.
USUAL = {
    "client": signet_client.Client,
    "signet": signet_client.Client,
    "session": signet_client.Session,
    "error": signet_client.SignetError,
}


def attributes_of(owner):
    """Names of an instance, with those that its methods set."""
    names = set(dir(owner))
    for each in owner.__mro__[:-1]:
        names.update(getattr(each, "__annotations__", {}))
        try:
            names.update(re.findall(r"self\.(\w+)\s*(?::[^=\n]+)?=", inspect.getsource(each)))
        except (OSError, TypeError):
            pass
    return names


def hint_of(owner, name):
    """What an annotation says: the return of a function, or the type of a field."""
    for each in getattr(owner, "__mro__", [owner]):
        hint = getattr(each, "__annotations__", {}).get(name)
        if hint is not None:
            return plain(eval(hint, vars(sys.modules[each.__module__])) if isinstance(hint, str) else hint)
    return None


def plain(hint):
    """The class behind Optional[...]; anything else stays as it is."""
    options = [each for each in typing.get_args(hint) if each is not type(None)]
    return options[0] if typing.get_origin(hint) is typing.Union and len(options) == 1 else hint


class Checker(ast.NodeVisitor):
    def __init__(self, place):
        self.place = place
        self.known = dict(USUAL)
        self.problems = []

    def report(self, node, text):
        self.problems.append(f"{self.place}: line {node.lineno}: {text}")

    def type_of(self, node):
        if isinstance(node, ast.Await):
            return self.type_of(node.value)
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Call):
            called = self.called(node)
            if inspect.isclass(called):
                return called
            return hint_of(called, "return")
        if isinstance(node, ast.Subscript):
            return self.item_of(node.value)
        if isinstance(node, ast.Attribute):
            owner = self.type_of(node.value)
            found = inspect.getattr_static(owner, node.attr, None) if inspect.isclass(owner) else None
            if isinstance(found, property):
                return hint_of(found.fget, "return")
            if inspect.isclass(owner):
                return hint_of(owner, node.attr)
        return None

    def item_of(self, node):
        items = typing.get_args(self.type_of(node))
        return items[0] if items else None

    def called(self, node):
        if isinstance(node.func, ast.Name):
            found = getattr(signet_client, node.func.id, None)
            return found if callable(found) else None
        if isinstance(node.func, ast.Attribute):
            owner = self.type_of(node.func.value)
            if owner in (signet_client.Client, signet_client.AsyncClient):
                return getattr(owner, node.func.attr, None)
        return None

    def bind(self, target, value):
        if isinstance(target, ast.Name) and value is not None:
            self.known[target.id] = value

    def visit_ImportFrom(self, node):
        if node.module == "signet_client":
            for each in node.names:
                if not hasattr(signet_client, each.name):
                    self.report(node, f"signet_client has no {each.name}")

    def visit_Assign(self, node):
        self.generic_visit(node)
        self.bind(node.targets[0], self.type_of(node.value))

    def visit_With(self, node):
        for each in node.items:
            self.visit(each.context_expr)
            self.bind(each.optional_vars, self.type_of(each.context_expr))
        for each in node.body:
            self.visit(each)

    visit_AsyncWith = visit_With

    def visit_For(self, node):
        self.bind(node.target, self.item_of(node.iter))
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.bind(node.target, self.item_of(node.iter))
        self.generic_visit(node)

    def visit_SetComp(self, node):
        for each in node.generators:
            self.visit(each)
        self.generic_visit(node)

    visit_ListComp = visit_GeneratorExp = visit_SetComp

    def visit_Attribute(self, node):
        self.generic_visit(node)
        owner = self.type_of(node.value)
        if inspect.isclass(owner) and owner.__module__.startswith("signet_client"):
            if node.attr not in attributes_of(owner):
                self.report(node, f"{owner.__name__} has no {node.attr}")

    def visit_Call(self, node):
        self.generic_visit(node)
        called = self.called(node)
        if called is None:
            return
        signature = inspect.signature(called)
        names = {each.arg: None for each in node.keywords if each.arg}
        is_cut = any(isinstance(each, ast.Constant) and each.value is ... for each in node.args)
        try:
            if is_cut:
                signature.bind_partial(**names)
            elif not any(isinstance(each, ast.Starred) for each in node.args) and len(names) == len(node.keywords):
                own = [] if inspect.isclass(called) else [None]
                signature.bind(*own, *node.args, **names)
        except TypeError as error:
            self.report(node, f"{ast.unparse(node.func)}: {error}")

    def visit_Constant(self, node):
        is_code = isinstance(node.value, str) and re.fullmatch(r"[A-Z]+(?:_[A-Z]+)+", node.value)
        if is_code and not node.value.startswith("YOUR_") and node.value not in MESSAGES:
            self.report(node, f"there is no code {node.value}")


def problems_of(place, code):
    try:
        tree = compile(code, place, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        return [f"{place}: line {error.lineno}: {error.msg}"]
    checker = Checker(place)
    checker.visit(tree)
    return checker.problems


print(json.dumps([problem for place, code in json.load(sys.stdin) for problem in problems_of(place, code)]))
