"""Licensing for Python programs: every answer is signed, and nothing unsigned is believed."""

from .client import Client
from .download import DownloadedFile
from .errors import SignetError
from .hardware_id import hardware_id
from .session import App, Session, Subscription, User, WebhookAnswer
from .version import __version__

__all__ = [
    "App",
    "Client",
    "DownloadedFile",
    "Session",
    "SignetError",
    "Subscription",
    "User",
    "WebhookAnswer",
    "__version__",
    "hardware_id",
]
