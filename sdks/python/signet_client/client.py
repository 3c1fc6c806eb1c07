"""The client of a program with threads."""

from __future__ import annotations

import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Generator, List, Mapping, Optional, Type, TypeVar

from .background import HeartbeatThread, Notifier, QuietThreads
from .base import CLOSE_SECONDS, ClientBase
from .blocking import SLICE_SECONDS, Blocking, run
from .core import SignedIn
from .download import DownloadedFile, FileOffer, FilePath, FileSource, download_file
from .errors import SignetError
from .limit import Cancellation, Limit, Silence, Step, Steps
from .pipe import Waiting
from .session import App, Session, WebhookAnswer, text_of, webhook_answer_of

T = TypeVar("T")


class Client(ClientBase):
    """Asks one Signet app whether this program may run.

    All methods raise ``SignetError`` and nothing else, and can be called from any thread; calls made at the same time
    go out one after another. ``license``, ``login``, and ``register`` call ``init`` themselves. After any of them a
    background thread keeps asking, and ``is_valid()`` is its result. Callbacks run in a thread of their own;
    what they raise is logged by the logger ``signet_client``.
    """

    def init(self) -> App:
        """Open a session: the server checks app, version, and program hash. Optional."""
        return self._run(self._core.init())

    def license(self, key: str) -> Session:
        """Sign in with a license key only."""
        return self._run(self._core.sign_in("license", {"key": key}))

    def login(self, username: str, password: str, license_key: Optional[str] = None) -> Session:
        """Sign in with a user's name and password; redeem a license key for the user first, such as to renew."""
        fields = {"username": username, "password": password}
        more = {} if license_key is None else {"licenseKey": license_key}
        return self._run(self._core.sign_in("login", {**fields, **more}))

    def register(self, username: str, password: str, license_key: str, email: Optional[str] = None) -> Session:
        """Create a user with an unused license key, and sign in."""
        fields = {"username": username, "password": password, "licenseKey": license_key}
        return self._run(self._core.sign_in("register", fields if email is None else {**fields, "email": email}))

    def heartbeat(self) -> Session:
        """Ask now whether the session still stands. The background heartbeat does it automatically."""
        return self._run(self._core.heartbeat())

    def variable(self, name: str) -> str:
        """A variable of the app. The owner decides which ones need a sign-in."""
        return text_of(self._run(self._core.ask("variable", {"name": name})), "value")

    def user_variable(self, name: str) -> str:
        """A variable of the signed-in user."""
        return text_of(self._run(self._core.ask_signed_in("user-variable", {"name": name})), "value")

    def set_user_variable(self, name: str, value: str) -> None:
        """Create or change a variable of the signed-in user."""
        self._run(self._core.ask_signed_in("set-user-variable", {"name": name, "value": value}))

    def log(self, message: str) -> None:
        """Add a line to the log that the owner sees. At most 30 a minute."""
        self._run(self._core.ask("log", {"message": message}))

    def download(self, file_id: str, path: FilePath) -> DownloadedFile:
        """Write a file of the app to ``path``. The owner decides which ones need a sign-in.

        The bytes go to a new file beside it, which replaces ``path`` only once it is complete and its SHA-256 is the
        signed one; otherwise it is deleted, and an existing file stays. An interrupted download is resumed, in up to
        five attempts. Other calls continue meanwhile.
        """

        def ask(limit: Limit) -> FileOffer:
            return self._run(self._core.file_offer(file_id))

        timeout, is_cancelled = self._settings.timeout, self._is_cancelled()

        def until_silence(steps: Steps[None]) -> Step:
            return lambda limit: run(steps, Silence(timeout, is_cancelled))

        source = FileSource(ask, self._core.new_connection, until_silence, self._waiting, timeout)
        return self._speaking(download_file(source, path), Cancellation(is_cancelled))

    def call_webhook(self, webhook_id: str, params: Optional[Mapping[str, Any]] = None) -> WebhookAnswer:
        """Let the server call a webhook of the app, with these as its JSON body."""
        return webhook_answer_of(self._run(self._core.call_webhook(webhook_id, params)))

    def upgrade(self, license_key: str) -> Session:
        """Redeem another license for the signed-in user, also after ``SUBSCRIPTION_EXPIRED`` in this session."""
        return self._run(self._core.upgrade(license_key))

    def change_password(self, password: str, new_password: str) -> None:
        """Change the password of the signed-in user; the user's other sessions end."""
        self._run(self._core.ask_signed_in("change-password", {"password": password, "newPassword": new_password}))

    def request_password_reset(self, username: str) -> None:
        """Mail the user a link for a new password, if an address is stored. Three an hour of a session."""
        self._run(self._core.ask("request-password-reset", {"username": username}))

    def logout(self) -> None:
        """End the session, on the server and here. Here it ends even if the server can't be reached."""
        tokens = self._leave()
        self._run(self._core.logout(tokens))

    def cancel(self) -> None:
        """Let every call under way raise ``CANCELLED``, from another thread. The session and its heartbeat go on."""
        self._cancellations += 1

    def close(self) -> None:
        """Log out without raising errors and close the connection, within 2 s. Calls under way raise ``CANCELLED``.

        The client can be used again afterwards.
        """
        limit = Limit(CLOSE_SECONDS)
        self.cancel()
        tokens = self._leave()
        try:
            self._in_turn(self._closing(tokens), limit)
        except SignetError:
            pass
        self._quiet.join(limit)

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _closing(self, tokens: List[str]) -> Generator[Step, Any, None]:
        try:
            # A sign-in can have come between.
            yield from self._core.logout([*tokens, *self._leave()])
        finally:
            self._core.connection.close()

    def _after_fork(self) -> None:
        super()._after_fork()
        # Without a thread for the heartbeat, the next call tries again.
        with suppress(SignetError):
            self._follow_up()

    def _new_waiting(self) -> Waiting:
        return Blocking()

    def _set_up(self) -> None:
        self._turn = threading.Lock()
        self._cancellations = 0
        self._heartbeat: Optional[HeartbeatThread] = None
        self._quiet = QuietThreads()
        self._notifier = Notifier(self._settings)

    def _run(self, steps: Generator[Step, Any, T]) -> T:
        try:
            return self._in_turn(steps, Limit(self._settings.timeout, self._is_cancelled()))
        except SignetError as error:
            error.speak(self._messages)
            raise

    def _speaking(self, steps: Generator[Step, Any, T], limit: Limit) -> T:
        try:
            return run(steps, limit)
        except SignetError as error:
            error.speak(self._messages)
            raise

    def _is_cancelled(self) -> Any:
        before = self._cancellations
        return lambda: self._cancellations != before

    def _in_turn(self, steps: Generator[Step, Any, T], limit: Limit) -> T:
        while not self._turn.acquire(timeout=min(limit.left(), SLICE_SECONDS)):
            pass
        try:
            return run(steps, limit)
        finally:
            try:
                self._follow_up()
            finally:
                self._turn.release()
                self._report()

    def _follow_up(self) -> None:
        """What a call leaves to the background."""
        while self._core.left:
            self._quiet.log_out(self._core, self._core.left.pop(), Limit(self._settings.timeout))
        signed_in = self._core.signed_in
        # Another thread that logs out sets it to None.
        current = self._heartbeat
        if current is None or current.signed_in is not signed_in:
            self._stop_heartbeat()
            if signed_in is not None and signed_in.schedule is not None:
                heartbeat = HeartbeatThread(self._core, signed_in, self._beat, self._report)
                heartbeat.start()
                self._heartbeat = heartbeat

    def _beat(self, heartbeat: HeartbeatThread, signed_in: SignedIn) -> None:
        """From the background thread."""
        self._in_turn(self._core.beat(signed_in), Limit(self._settings.timeout, heartbeat.is_stopped))

    def _report(self) -> None:
        self._notifier.deliver(self._core.events)

    def _leave(self) -> List[str]:
        tokens = self._core.leave()
        self._stop_heartbeat()
        return tokens

    def _stop_heartbeat(self) -> None:
        heartbeat, self._heartbeat = self._heartbeat, None
        if heartbeat is not None:
            heartbeat.stop()
