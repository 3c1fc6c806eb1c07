"""The version of this package, sent to the server as ``python/<version>``."""

__version__ = "0.1.0"
