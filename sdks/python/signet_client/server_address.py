"""Where the server is and how to get there, from the constructor's arguments."""

from __future__ import annotations

import base64
import ipaddress
import re
import ssl
from dataclasses import dataclass
from typing import FrozenSet, Iterable, Optional, Union
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies_environment

from .errors import invalid

Fingerprints = Union[str, Iterable[str]]
_PLAIN = re.compile(r"[!-~]+", re.ASCII)


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy; ``authorization`` is the value of its header."""

    host: str
    port: int
    authorization: Optional[str]


@dataclass(frozen=True)
class ServerAddress:
    """``tls`` is ``None`` for http://. An empty set of fingerprints means the ordinary checks only."""

    host: str
    port: int
    tls: Optional[ssl.SSLContext]
    fingerprints: FrozenSet[str]
    proxy: Optional[Proxy]

    @property
    def authority(self) -> str:
        """The value of ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (80 if self.tls is None else 443) else f"{host}:{self.port}"


def server_address(
    server_url: str, *, ssl_fingerprint: Fingerprints, proxy: Optional[str], ca_file: Optional[str], allow_http: bool
) -> ServerAddress:
    """Checks all of them; ``INVALID_CONFIGURATION``."""
    url = _url("server_url", server_url)
    if url.scheme not in ("http", "https") or url.path not in ("", "/"):
        raise invalid("server_url is like https://signet.example.com, without a path.")
    if url.query or url.fragment or url.username is not None or server_url[-1] in "?#":
        raise invalid("server_url has only a scheme, a host, and a port.")
    host, is_encrypted = str(url.hostname), url.scheme == "https"
    if not is_encrypted and not allow_http and not is_loopback(host):
        raise invalid("server_url starts with https://; http:// to another computer needs allow_http=True.")
    fingerprints = read_fingerprints(ssl_fingerprint)
    if not is_encrypted and (fingerprints or ca_file is not None):
        raise invalid("ssl_fingerprint and ca_file need an https:// server_url.")
    return ServerAddress(
        host=host,
        port=url.port or (443 if is_encrypted else 80),
        tls=_tls(ca_file) if is_encrypted else None,
        fingerprints=fingerprints,
        proxy=_proxy_of(proxy, url.scheme, host),
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this computer by its name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def read_fingerprints(value: Fingerprints) -> FrozenSet[str]:
    """``"auto"`` is the empty set; otherwise hex SHA-256, colons allowed, a list or separated by commas."""
    if value == "auto":
        return frozenset()
    try:
        texts = value.split(",") if isinstance(value, str) else list(value)
        prints = frozenset(text.strip().replace(":", "").lower() for text in texts)
    except (TypeError, AttributeError):
        prints = frozenset()
    if not prints or not all(re.fullmatch("[0-9a-f]{64}", text) for text in prints):
        raise invalid('ssl_fingerprint is "auto" or the hex SHA-256 of the server\'s certificate.')
    return prints


def _url(name: str, text: str) -> SplitResult:
    try:
        # urlsplit() drops line ends, and a host outside ASCII has several spellings.
        url = urlsplit(text) if _PLAIN.fullmatch(text) else None
        if url is not None and url.hostname and (url.port is None or url.port > 0):
            return url
    except (ValueError, TypeError, AttributeError):
        pass
    raise invalid(f"{name} is no URL.")


def _tls(ca_file: Optional[str]) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=ca_file)
        context.set_alpn_protocols(["http/1.1"])
        return context
    except (OSError, ValueError, TypeError) as error:
        raise invalid(f"ca_file is no file of PEM certificates: {error}") from error


def _proxy_of(proxy: Optional[str], scheme: str, host: str) -> Optional[Proxy]:
    if proxy == "auto":
        environment = getproxies_environment()
        if is_loopback(host) or _is_excepted(host, environment.get("no", "")):
            return None
        proxy = environment.get(scheme)
        if proxy is not None and "://" not in proxy:
            proxy = f"http://{proxy}"
    if not proxy:
        return None
    url = _url("proxy", proxy)
    if url.scheme != "http" or url.path not in ("", "/"):
        raise invalid("proxy is like http://proxy.example.com:3128.")
    authorization = None
    if url.username is not None:
        name = f"{unquote(url.username)}:{unquote(url.password or '')}"
        authorization = f"Basic {base64.b64encode(name.encode('utf-8')).decode('ascii')}"
    return Proxy(str(url.hostname), url.port or 80, authorization)


def _is_excepted(host: str, no_proxy: str) -> bool:
    """``NO_PROXY``: names that also stand for what is below them, separated by commas, or ``*``."""
    names = [name.strip().lower().lstrip(".") for name in no_proxy.split(",")]
    return "*" in names or any(name and (host == name or host.endswith(f".{name}")) for name in names)
