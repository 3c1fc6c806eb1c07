import { publicKeyFromRaw } from './public-keys.ts'
import { fieldsOf } from './signed-json.ts'
import { decodeBase64url, lengthPrefixed, type WebKey } from './wire.ts'

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

/**
 * Checks the root's signature, then reads. Whether the certificate is in its time and not rolled back
 * is the caller's to decide.
 * @throws {CertificateError}
 */
export async function readCertificate(text: string, rootPublicKey: WebKey): Promise<KeyCertificate> {
  const [payloadText = '', signatureText = '', ...rest] = text.split('.')
  const payload = decodeBase64url(payloadText)
  const signature = decodeBase64url(signatureText)
  if (rest.length > 0 || !payload?.length || signature?.length !== 64) throw new CertificateError('Malformed.')
  const signed = lengthPrefixed('signet/v1/key', payload)
  if (!(await crypto.subtle.verify('Ed25519', rootPublicKey, signature, signed))) {
    throw new CertificateError('Not signed by this root key.')
  }
  return readPayload(payload)
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
