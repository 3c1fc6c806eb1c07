import { type Bytes, decodeBase64url, lengthPrefixed, sha256 } from './wire.ts'

const stepBytes = 33
const maxSteps = 16
const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/**
 * The bytes under a signature that replies share: the root which the path (`X-Signet-Path`, empty when the reply was
 * signed alone) leads to from this reply's message; undefined when it is no path.
 */
export async function signedBytes(message: Uint8Array, path: string): Promise<Bytes | undefined> {
  const steps = decodeBase64url(path)
  if (!steps || steps.length % stepBytes !== 0 || steps.length > maxSteps * stepBytes) return undefined
  let hash = await sha256(leafMark, message)
  for (let at = 0; at < steps.length; at += stepBytes) {
    const side = steps[at]
    const sibling = steps.subarray(at + 1, at + stepBytes)
    if (side === 0) hash = await sha256(nodeMark, sibling, hash)
    else if (side === 1) hash = await sha256(nodeMark, hash, sibling)
    else return undefined
  }
  return lengthPrefixed('signet/v1/replies', hash)
}
