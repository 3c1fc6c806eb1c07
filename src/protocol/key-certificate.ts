import { sign, verify, type KeyObject } from 'node:crypto'
import { lengthPrefixed } from './length-prefixed.ts'
import { publicKeyFromRaw, rawPublicKey, strictBase64url } from './raw-keys.ts'

const domain = Buffer.from('signet/v1/key')

export interface CertificateToIssue {
  /** The app's root private key. */
  rootKey: KeyObject
  kid: string
  /** The signing key vouched for: a key object, or its raw bytes in base64url. */
  publicKey: KeyObject | string
  /** Grows by one with each rotation; clients refuse one that is more than 1 behind. */
  serial: number
  /** Epoch seconds, both ends included. */
  notBefore: number
  notAfter: number
}

export interface KeyCertificate {
  kid: string
  publicKey: KeyObject
  serial: number
  notBefore: number
  notAfter: number
}

/** Raised for anything that the root key did not sign in exactly this form. */
export class CertificateError extends Error {
  override name = 'CertificateError'
}

/** The text of `X-Signet-Certificate`: the root key's word that a signing key speaks for the app. */
export function issueCertificate(certificate: CertificateToIssue): string {
  const { rootKey, kid, publicKey, serial, notBefore, notAfter } = certificate
  const key = rawPublicKey(typeof publicKey === 'string' ? publicKeyFromRaw('ed25519', publicKey) : publicKey)
  const payload = Buffer.from(JSON.stringify({ v: 1, kid, key, serial, notBefore, notAfter }))
  const signature = sign(null, lengthPrefixed(domain, payload), rootKey)
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`
}

/**
 * Checks the root's signature, then reads. Whether the certificate is in its time and not rolled back
 * is the reader's to decide.
 * @throws {CertificateError}
 */
export function readCertificate(text: string, rootPublicKey: KeyObject): KeyCertificate {
  const [payloadText = '', signatureText = '', ...rest] = text.split('.')
  const payload = strictBase64url(payloadText)
  const signature = strictBase64url(signatureText)
  if (rest.length > 0 || !payload?.length || signature?.length !== 64) throw new CertificateError('Malformed.')
  if (!verify(null, lengthPrefixed(domain, payload), rootPublicKey, signature)) {
    throw new CertificateError('Not signed by this root key.')
  }
  return readPayload(payload)
}

function readPayload(payload: Buffer): KeyCertificate {
  try {
    const fields: unknown = JSON.parse(payload.toString())
    if (!isPayload(fields)) throw new TypeError('A field is missing or of another type.')
    const { kid, key, serial, notBefore, notAfter } = fields
    return { kid, publicKey: publicKeyFromRaw('ed25519', key), serial, notBefore, notAfter }
  } catch (cause) {
    throw new CertificateError('Signed, but not a version 1 certificate.', { cause })
  }
}

interface Payload extends Omit<KeyCertificate, 'publicKey'> {
  v: 1
  key: string
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  const texts = typeof fields.kid === 'string' && fields.kid !== '' && typeof fields.key === 'string'
  return texts && fields.v === 1 && [fields.serial, fields.notBefore, fields.notAfter].every(Number.isSafeInteger)
}
