"""What ``Client`` and ``AsyncClient`` have in common."""

from __future__ import annotations

import os
import weakref
from typing import Optional

from .core import Core
from .errors import Messages, MessageSource, SignetError
from .pipe import Waiting
from .program_hash import HashCheck
from .server_address import Fingerprints
from .session import Session
from .settings import OnError, OnResumed, read_settings

#: ``close()`` returns within 2 s, whatever hangs.
CLOSE_SECONDS = 1.5


_clients: "weakref.WeakSet[ClientBase]" = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class ClientBase:
    """Asks one Signet app whether this program may run."""

    def __init__(
        self,
        owner_id: str,
        app_name: str,
        version: str,
        server_url: str,
        verification_key: str,
        sealing_key: str,
        *,
        hash_check: HashCheck = False,
        ssl_fingerprint: Fingerprints = "auto",
        heartbeat_interval: Optional[float] = 60.0,
        grace: float = 180.0,
        timeout: float = 15.0,
        seal_requests: bool = False,
        hwid: Optional[str] = None,
        proxy: Optional[str] = "auto",
        ca_file: Optional[str] = None,
        allow_http: bool = False,
        language: str = "en",
        messages: Optional[MessageSource] = None,
        on_lost: Optional[OnError] = None,
        on_interrupted: Optional[OnError] = None,
        on_resumed: Optional[OnResumed] = None,
    ) -> None:
        """Creating a client makes no network calls.

        The two keys are the app's *public* keys; they are no secrets.

        :param verification_key: the app's Ed25519 key: verifies what comes from the server.
        :param sealing_key: the app's X25519 key: encrypts what goes to it, with ``seal_requests``.
        :param hash_check: ``True`` sends the SHA-256 of the running program file, a hex text is sent as it is.
        :param ssl_fingerprint: ``"auto"`` for the ordinary checks; else the hex SHA-256 of the server's certificate, or
            several (current and next), checked in addition.
        :param heartbeat_interval: seconds between heartbeats in the background; ``None`` or 0 for none.
        :param grace: seconds beyond the interval that the server can be unreachable before ``is_valid()`` turns false.
        :param timeout: seconds that any call takes at most; for ``download``, of silence.
        :param seal_requests: encrypts request bodies for the app, so that TLS-inspecting proxies can't read them.
        :param hwid: your own machine identifier instead of ``hardware_id()``.
        :param proxy: ``"auto"`` for the environment's (``HTTPS_PROXY``, ``NO_PROXY``), a URL, or ``None`` for none.
        :param ca_file: PEM file with the certificate authorities to trust instead of the system's.
        :param allow_http: allows http:// to other computers, which anybody on the way can read.
        :param language: of ``SignetError.customer_message``: en, pt, or es.
        :param messages: your own sentences: a mapping by code, or a function of the error. ``None`` for the built-in one.
        :param on_lost: called once with the error when the server ends the session.
        :param on_interrupted: called with the error when ``is_valid()`` turns false because the server wasn't heard.
        :param on_resumed: called when it is heard again.
        """
        self._settings = read_settings(
            owner_id=owner_id,
            app_name=app_name,
            version=version,
            server_url=server_url,
            verification_key=verification_key,
            sealing_key=sealing_key,
            hash_check=hash_check,
            ssl_fingerprint=ssl_fingerprint,
            heartbeat_interval=heartbeat_interval,
            grace=grace,
            timeout=timeout,
            seal_requests=seal_requests,
            hwid=hwid,
            proxy=proxy,
            ca_file=ca_file,
            allow_http=allow_http,
            language=language,
            messages=messages,
            on_lost=on_lost,
            on_interrupted=on_interrupted,
            on_resumed=on_resumed,
        )
        self._messages: Messages = self._settings.messages
        self._waiting = self._new_waiting()
        self._core = Core(self._settings, self._waiting)
        self._set_up()
        _clients.add(self)

    def is_valid(self) -> bool:
        """Whether the program may go on: signed in, not rejected since, heard from the server in time. No network."""
        return self._core.is_valid()

    @property
    def session(self) -> Optional[Session]:
        """The latest that the server said about the customer; ``None`` before sign-in."""
        signed_in = self._core.signed_in
        return None if signed_in is None else signed_in.session

    @property
    def lost(self) -> Optional[SignetError]:
        """The error that ended the session."""
        signed_in = self._core.signed_in
        return None if signed_in is None else signed_in.lost

    def _new_waiting(self) -> Waiting:
        raise NotImplementedError

    def _after_fork(self) -> None:
        """In the new process, which has none of the threads, and uses the session over a connection of its own."""
        self._core.after_fork()
        self._set_up()

    def _set_up(self) -> None:
        raise NotImplementedError
