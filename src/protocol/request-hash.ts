import { hash } from 'node:crypto'
import { lengthPrefixed, type Part } from './length-prefixed.ts'

export interface RequestParts {
  /** Path only, such as `/api/1.0/client/init`. */
  path: string
  /** The `X-Signet-App` header as sent; bytes when the caller keeps them ready. */
  app: Part
  nonce: string
  time: string
  /** The session token, or its 32-byte SHA-256 if the caller has it; absent before `init`. */
  session?: string | Uint8Array | undefined
  /** The body as sent: the sealed bytes when it is sealed. */
  body: Part
}

const noSession = Buffer.alloc(0)

/** By way of a text: Node takes more than twice as long to return the bytes themselves. */
export function sha256(data: Part): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}

/** A session as part of a hashed or sealed message: the SHA-256 of its token, or nothing. */
export function sessionPart(session: string | Uint8Array | undefined): Uint8Array {
  return (typeof session === 'string' ? (session === '' ? noSession : sha256(session)) : session) ?? noSession
}

/** `H` of docs/protocol.md: a 32-byte hash of the whole request. */
export function requestHash({ path, app, nonce, time, session, body }: RequestParts): Buffer {
  return sha256(lengthPrefixed('POST', path, app, nonce, time, sessionPart(session), body))
}
