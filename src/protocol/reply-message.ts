import { lengthPrefixed, type Part } from './length-prefixed.ts'
import { sha256 } from './request-hash.ts'

export interface ReplyParts {
  app: Part
  kid: Part
  /** `H` of the request being answered. */
  requestHash: Uint8Array
  /** Unix milliseconds, the same digits as in `X-Signet-Time`. */
  serverTime: number | string
  status: number
  /** The body exactly as sent. */
  body: Part
}

const domain = Buffer.from('signet/v1/response')

/** The leaf of one reply in its group: the bytes covered by the group signature. */
export function replyMessage({ app, kid, requestHash, serverTime, status, body }: ReplyParts): Buffer {
  return lengthPrefixed(domain, app, kid, requestHash, String(serverTime), String(status), sha256(body))
}
