"""The client of a program with an asyncio event loop."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from types import TracebackType
from typing import Any, Coroutine, Generator, List, Mapping, Optional, Set, Type, TypeVar

from .asynchronous import Asynchronous, Calls, run, run_within
from .base import CLOSE_SECONDS, ClientBase
from .codes import SignetCode
from .core import SignedIn
from .download import DownloadedFile, FileOffer, FilePath, FileSource, download_file
from .errors import SignetError
from .heartbeat import PART_SECONDS, SleepWatch, heartbeat_error
from .limit import Cancellation, Limit, Silence, Step, Steps
from .pipe import Waiting
from .session import App, Session, WebhookAnswer, text_of, webhook_answer_of

T = TypeVar("T")
_log = logging.getLogger("signet_client")
#: After ``CLOSE_SECONDS``; together they stay below 2 s.
_END_SECONDS = 0.3
#: A timer can come early by the resolution of the clock.
_TIMER_SECONDS = 0.02


class AsyncClient(ClientBase):
    """The same for asyncio: the methods of ``Client`` as coroutines, in one event loop.

    Cancelling a task ends its call at once. The heartbeat is a task; callbacks run in the event loop and can be
    ordinary functions or coroutine functions. What they raise is logged by the logger ``signet_client``.
    """

    async def init(self) -> App:
        """Open a session: the server checks app, version, and program hash. Optional."""
        return await self._run(self._core.init())

    async def license(self, key: str) -> Session:
        """Sign in with a license key only."""
        return await self._run(self._core.sign_in("license", {"key": key}))

    async def login(self, username: str, password: str, license_key: Optional[str] = None) -> Session:
        """Sign in with a user's name and password; redeem a license key for the user first, such as to renew."""
        fields = {"username": username, "password": password}
        more = {} if license_key is None else {"licenseKey": license_key}
        return await self._run(self._core.sign_in("login", {**fields, **more}))

    async def register(self, username: str, password: str, license_key: str, email: Optional[str] = None) -> Session:
        """Create a user with an unused license key, and sign in."""
        fields = {"username": username, "password": password, "licenseKey": license_key}
        return await self._run(self._core.sign_in("register", fields if email is None else {**fields, "email": email}))

    async def heartbeat(self) -> Session:
        """Ask now whether the session still stands. The background heartbeat does it automatically."""
        return await self._run(self._core.heartbeat())

    async def variable(self, name: str) -> str:
        """A variable of the app. The owner decides which ones need a sign-in."""
        return text_of(await self._run(self._core.ask("variable", {"name": name})), "value")

    async def user_variable(self, name: str) -> str:
        """A variable of the signed-in user."""
        return text_of(await self._run(self._core.ask_signed_in("user-variable", {"name": name})), "value")

    async def set_user_variable(self, name: str, value: str) -> None:
        """Create or change a variable of the signed-in user."""
        await self._run(self._core.ask_signed_in("set-user-variable", {"name": name, "value": value}))

    async def log(self, message: str) -> None:
        """Add a line to the log that the owner sees. At most 30 a minute."""
        await self._run(self._core.ask("log", {"message": message}))

    async def download(self, file_id: str, path: FilePath) -> DownloadedFile:
        """Write a file of the app to ``path``, as ``Client.download`` does."""

        async def ask(limit: Limit) -> FileOffer:
            return await self._run(self._core.file_offer(file_id))

        timeout, cancellation = self._settings.timeout, Cancellation()

        def until_silence(steps: Steps[None]) -> Step:
            return lambda limit: run_within(steps, Silence(timeout))

        source = FileSource(ask, self._core.new_connection, until_silence, self._waiting, timeout)
        return await self._bounded(run(download_file(source, path), cancellation), cancellation)

    async def call_webhook(self, webhook_id: str, params: Optional[Mapping[str, Any]] = None) -> WebhookAnswer:
        """Let the server call a webhook of the app, with these as its JSON body."""
        return webhook_answer_of(await self._run(self._core.call_webhook(webhook_id, params)))

    async def upgrade(self, license_key: str) -> Session:
        """Redeem another license for the signed-in user, also after ``SUBSCRIPTION_EXPIRED`` in this session."""
        return await self._run(self._core.upgrade(license_key))

    async def change_password(self, password: str, new_password: str) -> None:
        """Change the password of the signed-in user; the user's other sessions end."""
        fields = {"password": password, "newPassword": new_password}
        await self._run(self._core.ask_signed_in("change-password", fields))

    async def request_password_reset(self, username: str) -> None:
        """Mail the user a link for a new password, if an address is stored. Three an hour of a session."""
        await self._run(self._core.ask("request-password-reset", {"username": username}))

    async def logout(self) -> None:
        """End the session, on the server and here. Here it ends even if the server can't be reached."""
        await self._run(self._core.logout(self._leave()))

    async def close(self) -> None:
        """Log out without raising errors and close the connection, within 2 s. Calls under way raise ``CANCELLED``."""
        limit = Limit(CLOSE_SECONDS)
        tokens = self._leave()
        self._calls.abort(SignetError(SignetCode.CANCELLED, "The client was closed."))
        try:
            await self._farewells.run(self._in_turn(self._closing(tokens), limit), limit)
            if self._logouts:
                await asyncio.wait(self._logouts, timeout=limit.left())
        except SignetError:
            pass
        finally:
            await _end(self._logouts | self._heartbeats)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def _closing(self, tokens: List[str]) -> Generator[Step, Any, None]:
        try:
            yield from self._core.logout([*tokens, *self._leave()])
        finally:
            self._core.connection.close()

    def _new_waiting(self) -> Waiting:
        return Asynchronous()

    def _set_up(self) -> None:
        self._lock: Optional[asyncio.Lock] = None
        self._calls = Calls()
        self._farewells = Calls()
        self._heartbeat: Optional["asyncio.Task[Any]"] = None
        self._beating: Optional[SignedIn] = None
        self._heartbeats: Set["asyncio.Task[Any]"] = set()
        self._logouts: Set["asyncio.Task[Any]"] = set()
        self._callbacks: Set["asyncio.Task[Any]"] = set()

    async def _run(self, steps: Generator[Step, Any, T]) -> T:
        limit = Limit(self._settings.timeout)
        return await self._bounded(self._in_turn(steps, limit), limit)

    async def _bounded(self, work: Coroutine[Any, Any, T], limit: Limit) -> T:
        try:
            return await self._calls.run(work, limit)
        except SignetError as error:
            error.speak(self._messages)
            raise

    async def _in_turn(self, steps: Generator[Step, Any, T], limit: Limit) -> T:
        # Made here because before Python 3.10 a lock belongs to the event loop in which it is made.
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            try:
                return await run(steps, limit)
            finally:
                self._follow_up()
                self._report()

    def _follow_up(self) -> None:
        """What a call leaves to the background."""
        while self._core.left:
            _keep(self._logouts, self._log_out(self._core.left.pop()))
        signed_in = self._core.signed_in
        if signed_in is not None and signed_in is not self._beating and signed_in.schedule is not None:
            self._stop_heartbeat()
            self._beating = signed_in
            self._heartbeat = _keep(self._heartbeats, self._beat(signed_in))

    async def _log_out(self, token: str) -> None:
        connection = self._core.new_connection()
        try:
            limit = Limit(self._settings.timeout)
            await self._farewells.run(run(self._core.exchange.tell(connection, "logout", token), limit), limit)
        except SignetError:
            pass
        finally:
            connection.close()

    async def _beat(self, signed_in: SignedIn) -> None:
        """The heartbeat of one sign-in."""
        schedule, watch = signed_in.schedule, SleepWatch()
        assert schedule is not None
        while self._core.is_current(signed_in):
            await asyncio.sleep(min(schedule.pause(time.monotonic()), PART_SECONDS))
            if watch.has_slept():
                schedule.ask_now(time.monotonic())
            if schedule.is_due(time.monotonic()):
                try:
                    await self._watched(self._run(self._core.beat(signed_in)), signed_in)
                except Exception as error:
                    schedule.failed(heartbeat_error(error), time.monotonic())
            self._note_silence(signed_in)

    async def _watched(self, beat: Coroutine[Any, Any, Any], signed_in: SignedIn) -> None:
        """If the silence becomes too long meanwhile, that is reported at once; after a standstill, the answer decides."""
        assert signed_in.schedule is not None
        left = signed_in.schedule.left(time.monotonic())
        loop = asyncio.get_running_loop()
        timer = None if left < 0 else loop.call_later(left + _TIMER_SECONDS, self._note_silence, signed_in)
        try:
            await beat
        finally:
            if timer is not None:
                timer.cancel()

    def _note_silence(self, signed_in: SignedIn) -> None:
        self._core.note_silence(signed_in)
        self._report()

    def _report(self) -> None:
        """Calls the program's functions later, without the lock."""
        while self._core.events:
            asyncio.get_running_loop().call_soon(self._notify, *self._core.events.popleft())

    def _notify(self, name: str, error: Optional[SignetError]) -> None:
        callback = self._settings.callbacks[name]
        if callback is None:
            return
        if error is not None:
            error.speak(self._messages)
        try:
            result = callback() if error is None else callback(error)
        except Exception:
            _log.exception("The function for %r failed", name)
            return
        if inspect.iscoroutine(result):
            _keep(self._callbacks, _logging_errors(name, result))

    def _leave(self) -> List[str]:
        tokens = self._core.leave()
        self._stop_heartbeat()
        return tokens

    def _stop_heartbeat(self) -> None:
        heartbeat, self._heartbeat, self._beating = self._heartbeat, None, None
        if heartbeat is not None:
            heartbeat.cancel()


async def _logging_errors(name: str, work: Coroutine[Any, Any, Any]) -> None:
    try:
        await work
    except Exception:
        _log.exception("The function for %r failed", name)


def _keep(tasks: Set["asyncio.Task[Any]"], work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
    """Runs it in a task, which the event loop alone would not keep."""
    task = asyncio.ensure_future(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return task


async def _end(tasks: Set["asyncio.Task[Any]"]) -> None:
    """Cancels them, and lets them close their connections before the event loop may end."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_END_SECONDS)
