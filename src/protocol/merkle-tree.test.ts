import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signedBytes } from '#sdk/merkle-path.ts'
import { rootMessage } from './group-signature.ts'
import { leafHash, merkleTree, nodeHash, pathStep } from './merkle-tree.ts'

test('is the tree of RFC 6962: 0x00 before leaves, 0x01 before nodes, no sibling no hash', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => leafHash(Buffer.from(text))) as [Buffer, Buffer, Buffer]
  expect(leafHash(Buffer.alloc(0)).toString('hex')).toMatch(/^6e340b9cffb37a989ca544e6bb780a2c/)
  const left = nodeHash(a, b)
  const { root, paths } = merkleTree([a, b, c])
  expect(root).toEqual(nodeHash(left, c))
  expect(paths).toEqual([pathStep(1, b) + pathStep(1, c), pathStep(0, a) + pathStep(1, c), pathStep(0, left)])
})

test('whatever the size, each path leads a client from its message to the root, and no other message', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, one, two) => {
      const messages = Array.from({ length: size }, (_, n) => Buffer.from(`reply ${n}`))
      const { root, paths } = merkleTree(messages.map(leafHash))
      const [at, other] = [one % size, two % size]
      const seen = await signedBytes(messages[other] as Buffer, paths[at] as string)
      const isRoot = seen !== undefined && rootMessage(root).equals(seen)
      expect(isRoot).toBe(at === other)
    }),
  )
})
