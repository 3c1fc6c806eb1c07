"""What a client knows and does, as steps that ``Client`` and ``AsyncClient`` run."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, Deque, Dict, List, Mapping, Optional, Tuple

from .codes import SignetCode
from .connection import Connection
from .download import FileOffer, file_offer_of
from .errors import LOST, SESSION_IS_GONE, SignetError
from .exchange import SDK, Exchange
from .hardware_id import hardware_id
from .heartbeat import Schedule
from .license_key import trim_key
from .limit import Steps
from .pipe import Waiting
from .program_hash import program_hash
from .session import App, Session, app_of, session_of
from .settings import Settings
from .verify import Verifier

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
#: Their errors are about what was typed; only the end of the session itself ends it.
_ABOUT_INPUT = frozenset({"upgrade", "request-password-reset"})

Fields = Mapping[str, Any]
Answer = Dict[str, Any]
#: ``lost``, ``interrupted`` with their error, or ``resumed``.
Event = Tuple[str, Optional[SignetError]]


@dataclass(eq=False)
class SignedIn:
    """A session that somebody is signed in to."""

    token: str
    hwid: str
    session: Session
    #: On the monotonic clock, which nobody can turn back.
    ends_at: float
    schedule: Optional[Schedule]
    lost: Optional[SignetError] = None


@dataclass(eq=False)
class Core:
    """Runs one call at a time; the methods that aren't steps can be called at any time."""

    settings: Settings
    waiting: Waiting
    signed_in: Optional[SignedIn] = None
    #: Tokens to sign out, in the background.
    left: List[str] = field(default_factory=list)
    events: Deque[Event] = field(default_factory=deque)
    #: A session that nobody is signed in to yet.
    _opened: Optional[str] = None
    #: Of the program as it was started: an update can replace its file meanwhile.
    _program_hash: Optional[str] = None

    def __post_init__(self) -> None:
        #: An interruption and its end are reported in the order in which they happen.
        self._reporting = threading.Lock()
        settings = self.settings
        seal_to = settings.sealing_key if settings.seal_requests else None
        self.exchange = Exchange(app=settings.app, verifier=Verifier(settings.verification_key), seal_to=seal_to)
        self.connection = self.new_connection()

    def new_connection(self) -> Connection:
        return Connection(self.settings.address, self.waiting)

    def after_fork(self) -> None:
        """In the new process: what is left to do, a session that nobody is signed in to, and the connection with its
        encryption belong to the old one."""
        self.left, self.events, self._opened = [], deque(), None
        self._reporting = threading.Lock()
        self.exchange.after_fork()
        # Closes only the copy of the socket, without a word on the connection.
        self.connection.close()

    def is_valid(self) -> bool:
        signed_in, now = self.signed_in, time.monotonic()
        if signed_in is None or signed_in.lost is not None:
            return False
        return now < signed_in.ends_at if signed_in.schedule is None else not signed_in.schedule.is_overdue(now)

    def leave(self) -> List[str]:
        """Forgets all sessions; returns the tokens to sign out."""
        signed_in, opened = self.signed_in, self._opened
        self.signed_in = self._opened = None
        tokens = [] if signed_in is None or signed_in.lost is not None else [signed_in.token]
        return tokens if opened is None else [*tokens, opened]

    def init(self) -> Steps[App]:
        """The session of whoever is signed in goes on; the new one is for the next sign-in."""
        fields: Answer = {**(yield from self._program()), "sdk": SDK}
        answer = yield from self._call("init", fields, None)
        token = answer.get("session")
        if not isinstance(token, str) or not re.fullmatch(r"[A-Za-z0-9_-]{22,128}", token):
            raise SignetError(SignetCode.MALFORMED_REPLY, "The server's signed answer lacks a proper session.")
        app = app_of(answer)
        self._opened = token
        return app

    def sign_in(self, name: str, fields: Fields) -> Steps[Session]:
        """In a new session. Whatever goes wrong, the current one stays."""
        hwid: str = self.settings.hwid or (yield partial(self.waiting.compute, self._hardware_id))
        token, answer = yield from self._ask_opened(name, {**_trimmed(fields), "hwid": hwid})
        self._opened = None
        session, before = session_of(answer), self.signed_in
        self._enter(token, hwid, session)
        if before is not None and before.lost is None:
            self.left.append(before.token)
        return session

    def heartbeat(self) -> Steps[Session]:
        return (yield from self._ask_signed_in_session("heartbeat", {}))

    def upgrade(self, license_key: str) -> Steps[Session]:
        """Also after the time has ended: the server still knows the session, which starts anew."""
        fields, before = _trimmed({"licenseKey": license_key}), self.signed_in
        if before is None or before.lost is None or before.lost.code != SignetCode.SUBSCRIPTION_EXPIRED:
            return (yield from self._ask_signed_in_session("upgrade", fields))
        session = session_of((yield from self._ask_in(before, "upgrade", fields)))
        # Somebody may have logged out meanwhile.
        if self.signed_in is before:
            self._enter(before.token, before.hwid, session)
        return session

    def ask(self, name: str, fields: Fields) -> Steps[Answer]:
        """In the signed-in session if there is one, else in one that nobody is signed in to."""
        signed_in = self.signed_in
        if signed_in is not None and signed_in.lost is None:
            return (yield from self._ask_in(signed_in, name, fields))
        _, answer = yield from self._ask_opened(name, fields)
        return answer

    def call_webhook(self, webhook_id: str, params: Optional[Mapping[str, Any]]) -> Steps[Answer]:
        given: Any = {} if params is None else params
        if not isinstance(given, Mapping):
            raise SignetError(SignetCode.MALFORMED_REQUEST, "The parameters of a webhook are a JSON object.")
        return (yield from self.ask("call-webhook", {"id": webhook_id, "params": dict(given)}))

    def ask_signed_in(self, name: str, fields: Fields) -> Steps[Answer]:
        return (yield from self._ask_in(self._signed_in(), name, fields))

    def file_offer(self, file_id: str) -> Steps[FileOffer]:
        return file_offer_of((yield from self.ask("download", {"id": file_id})))

    def logout(self, tokens: List[str]) -> Steps[None]:
        """What ``leave`` returned."""
        if self.signed_in is not None and self.signed_in.token in tokens:
            # A sign-in under way has used a session that was only opened before.
            self.signed_in = None
        for token in tokens:
            try:
                yield from self._call("logout", {}, token)
            except SignetError as error:
                if not (error.is_signed and error.code in SESSION_IS_GONE):
                    raise

    def beat(self, signed_in: SignedIn) -> Steps[None]:
        """A heartbeat in the background."""
        if self.is_current(signed_in):
            yield from self._renewing(signed_in, "heartbeat", {}, self._keep)

    def is_current(self, signed_in: SignedIn) -> bool:
        return self.signed_in is signed_in and signed_in.lost is None

    def note_silence(self, signed_in: SignedIn) -> None:
        """Reports an interruption once it is one."""
        if signed_in.schedule is not None and self.is_current(signed_in):
            with self._reporting:
                error = signed_in.schedule.interruption(time.monotonic())
                if error is not None:
                    self.events.append(("interrupted", error))

    def _enter(self, token: str, hwid: str, session: Session) -> None:
        interval, now = self.settings.heartbeat_interval, time.monotonic()
        schedule = None if interval is None else Schedule(interval, self.settings.grace, now)
        self.signed_in = SignedIn(token, hwid, session, self._end_of(session), schedule)

    def _signed_in(self) -> SignedIn:
        signed_in = self.signed_in
        if signed_in is None:
            raise SignetError(SignetCode.SESSION_REQUIRED, "Sign in first: license(), login(), or register().")
        if signed_in.lost is not None:
            # Each raise adds its frames to the traceback, which would never end.
            raise signed_in.lost.with_traceback(None)
        return signed_in

    def _ask_signed_in_session(self, name: str, fields: Fields) -> Steps[Session]:
        signed_in = self._signed_in()
        yield from self._renewing(signed_in, name, fields, self._keep)
        return signed_in.session

    def _ask_in(self, signed_in: SignedIn, name: str, fields: Fields) -> Steps[Answer]:
        return (yield from self._renewing(signed_in, name, fields, lambda signed_in, answer: None))

    def _renewing(self, signed_in: SignedIn, name: str, fields: Fields, keep: Any) -> Steps[Answer]:
        """A call in the signed-in session, which is renewed if it expired meanwhile, as after the computer's sleep."""
        try:
            answer = yield from self._call(name, fields, signed_in.token)
        except SignetError as error:
            if not (error.is_signed and error.code == SignetCode.SESSION_EXPIRED):
                self._judge(signed_in, name, error)
                raise
            yield from self._renew(signed_in)
            try:
                answer = yield from self._call(name, fields, signed_in.token)
            except SignetError as second:
                self._judge(signed_in, name, second)
                raise
        keep(signed_in, answer)
        return answer

    def _renew(self, signed_in: SignedIn) -> Steps[None]:
        fields = {**(yield from self._program()), "hwid": signed_in.hwid}
        try:
            answer = yield from self._call("renew", fields, signed_in.token)
        except SignetError as error:
            self._judge(signed_in, "renew", error)
            raise
        self._keep(signed_in, answer)

    def _judge(self, signed_in: SignedIn, name: str, error: SignetError) -> None:
        """Whether a failed call in the session ends it."""
        if not error.is_signed or error.is_temporary:
            return
        is_final = error.verdict == LOST
        if name in ("heartbeat", "renew"):
            is_final = True
        elif name in _ABOUT_INPUT:
            is_final = is_final and error.code in SESSION_IS_GONE
        if is_final and self.is_current(signed_in):
            signed_in.lost = error
            self.events.append(("lost", error))

    def _keep(self, signed_in: SignedIn, answer: Answer) -> None:
        signed_in.session = session_of(answer)
        signed_in.ends_at = self._end_of(signed_in.session)
        with self._reporting:
            is_resumed = signed_in.schedule is not None and signed_in.schedule.heard(time.monotonic())
            if is_resumed and self.is_current(signed_in):
                self.events.append(("resumed", None))

    def _end_of(self, session: Session) -> float:
        left = session.expires_at - (_EPOCH + timedelta(milliseconds=self.exchange.now_ms()))
        return time.monotonic() + left.total_seconds()

    def _ask_opened(self, name: str, fields: Fields) -> Steps[Tuple[str, Answer]]:
        """In a session that nobody is signed in to. One that is gone by now is opened again, once."""
        was_open = self._opened is not None
        while True:
            if self._opened is None:
                yield from self.init()
            token = str(self._opened)
            try:
                return token, (yield from self._call(name, fields, token))
            except SignetError as error:
                is_gone = error.is_signed and error.code in SESSION_IS_GONE
                # After an answer that can't be verified, nobody knows what became of the session.
                if is_gone or not error.is_signed:
                    self._opened = None
                if not (is_gone and was_open):
                    raise
                was_open = False
            except BaseException:
                # A task of asyncio that was cancelled, or whose time is up.
                self._opened = None
                raise

    def _program(self) -> Steps[Answer]:
        """What a program says about itself."""
        fields: Answer = {"version": self.settings.version}
        if self._program_hash is None:
            self._program_hash = yield partial(self.waiting.compute, partial(program_hash, self.settings.hash_check))
        if self._program_hash is not None:
            fields["hash"] = self._program_hash
        return fields

    def _call(self, name: str, fields: Fields, token: Optional[str]) -> Steps[Answer]:
        return (yield from self.exchange.call(self.connection, name, fields, token))

    def _hardware_id(self) -> str:
        return hardware_id(self.settings.owner_id)


def _trimmed(fields: Fields) -> Answer:
    is_key = ("key", "licenseKey")
    return {name: trim_key(value) if name in is_key and isinstance(value, str) else value for name, value in fields.items()}
