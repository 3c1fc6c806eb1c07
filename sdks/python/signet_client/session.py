"""What the server says about the customer, as typed values. All times are aware, in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Mapping, Optional, Tuple

from .codes import SignetCode
from .errors import SignetError

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class App:
    """The app as the server knows it."""

    name: str
    version: str
    #: Where the owner lets the program load from; ``None`` without a link.
    webloader_url: Optional[str] = None


@dataclass(frozen=True)
class Subscription:
    """What the customer bought; ``expires_at`` is ``None`` for lifetime."""

    level: int
    name: str
    expires_at: Optional[datetime]


@dataclass(frozen=True)
class User:
    """The customer."""

    username: str
    email: Optional[str]
    subscriptions: Tuple[Subscription, ...]
    created_at: Optional[datetime]
    last_login_at: Optional[datetime]


@dataclass(frozen=True)
class WebhookAnswer:
    """What a webhook answered: the HTTP status and the text."""

    status: int
    body: str


@dataclass(frozen=True)
class Session:
    """A signed-in session. ``expires_at`` is the end of the session, not of the subscription."""

    user: User
    expires_at: datetime

    @property
    def username(self) -> str:
        """The customer's name."""
        return self.user.username

    @property
    def email(self) -> Optional[str]:
        """The customer's e-mail address, if there is one."""
        return self.user.email

    @property
    def subscriptions(self) -> Tuple[Subscription, ...]:
        """What the customer bought."""
        return self.user.subscriptions


def app_of(fields: Mapping[str, Any]) -> App:
    """The ``app`` of an ``init`` reply."""
    app = _object(fields, "app")
    return App(text_of(app, "name"), text_of(app, "version"), _optional_text(app, "webloaderUrl"))


def session_of(fields: Mapping[str, Any]) -> Session:
    """The session in the reply to a sign-in or a heartbeat."""
    user = _object(fields, "user")
    subscriptions = user.get("subscriptions")
    if not isinstance(subscriptions, list):
        raise _malformed("subscriptions")
    expires_at = _time(fields, "expiresAt")
    if expires_at is None:
        raise _malformed("expiresAt")
    return Session(
        User(
            username=text_of(user, "username"),
            email=_optional_text(user, "email"),
            subscriptions=tuple(_subscription_of(item) for item in subscriptions),
            created_at=_time(user, "createdAt"),
            last_login_at=_time(user, "lastLoginAt"),
        ),
        expires_at,
    )


def _subscription_of(item: object) -> Subscription:
    if not isinstance(item, dict):
        raise _malformed("subscriptions")
    level = item.get("level")
    if type(level) is not int:
        raise _malformed("level")
    return Subscription(level, text_of(item, "name"), _time(item, "expiresAt"))


def _object(fields: Mapping[str, Any], name: str) -> Dict[str, Any]:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise _malformed(name)
    return value


def webhook_answer_of(fields: Mapping[str, Any]) -> WebhookAnswer:
    """What a webhook answered, in the reply to its call."""
    status = fields.get("status")
    if isinstance(status, bool) or not isinstance(status, int):
        raise _malformed("status")
    return WebhookAnswer(status=status, body=text_of(fields, "body"))


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """The text in a field of a reply."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise _malformed(name)
    return value


def _optional_text(fields: Mapping[str, Any], name: str) -> Optional[str]:
    return text_of(fields, name) or None if fields.get(name) is not None else None


def _time(fields: Mapping[str, Any], name: str) -> Optional[datetime]:
    """Epoch seconds; ``timedelta`` because ``fromtimestamp`` fails for far years on Windows."""
    value = fields.get(name)
    if value is None:
        return None
    if type(value) is not int:
        raise _malformed(name)
    try:
        return _EPOCH + timedelta(seconds=value)
    except OverflowError:
        raise _malformed(name) from None


def _malformed(name: str) -> SignetError:
    return SignetError(SignetCode.MALFORMED_REPLY, f"The server's signed answer lacks a proper {name}.")
