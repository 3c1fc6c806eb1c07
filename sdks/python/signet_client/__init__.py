"""Licensing for Python programs: every answer is signed, and nothing unsigned is believed."""

from .async_client import AsyncClient
from .client import Client
from .codes import SignetCode
from .download import DownloadedFile
from .errors import SignetError
from .hardware_id import hardware_id, hardware_id_of
from .license_key import trim_key
from .session import App, Session, Subscription, User, WebhookAnswer
from .version import __version__

__all__ = [
    "App",
    "AsyncClient",
    "Client",
    "DownloadedFile",
    "Session",
    "SignetCode",
    "SignetError",
    "Subscription",
    "User",
    "WebhookAnswer",
    "__version__",
    "hardware_id",
    "hardware_id_of",
    "trim_key",
]
