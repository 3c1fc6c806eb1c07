import { publicKeyFromRaw } from './public-keys.ts'
import { fieldsOf } from './signed-json.ts'
import { type Bytes, decodeBase64url, lengthPrefixed, type WebKey } from './wire.ts'

export interface KeyCertificate {
  kid: string
  publicKey: WebKey
  /** Grows by one with each rotation. */
  serial: number
  /** Epoch seconds, both ends included. */
  notBefore: number
  notAfter: number
}

/** Raised for anything that the root key did not sign in exactly this form. */
export class CertificateError extends Error {
  override name = 'CertificateError'
}

/** A certificate, and the root key that signed it: the pinned one, or one that it announced. */
export interface CertifiedKey {
  certificate: KeyCertificate
  root: WebKey
}

const maxAnnouncements = 4

/**
 * Follows the announcements of replaced root keys, which stand before the certificate, then checks the root's signature
 * and reads. Whether the certificate is in its time and not rolled back is the caller's to decide.
 * @throws {CertificateError}
 */
export async function readCertificate(text: string, rootPublicKey: WebKey): Promise<CertifiedKey> {
  const parts = signedParts(text)
  const certificate = parts.pop() as SignedPart
  let root = rootPublicKey
  for (const announcement of parts) {
    // Those for programs with an older key are not signed by this one.
    if (await isSignedBy(root, 'signet/v1/root', announcement)) root = await announcedRoot(announcement.payload)
  }
  if (!(await isSignedBy(root, 'signet/v1/key', certificate))) {
    throw new CertificateError('Not signed by this root key.')
  }
  return { certificate: await readPayload(certificate.payload), root }
}

interface SignedPart {
  payload: Bytes
  signature: Bytes
}

function signedParts(text: string): SignedPart[] {
  const texts = text.split('.')
  if (texts.length % 2 !== 0 || texts.length > 2 * (maxAnnouncements + 1)) throw new CertificateError('Malformed.')
  return Array.from({ length: texts.length / 2 }, (_, n) => {
    const payload = decodeBase64url(texts[2 * n] as string)
    const signature = decodeBase64url(texts[2 * n + 1] as string)
    if (!payload?.length || signature?.length !== 64) throw new CertificateError('Malformed.')
    return { payload, signature }
  })
}

const isSignedBy = (key: WebKey, purpose: string, { payload, signature }: SignedPart): Promise<boolean> =>
  crypto.subtle.verify('Ed25519', key, signature, lengthPrefixed(purpose, payload))

async function announcedRoot(payload: Bytes): Promise<WebKey> {
  try {
    const { v, root } = fieldsOf(payload) ?? {}
    if (v !== 1 || typeof root !== 'string') throw new TypeError('A field is missing or of another type.')
    return await publicKeyFromRaw('ed25519', root)
  } catch (cause) {
    throw new CertificateError('Announced by the root key, but not a version 1 announcement.', { cause })
  }
}

async function readPayload(payload: Uint8Array): Promise<KeyCertificate> {
  try {
    const fields: unknown = fieldsOf(payload)
    if (!isPayload(fields)) throw new TypeError('A field is missing or of another type.')
    const { kid, key, serial, notBefore, notAfter } = fields
    return { kid, publicKey: await publicKeyFromRaw('ed25519', key), serial, notBefore, notAfter }
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
  const texts = typeof fields['kid'] === 'string' && fields['kid'] !== '' && typeof fields['key'] === 'string'
  const numbers = [fields['serial'], fields['notBefore'], fields['notAfter']]
  return (
    texts && fields['v'] === 1 && numbers.every((number) => Number.isSafeInteger(number) && (number as number) >= 0)
  )
}
