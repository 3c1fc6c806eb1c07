"""Addresses of a host, looked up where a slow answer holds up nobody."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import Future
from typing import Any, List, Tuple

#: Family and socket address.
Address = Tuple[int, Any]

#: How long an address of a host is alone before the next one is tried, too, as browsers do (RFC 8305). A customer whose
#: IPv6 leads nowhere would otherwise wait for the first address until the call is over.
HEAD_START_SECONDS = 0.25


def resolve(host: str, port: int) -> "Future[List[Address]]":
    """``getaddrinfo`` can't be interrupted, so it runs in a daemon thread that outlives the wait for it."""
    future: "Future[List[Address]]" = Future()
    # From now on, whoever stops waiting can't cancel it under the thread's hands.
    future.set_running_or_notify_cancel()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            future.set_result([(family, address) for family, _, _, _, address in found])
        except BaseException as error:
            future.set_exception(error)

    try:
        threading.Thread(target=look_up, name="signet-resolve", daemon=True).start()
    except RuntimeError as error:
        # The system gives no thread, or the program is ending.
        future.set_exception(OSError(str(error)))
    return future


def new_socket(family: int) -> socket.socket:
    """A TCP socket that never blocks."""
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setblocking(False)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made
