import { createHash } from 'node:crypto'
import { decodeBase64url, lengthPrefixed } from './wire.ts'

const stepBytes = 33
const maxSteps = 16

/**
 * The bytes under a signature that replies share: the root which the path (`X-Signet-Path`, empty when the reply was
 * signed alone) leads to from this reply's message; undefined when it is no path.
 */
export function signedBytes(message: Uint8Array, path: string): Buffer | undefined {
  const steps = decodeBase64url(path)
  if (!steps || steps.length % stepBytes !== 0 || steps.length > maxSteps * stepBytes) return undefined
  let hash = sha256(Buffer.from([0]), message)
  for (let at = 0; at < steps.length; at += stepBytes) {
    const side = steps[at]
    const sibling = steps.subarray(at + 1, at + stepBytes)
    if (side === 0) hash = sha256(Buffer.from([1]), sibling, hash)
    else if (side === 1) hash = sha256(Buffer.from([1]), hash, sibling)
    else return undefined
  }
  return lengthPrefixed('signet/v1/replies', hash)
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
