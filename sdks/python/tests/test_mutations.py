"""Nothing but the exact answer to the exact request is accepted."""

from __future__ import annotations

import random
import unittest
from typing import Dict, Tuple

from package_path import vectors
from vector_cases import data

from signet_client.errors import SignetError
from signet_client.public_keys import ed25519_public_key
from signet_client.verify import Reply, Verifier
from signet_client.wire import Request

ROUNDS = 10_000
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=/+ "


def mutate_text(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    kind = dice.randrange(4)
    if kind == 0 and at < len(text):
        return text[:at] + dice.choice(ALPHABET) + text[at + 1 :]
    if kind == 1:
        return text[:at] + dice.choice(ALPHABET) + text[at:]
    if kind == 2:
        return text[:at] + text[at + 1 :]
    return text[:at]


def mutate_bytes(content: bytes, dice: random.Random) -> bytes:
    changed = bytearray(content)
    at = dice.randrange(len(changed))
    kind = dice.randrange(3)
    if kind == 0:
        changed[at] ^= 1 << dice.randrange(8)
    elif kind == 1:
        changed.insert(at, dice.randrange(256))
    else:
        del changed[at]
    return bytes(changed)


def mutate(request: Request, reply: Reply, dice: random.Random) -> Tuple[Request, Reply]:
    """One random change somewhere in what was answered or in the answer."""
    headers: Dict[str, str] = dict(reply.headers)
    status, body = reply.status, reply.body
    fields = dict(request.__dict__)
    target = dice.choice(["body", "status", "request", "request body", *headers, *headers])
    if target == "body":
        body = mutate_bytes(body, dice)
    elif target == "status":
        status = dice.randrange(100, 600)
    elif target == "request":
        name = dice.choice(["path", "app", "nonce", "time", "session"])
        fields[name] = mutate_text(fields[name], dice)
    elif target == "request body":
        fields["body"] = mutate_bytes(fields["body"], dice)
    else:
        headers[target] = mutate_text(headers[target], dice)
    return Request(**fields), Reply(status, headers, body)


class Mutations(unittest.TestCase):
    def test_not_one_of_10000_mutations_is_accepted(self) -> None:
        """Not one of 10,000 mutations of an answer is accepted (R-CLI-02)."""
        file = vectors("replies.json")
        sent = file["request"]
        good = next(case for case in file["cases"] if case["name"] == "one of a group of five")
        parts = [sent[name] for name in ("path", "app", "nonce", "time", "session")]
        request = Request(*parts, data(sent["body"]))
        reply = Reply(good["status"], {k.lower(): v for k, v in good["headers"].items()}, data(good["body"]))
        verifier = Verifier(ed25519_public_key(file["rootPublicKey"]))
        verifier.check(request, reply, file["now"])

        seed = random.randrange(2**32)
        dice = random.Random(seed)
        tried = 0
        while tried < ROUNDS:
            other_request, other_reply = mutate(request, reply, dice)
            if other_request == request and other_reply == reply:
                continue
            tried += 1
            with self.assertRaises(SignetError, msg=f"seed {seed}, round {tried}: {other_request} {other_reply}"):
                verifier.check(other_request, other_reply, file["now"])


if __name__ == "__main__":
    unittest.main()
