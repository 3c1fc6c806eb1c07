import { createHash } from 'node:crypto'

/** The bytes of the client protocol, as docs/protocol.md describes them. */

export type Part = string | Uint8Array

/** LP: each part preceded by its length as 4 big-endian bytes; text as UTF-8. */
export function lengthPrefixed(...parts: Part[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}

/** base64url without padding, refusing every spelling but the one its bytes encode to; else undefined. */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

export interface RequestParts {
  /** Path only, such as `/api/1.0/client/init`. */
  path: string
  /** The `X-Signet-App` header as sent. */
  app: string
  nonce: string
  /** Unix milliseconds, the digits of `X-Signet-Time`. */
  time: string
  /** The session token; nothing before `init`. */
  session?: string | undefined
  /** The body as sent: the sealed bytes when it is sealed. */
  body: Part
}

/** How a session stands in what is hashed or sealed: as the SHA-256 of its token, or as nothing. */
export const sessionPart = (session: string | undefined): Part => (session ? sha256(session) : '')

/** H: 32 bytes that stand for the whole request. */
export function requestHash({ path, app, nonce, time, session, body }: RequestParts): Buffer {
  return sha256(lengthPrefixed('POST', path, app, nonce, time, sessionPart(session), body))
}

export interface ReplyParts {
  app: string
  kid: string
  /** `H` of the request that is answered. */
  requestHash: Uint8Array
  /** The digits of the reply's `X-Signet-Time`. */
  serverTime: string
  status: number
  /** The body exactly as received. */
  body: Part
}

/** The bytes that stand for a reply under its signature. */
export const replyMessage = ({ app, kid, requestHash, serverTime, status, body }: ReplyParts): Buffer =>
  lengthPrefixed('signet/v1/response', app, kid, requestHash, serverTime, String(status), sha256(body))

const sha256 = (data: Part): Buffer => createHash('sha256').update(data).digest()
