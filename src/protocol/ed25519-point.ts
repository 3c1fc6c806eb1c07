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
export function isUsableEd25519Point(bytes: Uint8Array): boolean {
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
