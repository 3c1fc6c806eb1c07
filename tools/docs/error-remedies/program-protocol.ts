import { callsWithFields, callsWithSession, everyCall, hashingCalls, type ProgramRemedies } from './program-calls.ts'

/** Sessions, the envelope of requests, and the server itself. */
export const programProtocol = {
  SESSION_REQUIRED: {
    calls: callsWithSession,
    cause: 'The request names no session: the header `X-Signet-Session` is absent.',
    remedy:
      'The clients open a session by themselves. In a client of your own, call `init` first, and send the token of its answer with every other call.',
  },
  SESSION_EXPIRED: {
    calls: callsWithSession,
    cause:
      'The session has ended because there was no heartbeat within its length, for example while the computer slept. In `renew`, nobody had signed in to the session.',
    remedy:
      'The clients call `renew` by themselves, and the program goes on without the key or the password. After 7 days, or if nobody had signed in, the customer signs in again. You can make sessions longer with **Session expiry** in **Settings**.',
  },
  SESSION_ENDED: {
    calls: callsWithSession,
    cause:
      'The session no longer exists: the program logged out, you deleted the session or its user or license, the password was changed, or the session expired more than 7 days ago. A token that the server has never issued gets the same answer.',
    remedy:
      'The customer signs in again. If you did not end the session yourself, search for the customer on **Why was this rejected?**, which opens from **Logs**.',
  },
  SESSION_REPLACED: {
    calls: callsWithSession,
    cause:
      'The same license or user signed in somewhere else, and the app allows one session per credential. The newer sign-in ended this session.',
    remedy:
      'The customer signs in again, which ends the other session. If several people share a license, sell them one each, or turn off **One session per credential** in **Settings**.',
  },
  NONCE_REUSED: {
    calls: everyCall,
    cause:
      'The server has already received a request with this nonce, or with this key of a sealed body. The request was repeated on its way, or recorded and sent again. Nothing was done twice.',
    remedy:
      'The clients send a new request with a new nonce. In a client of your own, use at least 16 random bytes for every request, also when you repeat one.',
  },
  CLOCK_SKEW: {
    calls: everyCall,
    cause: "The time in the request differs from the server's clock by more than two minutes.",
    remedy:
      "The clients correct their clock with the signed answer and ask again. If a customer still sees this code, the computer's date and time have to be set, or the server's.",
  },
  MALFORMED_REQUEST: {
    calls: everyCall,
    cause:
      'A header or the body is not of the protocol; the message names it. Without a valid nonce or time, the answer is unsigned, because there is nothing to bind a signature to.',
    remedy:
      'Only a client of your own, or a proxy that changes headers, causes this. Compare the request with [the protocol](../../protocol.md), and test your client with the conformance scenarios.',
  },
  CANNOT_OPEN_SEALED_BODY: {
    calls: everyCall,
    cause:
      'The encrypted body cannot be opened: it was sealed for another app, for other headers, or with a wrong key, or it was changed on its way.',
    remedy:
      'Compare the sealing key in the program with **Client obfuscation key** on **Settings**. A program that was built for another app or another server has the wrong one.',
  },
  BODY_TOO_LARGE: {
    calls: everyCall,
    cause:
      'The body of the request has more than 64 KiB. The answer is unsigned, so a client reports `UNSIGNED_RESPONSE`.',
    remedy:
      'Send less: shorten the text of `log` or `set-user-variable`, or the parameters of `call-webhook`. Put large data into a file that the program gets with `download`.',
  },
  INVALID_REQUEST: {
    calls: everyCall,
    cause:
      'A field has the wrong type or form, for example a number where a text belongs. `field` in the answer names it.',
    remedy:
      'Correct the field in the program. The calls and their fields are in [the protocol](../../protocol.md#calls).',
  },
  FIELD_REQUIRED: {
    calls: callsWithFields,
    cause: 'A field that the call needs is missing or empty. `field` in the answer names it.',
    remedy:
      "Pass the field in the program, and ask the customer for an input that was left empty. Each call's fields are in [the protocol](../../protocol.md#calls).",
  },
  TEXT_TOO_LONG: {
    calls: callsWithFields,
    cause:
      'A text has more characters than its field can have. `field` in the answer names it, and the message the maximum.',
    remedy: "Shorten the text, or limit the length in the program's form. The lengths are in [Limits](../limits.md).",
  },
  CHARACTER_NOT_ALLOWED: {
    calls: callsWithFields,
    cause:
      'A text contains the character U+0000, which no database stores. Nobody types it; it comes from binary data.',
    remedy:
      'Remove the character in the program before you send the text, or encode binary data, for example as base64.',
  },
  BAD_REQUEST: {
    calls: everyCall,
    cause:
      'The request is not valid HTTP, its headers are too large, or it arrived too slowly. The answer is unsigned and can also have the status 408, 413, or 431.',
    remedy:
      "Look for what changes requests on their way: a proxy, an antivirus, or your own HTTP code. The clients' own requests are valid.",
  },
  RATE_LIMITED: {
    calls: everyCall,
    cause:
      'There were more calls than allowed from this session, this network, or this app. The answer has `retryAfterSeconds`. After too many rejected requests, it is unsigned.',
    remedy:
      'The program waits that long before it asks again; the clients do so for heartbeats. The operator of the server can raise the limits, for example for an office with many seats: see [Limits](../limits.md).',
  },
  SERVER_BUSY: {
    calls: hashingCalls,
    cause:
      'The server is checking as many passwords of your users as it does at once, or as many of all users as it can. Nothing was done, and the attempt counts as no failure.',
    remedy:
      'The program asks again after `retryAfterSeconds`. If it happens often, the server is too small for its sign-ins, or somebody is guessing passwords: the operator looks at the metrics.',
  },
  MAINTENANCE: {
    calls: everyCall,
    cause: 'An administrator has turned on maintenance mode. The message is the one that the administrator wrote.',
    remedy:
      'Customers try again later; signed-in programs go on for their grace period. An administrator turns off **Maintenance mode** in **System Settings**.',
  },
  DATABASE_UNAVAILABLE: {
    calls: everyCall,
    cause:
      "The server can't reach its database, or the database accepts no writes. It says nothing about the license. If the connection broke at the very end of the call, the call may have been done.",
    remedy:
      'The program asks again after `retryAfterSeconds`. The operator checks the database and the disk, with `/readyz` and the status page.',
  },
  INTERNAL_ERROR: {
    calls: everyCall,
    cause: 'The server met an error that it did not expect. It says nothing about the license.',
    remedy:
      "The program asks again later. The operator finds the cause in the server's log under the `requestId` of the answer; send it along when you report the problem.",
  },
} as const satisfies ProgramRemedies
