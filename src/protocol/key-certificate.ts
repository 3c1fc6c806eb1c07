import { type KeyObject, sign } from 'node:crypto'
import { lengthPrefixed } from './length-prefixed.ts'
import { rawPublicKey } from './raw-keys.ts'

export interface CertificateToIssue {
  /** The app's root private key. */
  rootKey: KeyObject
  kid: string
  /** The signing key to certify. */
  publicKey: KeyObject
  /** Increases by one with each rotation; clients reject a key that is more than 1 behind. */
  serial: number
  /** Epoch seconds, inclusive. */
  notBefore: number
  notAfter: number
}

/** The text of `X-Signet-Certificate`: the root key vouches for a signing key of the app. */
export function issueCertificate(certificate: CertificateToIssue): string {
  const { rootKey, kid, publicKey, serial, notBefore, notAfter } = certificate
  const key = rawPublicKey(publicKey)
  const payload = Buffer.from(JSON.stringify({ v: 1, kid, key, serial, notBefore, notAfter }))
  const signature = sign(null, lengthPrefixed('signet/v1/key', payload), rootKey)
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`
}
