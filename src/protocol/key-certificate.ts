import { createPublicKey, type KeyObject, sign } from 'node:crypto'
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

/** The root key vouches for a signing key of the app. */
export function issueCertificate(certificate: CertificateToIssue): string {
  const { rootKey, kid, publicKey, serial, notBefore, notAfter } = certificate
  const key = rawPublicKey(publicKey)
  return signedPayload('signet/v1/key', { v: 1, kid, key, serial, notBefore, notAfter }, rootKey)
}

/** A root key names the one that replaces it. Both are private keys. */
export const announceRootKey = (rootKey: KeyObject, nextRootKey: KeyObject): string =>
  signedPayload('signet/v1/root', { v: 1, root: rawPublicKey(createPublicKey(nextRootKey)) }, rootKey)

/** The text of `X-Signet-Certificate`: announcements of replaced root keys, the oldest first, then the certificate. */
export const certificateText = (announcements: readonly string[], certificate: string): string =>
  [...announcements, certificate].join('.')

/** More announcements than this are rejected by clients. */
export const maxAnnouncements = 4

function signedPayload(purpose: string, fields: object, rootKey: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(fields))
  const signature = sign(null, lengthPrefixed(purpose, payload), rootKey)
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`
}
