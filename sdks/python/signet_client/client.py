"""The client that a protected program holds."""

from __future__ import annotations

import re
import threading
import time
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Type, Union

from .download import DownloadedFile, FileOffer, FilePath, download_file, file_offer_of
from .errors import INVALID_CONFIGURATION, MALFORMED_REPLY, SESSION_IS_GONE, SESSION_REQUIRED, SignetError
from .exchange import SDK, Exchange
from .hardware_id import hardware_id
from .heartbeat import Heartbeat
from .program_hash import HashCheck, check_setting, program_hash
from .public_keys import ed25519_public_key, x25519_public_key
from .session import App, Session, WebhookAnswer, app_of, session_of, text_of, webhook_answer_of
from .transport import Transport, read_fingerprints
from .verify import Verifier
from .wire import app_header

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Client:
    """Asks one Signet app whether this program may run.

    Making a client does no network. ``license``, ``login`` and ``register`` call ``init`` themselves.
    After any of them a background heartbeat keeps asking; ``is_valid()`` is its verdict. Every method
    raises ``SignetError`` and nothing else; a client may be used from several threads.

    The two obfuscation keys are the app's *public* keys. They are no secrets.

    :param hash_check: ``True`` sends the SHA-256 of the running program file, a text is sent as that hash.
    :param ssl_fingerprint: ``"auto"`` for the ordinary checks alone; else hex SHA-256 of the server's
        certificate, or several (current and next), checked in addition.
    :param heartbeat_interval: seconds between background heartbeats; ``None`` for no background heartbeat.
    :param grace: how long the background heartbeat goes on, in seconds, while the server cannot be heard.
    :param on_lost: called once, from the heartbeat's thread, with the error that ended the session.
    :param seal_requests: encrypt request bodies to the app, so that TLS-inspecting proxies can't read them.
    :param timeout: seconds of silence before a request counts as failed.
    :param hwid: your own machine identifier instead of ``hardware_id()``.
    """

    def __init__(
        self,
        owner_id: str,
        app_name: str,
        version: str,
        hash_check: HashCheck,
        server_url: str,
        ssl_fingerprint: Union[str, Iterable[str]],
        client_obfuscation_key: str,
        server_obfuscation_key: str,
        *,
        heartbeat_interval: Optional[float] = 60.0,
        grace: float = 180.0,
        on_lost: Optional[Callable[[SignetError], None]] = None,
        seal_requests: bool = False,
        timeout: float = 15.0,
        hwid: Optional[str] = None,
    ) -> None:
        if not isinstance(owner_id, str) or not re.fullmatch("[A-Za-z0-9]{10}", owner_id):
            raise SignetError(INVALID_CONFIGURATION, "owner_id is 10 letters and digits.")
        root = _key("server_obfuscation_key", ed25519_public_key, server_obfuscation_key)
        recipient = _key("client_obfuscation_key", x25519_public_key, client_obfuscation_key)
        if heartbeat_interval is not None:
            _check_seconds("heartbeat_interval", heartbeat_interval)
        _check_seconds("timeout", timeout)
        _check_seconds("grace", grace)
        self._owner_id = owner_id
        self._version = version
        self._hash_check = check_setting(hash_check)
        self._transport = Transport(server_url, read_fingerprints(ssl_fingerprint), timeout)
        self._exchange = Exchange(
            app=_app(owner_id, app_name),
            transport=self._transport,
            verifier=Verifier(root),
            seal_to=recipient if seal_requests else None,
        )
        self._interval = heartbeat_interval
        self._grace = grace
        self._on_lost = on_lost
        self._hwid = hwid
        self._lock = threading.RLock()
        self._token: Optional[str] = None
        self._session: Optional[Session] = None
        self._ends_at = 0.0  # on the monotonic clock, which nobody can turn back
        self._lost: Optional[SignetError] = None
        self._heartbeat: Optional[Heartbeat] = None

    def init(self) -> App:
        """Open a session: the server checks app, version and program hash."""
        with self._lock:
            self._leave()
            fields: Dict[str, Any] = {"version": self._version, "sdk": SDK}
            digest = program_hash(self._hash_check)
            if digest is not None:
                fields["hash"] = digest
            answer = self._exchange.call("init", fields, None)
            token = answer.get("session")
            if not isinstance(token, str) or not re.fullmatch(r"[A-Za-z0-9_-]{22,128}", token):
                raise SignetError(MALFORMED_REPLY, "The server's signed answer lacks a proper session.")
            app = app_of(answer)
            self._token = token
            return app

    def license(self, key: str) -> Session:
        """Sign in with a license key alone."""
        return self._sign_in("license", {"key": key})

    def login(self, username: str, password: str) -> Session:
        """Sign in with a user's name and password."""
        return self._sign_in("login", {"username": username, "password": password})

    def register(self, username: str, password: str, license_key: str, email: Optional[str] = None) -> Session:
        """Make a user from an unused license key, and sign in."""
        fields = {"username": username, "password": password, "licenseKey": license_key}
        if email is not None:
            fields["email"] = email
        return self._sign_in("register", fields)

    def heartbeat(self) -> Session:
        """Ask now whether the session still stands. The background heartbeat does this by itself."""
        with self._lock:
            try:
                return self._ask_heartbeat()
            except SignetError as error:
                if error.is_refusal:
                    self._end(error)
                raise

    def variable(self, name: str) -> str:
        """A variable of the app. The owner decides which ones can be read before anybody signs in."""
        with self._lock:
            if self._token is None:
                self.init()
            return text_of(self._exchange.call("variable", {"name": name}, self._token), "value")

    def user_variable(self, name: str) -> str:
        """A variable of the user who is signed in."""
        with self._lock:
            return text_of(self._ask_signed_in("user-variable", {"name": name}), "value")

    def set_user_variable(self, name: str, value: str) -> None:
        """Make or change a variable of the user who is signed in."""
        with self._lock:
            self._ask_signed_in("set-user-variable", {"name": name, "value": value})

    def log(self, message: str) -> None:
        """Write a line into the log that the owner sees, signed in or not. At most 30 a minute."""
        with self._lock:
            if self._token is None:
                self.init()
            self._exchange.call("log", {"message": message}, self._token)

    def download(self, file_id: str, path: FilePath) -> DownloadedFile:
        """Write a file of the app to ``path``. The owner decides which ones need a user who is signed in.

        The bytes go to a new file beside it, which takes its name once they are whole and their SHA-256 is the
        signed one; otherwise nothing is left of them and what stood at ``path`` stays. What was cut off goes on
        where it broke. Heartbeats go on meanwhile.
        """
        return download_file(lambda: self._ask_file(file_id), self._transport, path)

    def call_webhook(self, webhook_id: str, params: Optional[Mapping[str, Any]] = None) -> WebhookAnswer:
        """Have the server call a webhook of the app, with these as its JSON body; its URL stays off this machine."""
        with self._lock:
            if self._token is None:
                self.init()
            fields = {"id": webhook_id, "params": dict(params or {})}
            answer = self._exchange.call("call-webhook", fields, self._token)
            return webhook_answer_of(answer)

    def upgrade(self, license_key: str) -> Session:
        """Redeem another license for the user who is signed in."""
        with self._lock:
            return self._keep(session_of(self._ask_signed_in("upgrade", {"licenseKey": license_key})))

    def change_password(self, password: str, new_password: str) -> None:
        """Change the password of the user who is signed in; the user's other sessions end."""
        with self._lock:
            self._ask_signed_in("change-password", {"password": password, "newPassword": new_password})

    def request_password_reset(self, username: str) -> None:
        """Have a link to set a new password mailed to the user, if an address is stored. Three an hour of a session."""
        with self._lock:
            if self._token is None:
                self.init()
            self._exchange.call("request-password-reset", {"username": username}, self._token)

    def logout(self) -> None:
        """End the session on the server and here. Here it ends even if the server can't be reached."""
        with self._lock:
            token = self._token
            self._stop_heartbeat()
            self._token = self._session = self._lost = None
            if token is not None:
                self._exchange.call("logout", {}, token)

    def is_valid(self) -> bool:
        """Whether the program may go on: signed in, not refused since, heard from the server in time."""
        session, heartbeat = self._session, self._heartbeat
        if session is None or self._lost is not None or (heartbeat is not None and heartbeat.is_overdue):
            return False
        return time.monotonic() < self._ends_at

    @property
    def session(self) -> Optional[Session]:
        """The latest the server said about the customer; ``None`` before sign-in."""
        return self._session

    @property
    def lost(self) -> Optional[SignetError]:
        """Why the session ended, once it has."""
        return self._lost

    def close(self) -> None:
        """Log out quietly and drop the connection. The client can still be used afterwards."""
        with self._lock:
            self._leave()
            self._exchange.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _sign_in(self, name: str, fields: Mapping[str, str]) -> Session:
        with self._lock:
            complete = {**fields, "hwid": self._hwid or hardware_id(self._owner_id)}
            is_fresh = self._token is None or self._session is not None
            if is_fresh:
                self.init()
            try:
                answer = self._exchange.call(name, complete, self._token)
            except SignetError as error:
                # An init() of an hour ago may have run out while the customer looked for the key.
                if is_fresh or error.code not in SESSION_IS_GONE:
                    raise
                self._token = None
                self.init()
                answer = self._exchange.call(name, complete, self._token)
            session = self._keep(session_of(answer))
            if self._interval is not None:
                self._heartbeat = Heartbeat(self._beat, self._lose, interval=self._interval, grace=self._grace)
                self._heartbeat.start()
            return session

    def _keep(self, session: Session) -> Session:
        left = session.expires_at - (_EPOCH + timedelta(milliseconds=self._exchange.now_ms()))
        self._ends_at = time.monotonic() + left.total_seconds()
        self._session = session
        return session

    def _ask_heartbeat(self) -> Session:
        session = self._keep(session_of(self._ask_signed_in("heartbeat", {})))
        if self._heartbeat is not None:
            self._heartbeat.note_success()
        return session

    def _ask_signed_in(self, name: str, fields: Mapping[str, str]) -> Dict[str, Any]:
        if self._lost is not None:
            raise self._lost
        if self._token is None or self._session is None:
            raise SignetError(SESSION_REQUIRED, "Sign in first: license(), login() or register().")
        return self._exchange.call(name, fields, self._token)

    def _ask_file(self, file_id: str) -> FileOffer:
        with self._lock:
            if self._token is None:
                self.init()
            return file_offer_of(self._exchange.call("download", {"id": file_id}, self._token))

    def _beat(self, heartbeat: Heartbeat) -> None:
        with self._lock:
            if heartbeat is self._heartbeat:
                self._ask_heartbeat()

    def _lose(self, heartbeat: Heartbeat, error: SignetError) -> None:
        """From the heartbeat's thread. The callback runs without the lock, so it may use the client."""
        with self._lock:
            if heartbeat is not self._heartbeat:
                return
            self._end(error)
        if self._on_lost is not None:
            self._on_lost(error)

    def _end(self, error: SignetError) -> None:
        self._lost = error
        self._token = None
        self._stop_heartbeat()

    def _leave(self) -> None:
        """Forget the current session, telling the server if it can be told."""
        try:
            self.logout()
        except SignetError:
            pass

    def _stop_heartbeat(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()
            self._heartbeat = None


def _app(owner_id: str, app_name: str) -> str:
    try:
        if app_name:
            return app_header(owner_id, app_name)
    except (TypeError, UnicodeEncodeError):
        pass
    raise SignetError(INVALID_CONFIGURATION, "app_name is the app's name, as text.")


def _key(name: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except (TypeError, ValueError) as error:
        raise SignetError(INVALID_CONFIGURATION, f"{name} is damaged: {error}.") from error


def _check_seconds(name: str, seconds: object) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= 86_400:
        raise SignetError(INVALID_CONFIGURATION, f"{name} is a number of seconds above 0, at most a day.")
