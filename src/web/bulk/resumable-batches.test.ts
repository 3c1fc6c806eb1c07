import { expect, test } from 'vitest'
import { ResumableBatches } from './resumable-batches.ts'

interface Body {
  at: number
  wish: string
}

/** Three batches; `failAt` loses the answer of one of them once. */
function losingAnswer(failAt?: number) {
  const sent: { at: number; wish: string; key: string }[] = []
  const next =
    (wish: string) =>
    (replies: readonly number[]): Body | undefined =>
      replies.length < 3 ? { at: replies.length, wish } : undefined
  let lost = failAt
  const send = async (body: Body, key: string) => {
    sent.push({ ...body, key })
    if (body.at === lost) {
      lost = undefined
      throw new Error('the line broke')
    }
    return body.at
  }
  return { sent, next, send }
}

test('sends batch after batch, each under a key of its own', async () => {
  const { sent, next, send } = losingAnswer()
  const seen: number[] = []
  const replies = await new ResumableBatches<Body, number>().run(next('ban'), send, (reply) => seen.push(reply))
  expect(replies).toEqual([0, 1, 2])
  expect(seen).toEqual([0, 1, 2])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
})

test('goes on after a failure, with the same key for the batch whose answer was lost', async () => {
  const { sent, next, send } = losingAnswer(1)
  const batches = new ResumableBatches<Body, number>()
  await expect(batches.run(next('extend'), send)).rejects.toThrow('the line broke')
  expect(await batches.run(next('extend'), send)).toEqual([0, 1, 2])
  expect(sent.map(({ at }) => at)).toEqual([0, 1, 1, 2])
  expect(sent[1]?.key).toBe(sent[2]?.key)
})

test('takes a new key when something else is wished meanwhile', async () => {
  const { sent, next, send } = losingAnswer(1)
  const batches = new ResumableBatches<Body, number>()
  await expect(batches.run(next('30 days'), send)).rejects.toThrow('the line broke')
  await batches.run(next('60 days'), send)
  expect(sent[1]?.key).not.toBe(sent[2]?.key)
})
