"""A program that runs only while its customer may use it.

    python quick_start.py snippet.txt

``snippet.txt`` holds what the dashboard shows under App Settings: ``Client(owner_id="...", ...)``.
Your own program has that call in its source; this one reads it from a file so that you can try it
without editing. Exit code 3 means rejected.
"""

from __future__ import annotations

import ast
import sys
import time
from typing import Any, Dict

from signet_client import Client, Session, SignetError


def arguments_of(snippet: str) -> Dict[str, Any]:
    """The keyword arguments of the pasted ``Client(...)`` call. The snippet is read, never run."""
    for node in ast.walk(ast.parse(snippet)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Client":
            return {item.arg: ast.literal_eval(item.value) for item in node.keywords if item.arg is not None}
    raise SystemExit("There is no Client(...) in this snippet.")


def greet(session: Session) -> None:
    print(f"Welcome, {session.username}.")
    for subscription in session.subscriptions:
        until = f"until {subscription.expires_at:%Y-%m-%d %H:%M} UTC" if subscription.expires_at else "for life"
        print(f"{subscription.name} (level {subscription.level}), {until}")
    sys.stdout.flush()


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit("usage: quick_start.py SNIPPET_FILE")
    with open(sys.argv[1], encoding="utf-8") as file:
        arguments = arguments_of(file.read())
    try:
        with Client(**arguments) as client:
            greet(client.license(input("License key: ")))
            while client.is_valid():
                time.sleep(0.5)  # your program's work
            raise client.lost or SignetError("NETWORK", "The server was not heard in time.")
    except SignetError as error:
        print(f"rejected: {error.code} {error.customer_message}")
        return 3
    except (EOFError, KeyboardInterrupt):
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
