/** The bytes of the client protocol, as docs/protocol.md describes them. */

export type Bytes = Uint8Array<ArrayBuffer>
/** A key of WebCrypto; its name is not a global of every runtime's types. */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
export type Part = string | Uint8Array

const encoder = new TextEncoder()
export const bytesOf = (part: Part): Uint8Array => (typeof part === 'string' ? encoder.encode(part) : part)

export function concat(...parts: Part[]): Bytes {
  const all = parts.map(bytesOf)
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** LP: each part preceded by its length as 4 big-endian bytes; text as UTF-8. */
export function lengthPrefixed(...parts: Part[]): Bytes {
  return concat(
    ...parts.flatMap((part) => {
      const bytes = bytesOf(part)
      const length = new Uint8Array(4)
      new DataView(length.buffer).setUint32(0, bytes.length)
      return [length, bytes]
    }),
  )
}

export async function sha256(...parts: Part[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)))
}

/** base64url without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Refuses every spelling but the one that the bytes encode to; else undefined. */
export function decodeBase64url(text: string): Bytes | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return encodeBase64url(bytes) === text ? bytes : undefined
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** `X-Signet-App`. */
export const appHeader = (ownerId: string, appName: string): string => `${ownerId}/${encodeURIComponent(appName)}`

/** 24 random bytes: nobody ever sends the same ones twice. */
export const newNonce = (): string => encodeBase64url(crypto.getRandomValues(new Uint8Array(24)))

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
export const sessionPart = async (session: string | undefined): Promise<Part> => (session ? sha256(session) : '')

/** H: 32 bytes that stand for the whole request. */
export async function requestHash({ path, app, nonce, time, session, body }: RequestParts): Promise<Bytes> {
  return sha256(lengthPrefixed('POST', path, app, nonce, time, await sessionPart(session), body))
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
export async function replyMessage({ app, kid, requestHash, serverTime, status, body }: ReplyParts): Promise<Bytes> {
  return lengthPrefixed('signet/v1/response', app, kid, requestHash, serverTime, String(status), await sha256(body))
}
