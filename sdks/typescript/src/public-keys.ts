import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decodeBase64url } from './wire.ts'

export type Curve = 'ed25519' | 'x25519'

/** What DER puts before the 32 raw bytes of a public key (RFC 8410). */
const prefix = {
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
  x25519: Buffer.from('302a300506032b656e032100', 'hex'),
}

/**
 * One of the two public keys of an app, from its 43 characters.
 * @throws {TypeError} on a wrong length or spelling, a point off the curve or one of small order
 */
export function publicKeyFromRaw(curve: Curve, raw: string): KeyObject {
  const bytes = decodeBase64url(raw)
  if (bytes?.length !== 32) throw new TypeError(`An ${curve} public key is 32 bytes in base64url.`)
  const key = createPublicKey({ key: Buffer.concat([prefix[curve], bytes]), format: 'der', type: 'spki' })
  if (curve === 'ed25519' ? !isUsableEd25519Point(bytes) : !isUsableX25519(key, bytes)) {
    throw new TypeError(`These bytes are no usable ${curve} public key.`)
  }
  return key
}

/** OpenSSL refuses an exchange whose outcome is zero: RFC 7748 scalars are multiples of 8, so any one will do. */
function isUsableX25519(publicKey: KeyObject, bytes: Uint8Array): boolean {
  if ((bytes[31] ?? 0) > 0x7f) return false
  try {
    diffieHellman({ privateKey: generateKeyPairSync('x25519').privateKey, publicKey })
    return true
  } catch {
    return false
  }
}

const p = 2n ** 255n - 19n
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const squareRootOfMinusOne = power(2n, (p - 1n) / 4n)
/** The y coordinates of the eight points whose order divides 8. */
const smallOrderY = new Set([
  0n,
  1n,
  p - 1n,
  2707385501144840649318225287225658788936804267575313519463743609750303402022n,
  55188659117513257062467267217118295137698188065244968500265048394206261417927n,
])

function modulo(n: bigint): bigint {
  const rest = n % p
  return rest < 0n ? rest + p : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let bit = base, left = exponent; left > 0n; left >>= 1n, bit = (bit * bit) % p) {
    if (left & 1n) result = (result * bit) % p
  }
  return result
}

/**
 * Whether 32 bytes are the canonical encoding of a curve point that is not of small order. OpenSSL
 * takes any 32 bytes as a key, and under a small-order key signatures can be made without a private one.
 */
function isUsableEd25519Point(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false
  const value = BigInt(`0x${Buffer.from(Uint8Array.from(bytes).toReversed()).toString('hex')}`)
  const sign = value >> 255n
  const y = value & (2n ** 255n - 1n)
  if (y >= p || smallOrderY.has(y)) return false
  const u = modulo(y * y - 1n)
  const v = modulo(d * y * y + 1n)
  let x = modulo(u * power(v, 3n) * power(modulo(u * power(v, 7n)), (p - 5n) / 8n))
  if (modulo(v * x * x - u) !== 0n) x = modulo(x * squareRootOfMinusOne)
  return modulo(v * x * x - u) === 0n && !(x === 0n && sign === 1n)
}
