import { verify, type KeyObject } from 'node:crypto'
import { CertificateError, readCertificate } from './key-certificate.ts'
import { signedBytes } from './merkle-path.ts'
import { decodeBase64url, replyMessage, requestHash, type RequestParts } from './wire.ts'

export interface ReceivedReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  body: Uint8Array
}

export interface ReplyTrust {
  rootPublicKey: KeyObject
  /** The highest certificate serial that this client has accepted so far; 0 before the first. */
  highestSerial: number
  /** The client's offset-corrected clock, unix milliseconds. */
  now: number
}

export type RefusalOfReply = 'UNSIGNED_RESPONSE' | 'UNKNOWN_KEY' | 'BAD_SIGNATURE' | 'STALE_RESPONSE'

export class ReplyRefused extends Error {
  override name = 'ReplyRefused'
  readonly code: RefusalOfReply

  constructor(code: RefusalOfReply, message: string) {
    super(message)
    this.code = code
  }
}

const replyToleranceMs = 60_000

/** What a client checks before it believes an answer, in the order of docs/protocol.md. */
export function checkReply(request: RequestParts, reply: ReceivedReply, trust: ReplyTrust) {
  const kid = reply.headers['x-signet-key']
  const time = reply.headers['x-signet-time']
  const signatureText = reply.headers['x-signet-signature']
  const certificateText = reply.headers['x-signet-certificate']
  if (!kid || !time || !signatureText || !certificateText) {
    throw new ReplyRefused('UNSIGNED_RESPONSE', 'The answer is not signed.')
  }
  const certificate = read(certificateText, trust.rootPublicKey)
  if (certificate.kid !== kid) throw new ReplyRefused('UNKNOWN_KEY', 'The certificate is for another key.')

  const { app } = request
  const message = replyMessage({
    app,
    kid,
    requestHash: requestHash(request),
    serverTime: time,
    status: reply.status,
    body: reply.body,
  })
  const signature = decodeBase64url(signatureText)
  const signed = signedBytes(message, reply.headers['x-signet-path'] ?? '')
  const isTime = /^[0-9]{1,15}$/.test(time)
  if (!isTime || signature?.length !== 64 || !signed || !verify(null, signed, certificate.publicKey, signature)) {
    throw new ReplyRefused('BAD_SIGNATURE', 'The answer was altered or answers another request.')
  }

  const serverTime = Number(time)
  const { serial, notBefore, notAfter } = certificate
  if (serverTime < notBefore * 1000 || serverTime > notAfter * 1000) {
    throw new ReplyRefused('UNKNOWN_KEY', 'The signing key is out of its time.')
  }
  if (serial < trust.highestSerial - 1) throw new ReplyRefused('UNKNOWN_KEY', 'The signing key was rolled back.')
  if (Math.abs(serverTime - trust.now) > replyToleranceMs && !isClockRefusal(reply)) {
    throw new ReplyRefused('STALE_RESPONSE', 'The answer is not of now.')
  }
  return { serverTime, highestSerial: Math.max(serial, trust.highestSerial) }
}

function read(text: string, rootPublicKey: KeyObject) {
  try {
    return readCertificate(text, rootPublicKey)
  } catch (error) {
    if (error instanceof CertificateError) throw new ReplyRefused('UNKNOWN_KEY', error.message)
    throw error
  }
}

/** The one answer whose time may be far from ours: it is how a client learns the server's clock. */
function isClockRefusal({ status, body }: ReceivedReply): boolean {
  if (status !== 400) return false
  try {
    const fields: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof fields === 'object' && fields !== null && 'code' in fields && fields.code === 'CLOCK_SKEW'
  } catch {
    return false
  }
}
