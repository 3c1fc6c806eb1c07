import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Works that end when the test says so; `started` has them in their order. */
function queueOf(places: number) {
  const turns = new Turns(places)
  const started: { name: string; end: () => void }[] = []
  const run = (name: string) =>
    turns.run(name.slice(0, 1), () => new Promise<void>((end) => started.push({ name, end })))
  return { started, run, names: () => started.map(({ name }) => name).join(' ') }
}

test('runs as many works at once as there are places, of one subject too', async () => {
  const { started, run, names } = queueOf(2)
  const works = ['a1', 'a2', 'a3'].map(run)
  await expect.poll(names).toBe('a1 a2')
  started[1]?.end()
  await works[1]
  await expect.poll(names).toBe('a1 a2 a3')
  for (const { end } of started) end()
  await Promise.all(works)
})

test('subjects take turns, however many works one of them has queued', async () => {
  const { started, run, names } = queueOf(1)
  const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(run)
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']
  for (const [n] of order.entries()) {
    await expect.poll(names).toBe(order.slice(0, n + 1).join(' '))
    started[n]?.end()
  }
  await Promise.all(works)
})

test('a work that fails gives its place back', async () => {
  const turns = new Turns(1)
  await expect(turns.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await expect(turns.run('b', async () => 'done')).resolves.toBe('done')
})
