import { sha256 } from './request-hash.ts'

/**
 * Hash tree over replies that share one signature (docs/protocol.md). Leaves and nodes are hashed differently and
 * cannot be confused.
 */

const hashBytes = 32
const nodeInput = Buffer.alloc(1 + 2 * hashBytes, 1)

export function leafHash(message: Uint8Array): Buffer {
  const input = Buffer.allocUnsafe(1 + message.length)
  input[0] = 0
  input.set(message, 1)
  return sha256(input)
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashBytes)
  return sha256(nodeInput)
}

/** One step of a path: the side of the sibling (0 left, 1 right), then its hash; always 44 characters. */
export function pathStep(side: 0 | 1, sibling: Uint8Array): string {
  const step = Buffer.allocUnsafe(1 + hashBytes)
  step[0] = side
  step.set(sibling, 1)
  return step.toString('base64url')
}

/** The root over one or more leaves, and the path of each leaf. A node without a sibling moves up unchanged. */
export function merkleTree(leaves: Buffer[]): { root: Buffer; paths: string[] } {
  const levels = [leaves]
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const below = level
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, at) => {
      const left = below[2 * at] as Buffer
      const right = below[2 * at + 1]
      return right ? nodeHash(left, right) : left
    })
  }
  const [root] = levels.pop() as [Buffer]
  let paths = ['']
  for (const level of levels.toReversed()) {
    const above = paths
    paths = level.map((_, at) => {
      const sibling = level[at ^ 1]
      const rest = above[at >> 1] as string
      return sibling ? pathStep(at % 2 === 0 ? 1 : 0, sibling) + rest : rest
    })
  }
  return { root, paths }
}
