import { createHash } from 'node:crypto'
import { rootMessage } from '#protocol/group-signature.ts'
import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { leafHash, merkleTree, nodeHash, pathStep } from '#protocol/merkle-tree.ts'

/** From the message of the reply, returns the signed bytes and the path in the reply. */
export type Group = (message: Buffer) => { signed: Buffer; path: string | undefined }

const stepLength = 44
const other = (n: number): Buffer => leafHash(Buffer.from(`another reply ${n}`))
const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The reply at position `at` of a group of `size`; `change` modifies the path. */
function inGroup(size: number, at: number, change: (path: string) => string | undefined = (path) => path): Group {
  return (message) => {
    const leaves = Array.from({ length: size }, (_, n) => (n === at ? leafHash(message) : other(n)))
    const { root, paths } = merkleTree(leaves)
    return { signed: rootMessage(root), path: change(paths[at] as string) }
  }
}

/** The path from the reply to the root through `steps` siblings, as in a group of 2^steps. */
function climbing(steps: number): Group {
  return (message) => {
    let root: Buffer = leafHash(message)
    let path = ''
    for (let step = 0; step < steps; step++) {
      const isLeft = step % 2 === 0
      path += pathStep(isLeft ? 1 : 0, other(step))
      root = isLeft ? nodeHash(root, other(step)) : nodeHash(other(step), root)
    }
    return { signed: rootMessage(root), path }
  }
}

const withByte = (path: string, at: number, value: number): string => {
  const bytes = Buffer.from(path, 'base64url')
  bytes[at] = value
  return bytes.toString('base64url')
}
const otherSide = (path: string) => withByte(path, 0, 1 - (Buffer.from(path, 'base64url')[0] ?? 0))
const reversed = (path: string) => path.slice(stepLength) + path.slice(0, stepLength)
const pathOf = (size: number, at: number): string => {
  const { paths } = merkleTree(Array.from({ length: size }, (_, n) => other(n + 100)))
  return paths[at] as string
}

/** Hashed without the bytes that distinguish leaves from nodes: a node could then be passed off as a reply. */
const unmarked: Group = (message) => ({
  signed: rootMessage(sha256(sha256(message), other(1))),
  path: pathStep(1, other(1)),
})
const hashedAsNode: Group = (message) => ({
  signed: rootMessage(nodeHash(sha256(Buffer.from([1]), message), other(1))),
  path: pathStep(1, other(1)),
})
const leafAsRoot: Group = (message) => ({ signed: rootMessage(sha256(message)), path: undefined })
const ofAnotherDomain: Group = (message) => ({
  signed: lengthPrefixed('signet/v1/response', leafHash(message)),
  path: undefined,
})

const rejected = 'BAD_SIGNATURE'
export const groupCases: [name: string, group: Group, outcome: string][] = [
  ['the left of a group of two', inGroup(2, 0), 'accepted'],
  ['the right of a group of two', inGroup(2, 1), 'accepted'],
  ['one of a group of five', inGroup(5, 2), 'accepted'],
  ['the last of five, which has no sibling until the top', inGroup(5, 4), 'accepted'],
  ['a path of 16 steps', climbing(16), 'accepted'],
  ['an empty path header, as if it were not there', inGroup(1, 0, () => ''), 'accepted'],
  ['a path of 17 steps', climbing(17), rejected],
  ['the wrong side', inGroup(5, 2, otherSide), rejected],
  ['a side that is neither', inGroup(5, 2, (path) => withByte(path, 0, 2)), rejected],
  ['steps in another order', inGroup(4, 1, reversed), rejected],
  ['a step left out', inGroup(5, 2, (path) => path.slice(stepLength)), rejected],
  ['a step too many', inGroup(5, 2, (path) => path + pathStep(1, other(9))), rejected],
  ['a path cut within a step', inGroup(5, 2, (path) => path.slice(0, -4)), rejected],
  ['a padded path', inGroup(5, 2, (path) => `${path}==`), rejected],
  ['a path with a comma, as two headers make it', inGroup(5, 2, (path) => `${path}, ${path}`), rejected],
  ['no path where there was one', inGroup(5, 2, () => undefined), rejected],
  ['a path where there was none', inGroup(1, 0, () => pathStep(1, other(1))), rejected],
  ["another reply's path in the same group", inGroup(5, 2, () => pathOf(5, 3)), rejected],
  ['a path of another group', inGroup(5, 2, () => pathOf(5, 2)), rejected],
  ['a signature of another root', () => ({ signed: rootMessage(other(0)), path: pathOf(5, 2) }), rejected],
  ['a tree that does not mark leaves and nodes', unmarked, rejected],
  ['a leaf hashed as a node', hashedAsNode, rejected],
  ['a leaf that is not marked', leafAsRoot, rejected],
  ['the message itself signed, without a tree', (message) => ({ signed: message, path: undefined }), rejected],
  ['the bare root signed, without its domain', (message) => ({ signed: leafHash(message), path: undefined }), rejected],
  ['the root signed for another purpose', ofAnotherDomain, rejected],
]
