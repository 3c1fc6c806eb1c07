import { UnverifiedError } from './errors.ts'
import { CertificateError, type CertifiedKey, readCertificate } from './key-certificate.ts'
import { signedBytes } from './merkle-path.ts'
import { fieldsOf } from './signed-json.ts'
import { type Bytes, decodeBase64url, replyMessage, requestHash, type RequestParts, type WebKey } from './wire.ts'

/** An answer as received, not verified yet. */
export interface ReceivedReply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  body: Bytes
}

export const replyToleranceMs = 60_000
const maxCertificates = 16

const notSigned = 'The answer is not signed. Are serverUrl, ownerId and appName right, and is nothing in between?'
/** What the server doesn't sign when a network or an app has too many rejected requests. */
const tooMany = 'The server has too many requests to answer this one. Try again in a minute.'

/** What a client checks before it believes an answer, in the order of docs/protocol.md. */
export class ReplyChecker {
  /** The pinned key, later the one that it announced. */
  #root: WebKey
  readonly #certificates = new Map<string, CertifiedKey>()
  #highestSerial: number

  constructor(rootPublicKey: WebKey, highestSerial = 0) {
    this.#root = rootPublicKey
    this.#highestSerial = highestSerial
  }

  /** The highest certificate serial accepted so far. */
  get highestSerial(): number {
    return this.#highestSerial
  }

  /**
   * Gives the server's time, unix milliseconds, when this is its fresh answer to this request. `now` is the client's
   * offset-corrected clock.
   * @throws {UnverifiedError}
   */
  async check(request: RequestParts, reply: ReceivedReply, now: number): Promise<number> {
    const [kid, time, signatureText, certificateText] = ['key', 'time', 'signature', 'certificate'].map(
      (name) => reply.headers[`x-signet-${name}`],
    )
    if (!kid || !time || !signatureText || !certificateText) {
      throw new UnverifiedError('UNSIGNED_RESPONSE', reply.status === 429 ? tooMany : notSigned)
    }
    const { certificate, root } = await this.#certificate(certificateText)
    if (certificate.kid !== kid) throw new UnverifiedError('UNKNOWN_KEY', 'The certificate is for another key.')

    const hash = await requestHash(request)
    const { app } = request
    const { status, body } = reply
    const message = await replyMessage({ app, kid, requestHash: hash, serverTime: time, status, body })
    const signature = decodeBase64url(signatureText)
    const signed = await signedBytes(message, reply.headers['x-signet-path'] ?? '')
    const isWhole = /^[0-9]{1,15}$/.test(time) && signature?.length === 64 && signed !== undefined
    if (!isWhole || !(await crypto.subtle.verify('Ed25519', certificate.publicKey, signature, signed))) {
      throw new UnverifiedError('BAD_SIGNATURE', 'The answer was altered on its way, or answers another request.')
    }

    const serverTime = Number(time)
    const { serial, notBefore, notAfter } = certificate
    if (serverTime < notBefore * 1000 || serverTime > notAfter * 1000) {
      throw new UnverifiedError('UNKNOWN_KEY', 'The server signs with a key that is out of its time.')
    }
    if (serial < this.#highestSerial - 1) {
      throw new UnverifiedError('UNKNOWN_KEY', 'The server signs with a key that was replaced.')
    }
    if (Math.abs(serverTime - now) > replyToleranceMs && !isClockError(reply)) {
      const message = "The server's answer is not of now. Is this computer's clock right?"
      throw new UnverifiedError('STALE_RESPONSE', message, { serverTime })
    }
    await this.#trust(root, certificateText)
    this.#highestSerial = Math.max(serial, this.#highestSerial)
    return serverTime
  }

  /** From the first reply under an announced root key on, the keys before it count no more. */
  async #trust(root: WebKey, certificateText: string): Promise<void> {
    if (root === this.#root) return
    // Another reply may have moved the root while this one was checked.
    const { root: newest } = await this.#certificate(certificateText)
    if (newest === this.#root) return
    this.#root = newest
    this.#certificates.clear()
  }

  /** The root's signature is checked once for each text. */
  async #certificate(text: string): Promise<CertifiedKey> {
    const known = this.#certificates.get(text)
    if (known) return known
    try {
      const root = this.#root
      const certificate = await readCertificate(text, root)
      if (root !== this.#root) return await this.#certificate(text)
      if (this.#certificates.size >= maxCertificates) this.#certificates.clear()
      this.#certificates.set(text, certificate)
      return certificate
    } catch (cause) {
      if (!(cause instanceof CertificateError)) throw cause
      const message = `The server's key isn't certified for this app. Is verificationKey right? ${cause.message}`
      throw new UnverifiedError('UNKNOWN_KEY', message, { cause })
    }
  }
}

/** The one answer whose time may be far from ours: it is how a client learns the server's clock. */
const isClockError = ({ status, body }: ReceivedReply): boolean =>
  status === 400 && fieldsOf(body)?.['code'] === 'CLOCK_SKEW'
