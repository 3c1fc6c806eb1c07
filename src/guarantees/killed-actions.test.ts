import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { type BatchedAction, credits, newBatchedActions, price, send, signIn } from '#testing/faults/batched-actions.ts'
import { killedAtCommit } from '#testing/faults/killed-at-commit.ts'
import { goodPassword } from '#testing/people/people.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine } from '#testing/start-test-app.ts'

/**
 * All actions in batches at once, and the server is killed at a commit again and again until they are complete. After each
 * kill, every row is changed together with its audit and with what undoes it, or not at all; repeating the request that
 * got no reply completes the action, and no row is changed twice.
 */

const username = 'durable'
const dataDir = mkdtempSync(join(tmpdir(), 'signet-killed-'))
const killer = killedAtCommit(join(dataDir, 'kill'))
const environment: Record<string, string> = {
  DATA_DIR: dataDir,
  ADMIN_USERNAME: username,
  ADMIN_PASSWORD: goodPassword,
  ADMIN_EMAIL: 'durable@example.com',
  ...killer.environment,
}
let server: ServerProcess
let db: Database

beforeAll(async () => {
  if (testEngine === 'postgres') environment['DATABASE_URL'] = await freshPostgresUrl()
  server = await startServerProcess(environment)
  db = await openDatabase({ databaseUrl: environment['DATABASE_URL'], dataDir, sources: [], shared: true })
})
afterAll(async () => {
  await server.killHard()
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function count(table: string, appId: string, where = '1 = 1'): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where app_id = ${appId} and ${sql.raw(where)}`.execute(db.reports)
  return Number(rows[0]?.n)
}

const auditedRows = (appId: string, act: string): Promise<number> =>
  count('audit_targets', appId, `audit_id in (select id from audit where act = '${act}')`)

/** Rows that the audit counts without naming them: `500 items`. */
async function auditedCount(appId: string, act: string): Promise<number> {
  const rows = await db.reports
    .selectFrom('audit')
    .select('target')
    .where('app_id', '=', appId)
    .where('act', '=', act)
    .execute()
  return rows.reduce((sum, { target }) => sum + Number.parseInt(target, 10), 0)
}

/** Rows whose state can be restored. */
async function undoableRows(appId: string, act: string): Promise<number> {
  const { rows } = await sql<{ states: string }>`
    select states from undo_batches join undo_operations on undo_operations.id = operation_id
    where app_id = ${appId} and act = ${act}`.execute(db.reports)
  return rows.reduce((sum, { states }) => sum + (JSON.parse(states) as unknown[]).length, 0)
}

/** The number of licenses that the reseller of the app has paid. */
async function paidLicenses(appId: string): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select balance from credit_accounts where app_id = ${appId} and kind = 'balance'`.execute(db.reports)
  return (credits - Number(rows[0]?.balance)) / price
}

/** How many rows an action has changed: the same in all tables. */
async function changedRows({ appId, table, total, before, after, ...also }: BatchedAction): Promise<number> {
  const [asBefore, asAfter] = [await count(table, appId, before), await count(table, appId, after)]
  const changed = before === '1 = 1' ? total - asBefore : asAfter
  // No row is in a third state.
  const unchanged = before === '1 = 0' || after === '1 = 0' ? total - changed : asBefore
  const stored = {
    unchanged,
    ...(also.audited && { audited: await auditedRows(appId, also.audited) }),
    ...(also.auditedCount && { counted: await auditedCount(appId, also.auditedCount) }),
    ...(also.undoable && { undoable: await undoableRows(appId, also.undoable) }),
    ...(also.undone && { stillUndoable: await undoableRows(appId, also.undone) }),
    ...(also.binned && { binned: await count('bin_items', appId) }),
    ...(also.sold && { paid: await paidLicenses(appId) }),
  }
  expect(stored).toEqual({
    unchanged: total - changed,
    ...(also.audited && { audited: changed }),
    ...(also.auditedCount && { counted: changed }),
    ...(also.undoable && { undoable: changed }),
    ...(also.undone && { stillUndoable: total - changed }),
    ...(also.binned && { binned: also.binned === 'more' ? changed : total - changed }),
    ...(also.sold && { paid: after === '1 = 0' ? total - changed : changed }),
  })
  return changed
}

/** An action and the request without a reply. */
interface Running {
  action: BatchedAction
  step: ReturnType<BatchedAction['steps']['next']>
}

/** Goes on until the action is complete or the server is gone. */
async function goOn(visitor: Visitor, running: Running): Promise<void> {
  const { appId, steps } = running.action
  while (!running.step.done) {
    const reply = await send(visitor, appId, running.step.value).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (!reply) return
    running.step = steps.next(reply)
  }
}

/** At which commit each server is killed: SQLite shares one between all actions that wait. */
const killedAt = testEngine === 'sqlite' ? [4, 6, 8, 10] : [8, 12, 16, 20]

test('kill -9 at a commit leaves each batch of an action done or not done, and a repeated request completes it once', async () => {
  let visitor = await signIn(server.url, username)
  const running: Running[] = (await newBatchedActions(server.url, visitor)).map((action) => ({
    action,
    step: action.steps.next(),
  }))
  const halfDone = new Set<string>()
  let kills = 0
  while (running.some(({ step }) => !step.done)) {
    const exited = once(server.process, 'exit')
    const commit = killedAt[kills]
    if (commit !== undefined) killer.arm(commit, kills % 2 === 0 ? 'before' : 'after')
    await Promise.all(running.map((each) => goOn(visitor, each)))
    if (running.every(({ step }) => step.done)) break
    await exited
    kills += 1
    server = await startServerProcess(environment)
    for (const { action } of running) {
      const changed = await changedRows(action)
      if (changed > 0 && changed < action.total) halfDone.add(action.name)
    }
    expect(await verifyLedger(db)).toEqual([])
    visitor = await signIn(server.url, username)
  }
  // Once more, for what the server does by itself.
  killer.disarm()
  await server.killHard()
  server = await startServerProcess(environment)
  await vi.waitFor(async () => {
    for (const { action } of running)
      expect([action.name, await changedRows(action)]).toEqual([action.name, action.total])
    const { rows } = await sql`select id from apps where deleted_at is not null`.execute(db.reports)
    expect(rows).toEqual([])
  }, 60_000)
  expect(await verifyLedger(db)).toEqual([])
  // Enough was cut off in its middle.
  expect([kills, halfDone.size]).toEqual([
    expect.toSatisfy((n: number) => n > 1),
    expect.toSatisfy((n: number) => n > 4),
  ])
}, 240_000)
