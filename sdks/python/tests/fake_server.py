"""A small Signet server on a real socket, honest unless told to tamper with its answers."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Type

from opening import certificate, open_sealed, raw

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from signet_client.sealing import raw_public_bytes
from signet_client.verify import Reply
from signet_client.wire import Request, encode_base64url, new_nonce, reply_message, sealing_context, signed_bytes

USER = {
    "username": "alice",
    "email": "",
    "subscriptions": [{"level": 2, "name": "Pro", "expiresAt": None}],
    "createdAt": 1_700_000_000,
    "lastLoginAt": 1_700_000_001,
}
Answer = Tuple[int, Dict[str, Any]]


class FakeServer:
    """``reject`` maps a call's name to an error; ``tamper`` changes signed answers on their way."""

    def __init__(self) -> None:
        self.root = Ed25519PrivateKey.generate()
        self.key = Ed25519PrivateKey.generate()
        self.recipient = X25519PrivateKey.generate()
        self.certificate = certificate(self.root, self.key)
        self.clock_ahead_seconds = 0.0
        self.session_seconds = 3600
        self.reject: Dict[str, Tuple[int, str]] = {}
        self.app: Dict[str, Any] = {"name": "My App", "version": "1.0"}
        self.extra: Dict[str, Any] = {}
        self.tamper: Callable[[Request, Reply], Optional[Reply]] = lambda request, reply: reply
        #: Calls that get no answer until the test ends, and calls whose first answer is lost.
        self.hang_on: Set[str] = set()
        self.drop_once: Set[str] = set()
        self.is_over = threading.Event()
        self.extra_headers: Dict[str, str] = {}
        self.received: List[Tuple[str, Dict[str, Any], Dict[str, str]]] = []
        self.variables: Dict[str, str] = {}
        self.files: Dict[str, bytes] = {}
        self.file_status = 200
        self.file_on_the_wire: Callable[[bytes], bytes] = lambda data: data
        self.cut_files_after: List[int] = []
        #: Nothing comes after so many bytes, until the test ends.
        self.silent_after: List[int] = []
        self.ranges: List[Optional[str]] = []
        self.connections = 0
        self.drop_after_each = False
        #: The HWID of each session once somebody is signed in.
        self._sessions: Dict[str, Optional[str]] = {}
        self._nonces: Set[str] = set()
        self._expired: Set[str] = set()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        # Clients that hang up are what some tests are about.
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def arguments(self, **changes: Any) -> Dict[str, Any]:
        """For a client of this server, without a background heartbeat unless asked for."""
        arguments: Dict[str, Any] = {
            "owner_id": "Ab3dE6gH1j",
            "app_name": "My App",
            "version": "1.0",
            "server_url": self.url,
            "verification_key": raw(self.root),
            "sealing_key": encode_base64url(raw_public_bytes(self.recipient.public_key())),
            "heartbeat_interval": None,
            "timeout": 30.0,
        }
        return {**arguments, **changes}

    def calls(self) -> List[str]:
        """The names of the calls received so far."""
        return [name for name, _, _ in self.received]

    def now_ms(self) -> int:
        return int((time.time() + self.clock_ahead_seconds) * 1000)

    def signed(self, request: Request, status: int, fields: Any, **changes: Any) -> Reply:
        """An answer as the real server makes it; ``changes``: key, kid, certificate, server_time, body."""
        body = changes.get("body", json.dumps(fields).encode())
        kid = changes.get("kid", "k1")
        server_time = str(changes.get("server_time", self.now_ms()))
        message = reply_message(request.app, kid, request.hash(), server_time, status, body)
        headers = {
            "x-signet-key": kid,
            "x-signet-time": server_time,
            "x-signet-signature": encode_base64url(changes.get("key", self.key).sign(signed_bytes(message, ""))),
            "x-signet-certificate": changes.get("certificate", self.certificate),
        }
        return Reply(status, headers, body)

    def answer(self, request: Request, headers: Dict[str, str]) -> Optional[Reply]:
        name = request.path.rsplit("/", 1)[-1]
        body = request.body
        if headers["Content-Type"] == "application/octet-stream":
            aad = sealing_context(request.path, request.app, request.nonce, request.time, request.session)
            body = open_sealed(self.recipient, body, aad)
        fields = json.loads(body)
        self.received.append((name, fields, headers))
        if name in self.hang_on:
            self.is_over.wait(60)
            return None
        if self._is_nonce_used(request.nonce):
            return self.tamper(request, self.signed(request, *_error(409, "NONCE_REUSED")))
        if name in self.drop_once:
            self.drop_once.discard(name)
            return None
        if abs(int(request.time) - self.now_ms()) > 120_000:
            status, answer = _error(400, "CLOCK_SKEW")
        elif name in self.reject:
            status, answer = _error(*self.reject[name])
            answer.update(self.extra)
        else:
            status, answer = self._agree(name, request.session, fields)
        return self.tamper(request, self.signed(request, status, answer))

    def _is_nonce_used(self, nonce: str) -> bool:
        is_used = nonce in self._nonces
        self._nonces.add(nonce)
        return is_used

    def _agree(self, name: str, session: Optional[str], fields: Dict[str, Any]) -> Answer:
        expires_at = self.now_ms() // 1000 + self.session_seconds
        if name == "init":
            token = encode_base64url(hashlib.sha256(new_nonce().encode()).digest())
            self._sessions[token] = None
            answer = {"success": True, "message": "Ready", "session": token, "expiresAt": expires_at}
            return 200, {**answer, "app": self.app}
        if session not in self._sessions:
            return _error(401, "SESSION_REQUIRED" if session is None else "SESSION_ENDED")
        if session in self._expired and name != "renew":
            return _error(401, "SESSION_EXPIRED")
        if name == "renew":
            if fields["hwid"] != self._sessions[session]:
                return _error(403, "HWID_MISMATCH")
            self._expired.discard(session)
            return 200, {"success": True, "message": "Renewed", "user": USER, "expiresAt": expires_at}
        if name == "logout":
            del self._sessions[session]
            return 200, {"success": True, "message": "Bye"}
        if name in ("log", "request-password-reset"):
            return 200, {"success": True, "message": ""}
        if name == "call-webhook":
            return 200, {"success": True, "message": "", "status": 202, "body": json.dumps(fields["params"])}
        if name == "variable":
            return 200, {"success": True, "message": "", "name": fields["name"], "value": "of the app"}
        if name == "download":
            return self._offer(fields["id"])
        if name in ("heartbeat", "user-variable", "set-user-variable", "upgrade", "change-password") and (
            self._sessions[session] is None
        ):
            return _error(403, "NOT_SIGNED_IN")
        if name == "set-user-variable":
            self.variables[fields["name"]] = fields["value"]
        if name in ("user-variable", "set-user-variable"):
            value = self.variables.get(fields["name"])
            if value is None:
                return _error(404, "VARIABLE_NOT_FOUND")
            return 200, {"success": True, "message": "", "name": fields["name"], "value": value}
        self._sessions[session] = fields.get("hwid") or self._sessions[session]
        return 200, {"success": True, "message": "Welcome", "user": USER, "expiresAt": expires_at}

    def _offer(self, file_id: str) -> Answer:
        data = self.files.get(file_id)
        if data is None:
            return _error(404, "DOWNLOAD_NOT_FOUND")
        offer = {"fileName": "setup.exe", "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        return 200, {"success": True, "message": "", "url": f"/api/1.0/download/{file_id}?ticket=1.a-b.c_d", **offer, **self.extra}

    def forget_sessions(self) -> None:
        """As after the owner ended them."""
        self._sessions.clear()

    def expire_sessions(self) -> None:
        """As after a night of sleep."""
        self._expired.update(self._sessions)

    def open_sessions(self) -> int:
        """How many have not been logged out."""
        return len(self._sessions)

    def __enter__(self) -> "FakeServer":
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.is_over.set()
        self._http.shutdown()
        self._http.server_close()


def _error(status: int, code: str) -> Answer:
    return status, {"success": False, "message": f"No: {code}", "code": code, "requestId": "req-1"}


def _handler_of(server: FakeServer) -> Type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            server.connections += 1

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            names = ("App", "Nonce", "Time", "Session")
            app, nonce, sent_at, session = (self.headers.get(f"X-Signet-{name}") for name in names)
            request = Request(self.path, str(app), str(nonce), str(sent_at), session, body)
            reply = server.answer(request, dict(self.headers))
            if reply is not None:
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(reply.body)), **reply.headers, **server.extra_headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)
            # Closed without a "Connection: close": what an idle timeout looks like to the client.
            self.close_connection = reply is None or server.drop_after_each

        def do_GET(self) -> None:
            """The bytes behind a file's address, a part of them when its ETag is still right."""
            signed = server.files.get(self.path.rsplit("/", 1)[-1].split("?")[0], b"")
            data = server.file_on_the_wire(signed)
            requested = self.headers.get("Range")
            server.ranges.append(requested)
            is_same = self.headers.get("If-Range") == f'"{hashlib.sha256(signed).hexdigest()}"'
            start = int(requested[6:-1]) if requested is not None and is_same else 0
            self.send_response(206 if start > 0 else server.file_status)
            self.send_header("Content-Length", str(len(data) - start))
            if start > 0:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            cut = server.cut_files_after.pop(0) if server.cut_files_after else None
            silent = server.silent_after.pop(0) if server.silent_after else None
            self.wfile.write(data[start : silent or cut])
            if silent is not None:
                server.is_over.wait()
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
