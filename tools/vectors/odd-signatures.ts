import { createHash, type KeyObject } from 'node:crypto'
import { rawPublicBytes } from '#protocol/raw-keys.ts'

/** The order of the group of Ed25519. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)

function toLittleEndian(value: bigint): Buffer {
  return Buffer.from(Array.from({ length: 32 }, (_, n) => Number((value >> BigInt(8 * n)) & 255n)))
}

/** The same signature with S + L instead of S, which a verifier without a range check accepts. */
export function withLargeS(signature: Buffer): Buffer {
  const s = littleEndian(signature.subarray(32)) + order
  return Buffer.concat([signature.subarray(0, 32), toLittleEndian(s)])
}

/** A point of order 8. */
export const pointOfOrder8 = Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')
/** The identity, encoded with y = p + 1. */
export const identityUnreduced = Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex')

/**
 * A signature with the given R of small order. It satisfies only the equation multiplied by 8, or only after R was
 * reduced: a verifier that follows RFC 8032 step by step rejects it.
 */
export function withSmallR(r: Buffer, message: Uint8Array, privateKey: KeyObject): Buffer {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const scalarBytes = createHash('sha512').update(seed).digest().subarray(0, 32)
  scalarBytes[0] = (scalarBytes[0] ?? 0) & 0xf8
  scalarBytes[31] = ((scalarBytes[31] ?? 0) & 0x7f) | 0x40
  const input = Buffer.concat([r, rawPublicBytes(privateKey), message])
  const k = littleEndian(createHash('sha512').update(input).digest()) % order
  return Buffer.concat([r, toLittleEndian((k * littleEndian(scalarBytes)) % order)])
}
