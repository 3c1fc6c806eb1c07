import { expect, test } from 'vitest'
import type { BatchFields, BulkReply, BulkRows, UndoBody, UndoReply } from './bulk-action.ts'
import { BulkRun, countEffects, UndoRun, wholeBodies } from './bulk-run.ts'

interface Body {
  rows: BulkRows<string>
}

type Sent = Body & BatchFields & { key: string | undefined }

/**
 * A server with `total` rows, every tenth of which is so already. It answers at most `maxRows` of a filter at a
 * time, does nothing twice under the same key, and joins batches to an undo record as the real one does.
 */
function serverWith(total: number, { missing = [] as readonly string[] } = {}) {
  const sent: Sent[] = []
  const answers = new Map<string, BulkReply>()
  const done: string[] = []
  const newestId = total
  let lost: number | undefined
  const answer = ({ rows, maxRows = total, after = 0, undoId, dryRun }: Body & BatchFields): BulkReply => {
    const end = Math.min(after + maxRows, total)
    const named = 'names' in rows
    const names = named ? rows.names : Array.from({ length: end - after }, (_, index) => String(after + index))
    const found = names.filter((name) => !missing.includes(name))
    const changed = found.filter((name) => !name.endsWith('0'))
    const isFound = new Set(found)
    const isChanged = new Set(changed)
    if (!dryRun) done.push(...changed)
    return {
      done: found.length,
      failed: names.length - found.length,
      next: named || end === total ? null : end,
      newestId: named ? null : newestId,
      undoId: dryRun || changed.length === 0 ? null : (undoId ?? `record-${sent.length}`),
      counts: { changed: changed.length, unchanged: found.length - changed.length, inUse: changed.length > 0 ? 1 : 0 },
      results: names.map((name) => ({ name, ok: isFound.has(name), changed: isChanged.has(name), message: 'x' })),
    }
  }
  const send = async (body: Body & BatchFields, { idempotencyKey: key }: { idempotencyKey?: string | true }) => {
    sent.push({ ...body, key: String(key) })
    const reply = answers.get(String(key)) ?? answer(body)
    if (key) answers.set(String(key), reply)
    if (sent.length === lost) throw new Error('the line broke')
    return reply
  }
  const action = { send, body: (rows: BulkRows<string>): Body => ({ rows }) }
  return { action, sent, done, loseAnswer: (index: number) => (lost = index) }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test('counts what all batches would change, and changes nothing', async () => {
  const { action, sent, done } = serverWith(50_000)
  const looked: number[] = []
  const { counts, rows } = await countEffects(action, { filter: 'all' }, { onProgress: (seen) => looked.push(seen) })
  expect(rows).toBe(50_000)
  expect(counts).toEqual({ changed: 45_000, unchanged: 5000, inUse: 3 })
  expect(looked).toEqual([20_000, 40_000, 50_000])
  expect(sent.every(({ dryRun }) => dryRun)).toBe(true)
  expect(done).toEqual([])
})

test('a filter starts with the count that was shown, and continues where the last reply says', async () => {
  const { action, sent, done } = serverWith(4500)
  const outcome = await new BulkRun({ filter: 'all', count: 4500 }).run(action)
  expect(sent.map(({ after }) => after)).toEqual([undefined, 1000, 2000, 3000, 4000])
  expect(sent[0]?.rows).toEqual({ filter: 'all', expectedCount: 4500 })
  expect(outcome).toMatchObject({ done: 4500, failed: 0, counts: { changed: 4050, unchanged: 450 } })
  expect(done).toHaveLength(4050)
})

test('each batch leaves out what was added since the count, or since the first batch', async () => {
  const counted = serverWith(2500)
  const { newestId } = await countEffects(counted.action, { filter: 'all' })
  await new BulkRun({ filter: 'all', count: 2500, newestId }).run(counted.action)
  expect(counted.sent.map((each) => each.newestId)).toEqual([undefined, 2500, 2500, 2500])
  const { action, sent } = serverWith(2500)
  await new BulkRun({ filter: 'all', count: 2500 }).run(action)
  expect(sent.map((each) => each.newestId)).toEqual([undefined, 2500, 2500])
})

test('takes no more rows than were asked about, although more match by now', async () => {
  const { action, sent, done } = serverWith(4500)
  const outcome = await new BulkRun({ filter: 'all', count: 2500 }).run(action)
  expect(sent.map(({ maxRows }) => maxRows)).toEqual([1000, 1000, 500])
  expect(outcome).toMatchObject({ done: 2500, failed: 0 })
  expect(done).toHaveLength(2250)
})

test('all batches of an action join the undo record of the first one that changed something', async () => {
  const { action, sent } = serverWith(0)
  const unchanged = Array.from({ length: 250 }, (_, index) => `${index}0`)
  const outcome = await new BulkRun({ names: [...unchanged, ...names(500)] }).run(action)
  expect(sent.map(({ undoId }) => undoId)).toEqual([undefined, undefined, 'record-2'])
  expect(outcome.undoId).toBe('record-2')
})

test('continues after a lost reply under the same key, and does nothing twice', async () => {
  const { action, sent, done, loseAnswer } = serverWith(3000)
  loseAnswer(2)
  const run = new BulkRun({ filter: 'all', count: 3000 })
  await expect(run.run(action)).rejects.toThrow('the line broke')
  expect(run.outcome).toMatchObject({ done: 1000, undoId: 'record-1' })
  const reached: number[] = []
  const outcome = await run.run(action, { onProgress: (rows) => reached.push(rows) })
  expect(sent.map(({ after }) => after)).toEqual([undefined, 1000, 1000, 2000])
  expect(sent[1]?.key).toBe(sent[2]?.key)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  expect(reached).toEqual([2000, 3000])
  expect(outcome).toMatchObject({ done: 3000, undoId: 'record-1' })
  expect(done).toHaveLength(2700)
})

test('reports each failure with its reason, and retries under the same undo record', async () => {
  const { action } = serverWith(0, { missing: ['3', '4'] })
  const outcome = await new BulkRun({ names: names(9) }).run(action)
  expect(outcome).toMatchObject({ done: 7, failed: 2, undoId: 'record-1' })
  expect(outcome.failures.map(({ name }) => name)).toEqual(['3', '4'])
  expect(outcome.doneNames).toEqual(['0', '1', '2', '5', '6', '7', '8'])

  const again = serverWith(0)
  const retried = new BulkRun({ names: outcome.failures.map(({ name }) => name) }, outcome.undoId)
  expect(await retried.run(again.action)).toMatchObject({ done: 2, failed: 0, undoId: 'record-1' })
  expect(again.sent.map(({ undoId }) => undoId)).toEqual(['record-1'])
})

test('the calls shown contain the action without the batches of a filter', () => {
  const { action } = serverWith(0)
  expect(wholeBodies(action.body, { filter: 'all', count: 9000 })).toEqual([
    { rows: { filter: 'all', expectedCount: 9000 } },
  ])
  expect(wholeBodies(action.body, { names: names(300) })).toHaveLength(2)
})

test("an undo continues where it stopped, and reports how many rows it couldn't restore", async () => {
  const sent: UndoBody[] = []
  const undo = async (body: UndoBody): Promise<UndoReply> => {
    sent.push(body)
    if (sent.length === 2) throw new Error('the line broke')
    const { after = 0 } = body
    return { restored: 1999, failed: 1, next: after === 4000 ? null : after + 2000 }
  }
  const run = new UndoRun('record-1')
  await expect(run.run(undo)).rejects.toThrow('the line broke')
  expect(run.outcome).toEqual({ restored: 1999, failed: 1 })
  expect(await run.run(undo)).toEqual({ restored: 5997, failed: 3 })
  expect(sent.map(({ after }) => after)).toEqual([undefined, 2000, 2000, 4000])
  expect(sent.every(({ undoId }) => undoId === 'record-1')).toBe(true)
})
