import { type Bytes, decodeBase64url, type WebKey } from './wire.ts'

export type Curve = 'ed25519' | 'x25519'

const algorithms = { ed25519: 'Ed25519', x25519: 'X25519' } as const

/**
 * The 32 bytes of one of the two public keys of an app, from their 43 characters.
 * @throws {TypeError} on a wrong length or spelling, a point off the curve or one of small order
 */
export function publicKeyBytes(curve: Curve, raw: string): Bytes {
  const bytes = decodeBase64url(raw)
  if (bytes?.length !== 32) throw new TypeError(`An ${curve} public key is 32 bytes in base64url.`)
  const isUsable = curve === 'ed25519' ? isUsableEd25519(bytes) : isUsableX25519(bytes)
  if (!isUsable) throw new TypeError(`These bytes are no usable ${curve} public key.`)
  return bytes
}

/** The same as a key of WebCrypto. */
export const publicKeyFromRaw = async (curve: Curve, raw: string): Promise<WebKey> =>
  importPublicKey(curve, publicKeyBytes(curve, raw))

export const importPublicKey = (curve: Curve, bytes: Bytes): Promise<WebKey> =>
  crypto.subtle.importKey('raw', bytes, algorithms[curve], true, curve === 'ed25519' ? ['verify'] : [])

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
/** The u coordinates whose points have an order that divides 8, on the curve and on its twist. */
const smallOrderU = new Set([
  0n,
  1n,
  p - 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
])

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)

/** Every exchange with a point of small order gives zero, whatever the other key. */
function isUsableX25519(bytes: Uint8Array): boolean {
  const u = littleEndian(bytes)
  return u < p && !smallOrderU.has(u)
}

/**
 * Whether 32 bytes are the canonical encoding of a curve point that is not of small order. OpenSSL
 * takes any 32 bytes as a key, and under a small-order key signatures can be made without a private one.
 */
function isUsableEd25519(bytes: Uint8Array): boolean {
  const value = littleEndian(bytes)
  const sign = value >> 255n
  const y = value & (2n ** 255n - 1n)
  if (y >= p || smallOrderY.has(y)) return false
  const u = modulo(y * y - 1n)
  const v = modulo(d * y * y + 1n)
  let x = modulo(u * power(v, 3n) * power(modulo(u * power(v, 7n)), (p - 5n) / 8n))
  if (modulo(v * x * x - u) !== 0n) x = modulo(x * squareRootOfMinusOne)
  return modulo(v * x * x - u) === 0n && !(x === 0n && sign === 1n)
}
