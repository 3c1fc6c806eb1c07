import { ReadableStream } from 'node:stream/web'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bodyWithinTime } from './body-within-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const chunks = [Buffer.from('one'), Buffer.from('two')]

function newBody() {
  let left: unknown
  const sent = [...chunks]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = sent.shift()
        if (chunk) controller.enqueue(chunk)
        // Then it is silent.
        else return new Promise<void>(() => {})
      },
      cancel: (reason) => void (left = reason),
    },
    { highWaterMark: 0 },
  )
  const reader = bodyWithinTime(body, 30_000, () => new Error('silent')).getReader()
  return { reader, reason: () => left }
}

test('a reader that takes its time gets every byte', async () => {
  const { reader } = newBody()
  for (const value of chunks) {
    expect(await reader.read()).toEqual({ done: false, value })
    await vi.advanceTimersByTimeAsync(600_000)
  }
})

test('a body that is silent while it is read ends with an error, and its source is canceled', async () => {
  const { reader, reason } = newBody()
  for (const value of chunks) expect(await reader.read()).toEqual({ done: false, value })
  const read = expect(reader.read()).rejects.toThrow('silent')
  await vi.advanceTimersByTimeAsync(30_000)
  await read
  expect(reason()).toEqual(new Error('silent'))
})

test('a reader that leaves cancels the source', async () => {
  const { reader, reason } = newBody()
  await reader.read()
  await reader.cancel('left')
  expect(reason()).toBe('left')
})
