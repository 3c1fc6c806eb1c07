import { randomUUID } from 'node:crypto'
import { goodPassword } from '../people/people.ts'
import { resellerPassword } from '../people/resellers.ts'
import { type Answer, Visitor } from '../people/visitor.ts'

/** The actions that the server makes in several transactions, each in an app of its own, by requests that are repeatable. */

/** Repeated unchanged when there was no reply. */
interface Request {
  path: string
  body: object
  key?: string
  /** The error that a repeated request is rejected with, because it was done. */
  doneBy?: string
}
/** Yields requests and receives the bodies of their replies. */
export type Steps = Generator<Request, void, Record<string, unknown>>

export interface BatchedAction {
  name: string
  appId: string
  /** The table whose rows it changes, and how many; `of` matches them as they are before, or after. */
  table: 'licenses' | 'users' | 'user_subscriptions' | 'bin_items'
  total: number
  before: string
  after: string
  steps: Steps
  /** What the same transactions store: targets of this audit event, states for undo of this event, items of the bin. */
  audited?: string
  /** Or only their number, in the targets of this audit event. */
  auditedCount?: string
  undoable?: string
  binned?: 'more' | 'fewer'
  /** Rows whose undo is stored as long as they are not changed back. */
  undone?: string
  /** What the reseller of the app has paid with. */
  sold?: 'each'
}

/** Rows of an action whose caller asks for batch after batch. */
const rows = 300
const perBatch = 100
/** Rows of an action that is one request: the server makes batches of 500. */
const manyRows = 1200
const perRequest = 600

export const price = 5
export const credits = 1_000_000
const month = 30 * 86_400
const expiry = '2096-10-02T07:06:40.000Z'
const laterExpiry = '2096-11-01T07:06:40.000Z'
const epochSeconds = (date: string) => Date.parse(date) / 1000

/** An action on a filter as the dashboard makes it: counted first, then in batches with keys. */
function* inBatches(path: string, action: object): Steps {
  const { done, newestId } = yield { path, body: { ...action, filter: {}, dryRun: true } }
  let undoId: unknown
  for (let next: unknown = 0; next !== null;) {
    const place = next === 0 ? { expectedCount: done } : { after: next, undoId }
    const body = { ...action, filter: {}, maxRows: perBatch, newestId, ...place }
    ;({ next, undoId } = yield { path, body, key: randomUUID() })
  }
}

/** The same in one request, which leaves out rows that are changed already. */
function* atOnce(path: string, action: object): Steps {
  yield { path, body: { ...action, filter: {}, after: 1 } }
}

function* ofUndo(path: string, undoId: unknown): Steps {
  for (let next: unknown = 0; next !== null;) {
    const place = next === 0 ? {} : { after: next }
    ;({ next } = yield { path, body: { undoId, maxRows: perBatch, ...place }, key: randomUUID() })
  }
}

type RowsOf = (from: number, amount: number) => { licenses: object[] } | { users: object[] }

function* ofImport(importId: unknown, rowsOf: RowsOf): Steps {
  for (let batch = 1; batch <= rows / perBatch; batch++)
    yield { path: '/imports/rows', body: { importId, batch, ...rowsOf((batch - 1) * perBatch, perBatch) } }
}

function* single(request: Request): Steps {
  yield request
}

const numbered = (from: number, amount: number) => Array.from({ length: amount }, (_, at) => from + at + 1)
const licenseRows = (from: number, amount: number) => ({
  licenses: numbered(from, amount).map((row) => ({ row, key: `IMPORTED-${row}`, level: '1', duration: '30' })),
})
const userRows = (from: number, amount: number) => ({
  users: numbered(from, amount).map((row) => ({
    row,
    username: `imported ${row}`,
    subscriptions: [{ level: '1', expiry }],
  })),
})

/** Sends a request about an app; throws when there is no reply, or another than success. */
export async function send(
  visitor: Visitor,
  appId: string,
  { path, body, key, doneBy }: Request,
): Promise<Answer['body']> {
  const headers = { 'x-app-id': appId, ...(key && { 'idempotency-key': key }) }
  const post = () => visitor.send('POST', `/api/1.0/website${path}`, { body, headers })
  let answer = await post()
  // On a busy machine, it can wait too long for other actions of its account; nothing is done then.
  while (answer.body.code === 'DATABASE_UNAVAILABLE') answer = await post()
  if (answer.status !== 200 && answer.body.code !== doneBy)
    throw new Error(`${path}: ${answer.status} ${answer.body.message}`)
  return answer.body
}

/** All steps; returns the last reply. */
async function all(visitor: Visitor, appId: string, steps: Steps): Promise<Record<string, unknown>> {
  let reply: Record<string, unknown> = {}
  for (let step = steps.next(); !step.done; step = steps.next(reply)) reply = await send(visitor, appId, step.value)
  return reply
}

export async function signIn(url: string, username: string, password = goodPassword): Promise<Visitor> {
  const visitor = new Visitor(url)
  const { status } = await visitor.call('POST /login', { body: { username, password } })
  if (status !== 200) throw new Error(`Could not sign in: ${status}`)
  return visitor
}

const newApp = async (owner: Visitor, appName: string) =>
  (await owner.call('POST /create_app', { body: { appName } })).body.appId

async function withLicenses(owner: Visitor, name: string, amount: number): Promise<string> {
  const appId = await newApp(owner, name)
  for (let made = 0; made < amount; made += perRequest) {
    const body = { amount: Math.min(perRequest, amount), subscription: 1, expiryUnit: 'days', duration: 30 }
    await send(owner, appId, { path: '/create_licenses', body })
  }
  return appId
}

async function startImport(owner: Visitor, appId: string, kind: 'licenses' | 'users', total = rows): Promise<unknown> {
  const file = { kind, source: 'keyauth', fileName: 'file.json', fingerprint: randomUUID(), rows: total }
  const body = { ...file, levels: [{ label: '1', level: 1 }] }
  return ((await send(owner, appId, { path: '/imports/start', body }))['import'] as { importId: string }).importId
}

async function withUsers(owner: Visitor, name: string, amount: number): Promise<string> {
  const appId = await newApp(owner, name)
  const importId = await startImport(owner, appId, 'users', amount)
  for (let batch = 1, made = 0; made < amount; batch++, made += perBatch * 3)
    await send(owner, appId, { path: '/imports/rows', body: { importId, batch, ...userRows(made, perBatch * 3) } })
  return appId
}

/** An app with the licenses of a reseller, who has paid for each. */
async function withSold(url: string, owner: Visitor, appName: string): Promise<string> {
  const appId = await newApp(owner, appName)
  const username = `seller${appName.length}`
  const { reseller, registrationToken } = (await owner.call('POST /resellers/create', { body: { username } })).body
  const config = { appName, credits, allowedPlans: ['30'], planCosts: { '30': price } }
  await owner.call('POST /resellers/{id}/apps', { params: { id: reseller.id }, body: config })
  const seller = new Visitor(url)
  await seller.call('POST /reseller/setup/{registrationToken}', {
    params: { registrationToken },
    body: { email: `${username}@example.com`, password: resellerPassword },
  })
  for (let sold = 0; sold < rows; sold += perBatch)
    await send(seller, appId, { path: '/reseller/licenses/create', body: { appName, plan: '30', amount: perBatch } })
  return appId
}

const banned = 'banned = 1'
const notBanned = 'banned = 0'
const whole = '1 = 1'
const none = '1 = 0'

/** Everything is prepared by the account of this visitor, an administrator. */
export async function newBatchedActions(url: string, owner: Visitor): Promise<BatchedAction[]> {
  return [...(await onLicenses(url, owner)), ...(await onUsers(owner))]
}

async function onLicenses(url: string, owner: Visitor): Promise<BatchedAction[]> {
  const table = 'licenses'
  const of = { table, total: rows } as const
  const bulk = '/licenses/bulk'
  const ban = { audited: 'license.bulk-ban', undoable: 'license.bulk-ban', before: notBanned, after: banned }
  const unbanned = await withLicenses(owner, 'a ban is undone', rows)
  const { undoId } = await all(owner, unbanned, inBatches(bulk, { action: 'ban' }))
  const restored = await withSold(url, owner, 'sold licenses are restored')
  const deletion = await all(owner, restored, inBatches(bulk, { action: 'delete' }))
  const imported = await newApp(owner, 'licenses are imported')
  return [
    {
      ...of,
      ...ban,
      name: 'licenses are banned',
      appId: await withLicenses(owner, 'licenses are banned', rows),
      steps: inBatches(bulk, { action: 'ban' }),
    },
    {
      ...ban,
      table,
      total: manyRows,
      name: 'licenses are banned in one request',
      appId: await withLicenses(owner, 'licenses are banned in one request', manyRows),
      steps: atOnce(bulk, { action: 'ban' }),
    },
    {
      ...of,
      name: 'licenses get time',
      appId: await withLicenses(owner, 'licenses get time', rows),
      steps: inBatches(bulk, { action: 'add-time', duration: 30, expiryUnit: 'days' }),
      before: `duration_seconds = ${month}`,
      after: `duration_seconds = ${2 * month}`,
      audited: 'license.bulk-add-time',
      undoable: 'license.bulk-add-time',
    },
    {
      ...of,
      name: 'a ban is undone',
      appId: unbanned,
      steps: ofUndo('/licenses/undo', undoId),
      before: banned,
      after: notBanned,
      undone: 'license.bulk-ban',
    },
    {
      ...of,
      name: 'sold licenses are deleted',
      appId: await withSold(url, owner, 'sold licenses are deleted'),
      steps: inBatches(bulk, { action: 'delete' }),
      before: whole,
      after: none,
      audited: 'license.bulk-delete',
      binned: 'more',
      sold: 'each',
    },
    {
      ...of,
      name: 'sold licenses are restored',
      appId: restored,
      steps: ofUndo('/bin/restore', deletion['undoId']),
      before: none,
      after: whole,
      audited: 'bin.restore',
      binned: 'fewer',
      sold: 'each',
    },
    {
      ...of,
      name: 'licenses are imported',
      appId: imported,
      steps: ofImport(await startImport(owner, imported, 'licenses'), licenseRows),
      before: none,
      after: whole,
      audited: 'import.run',
      undoable: 'import.run',
    },
  ]
}

async function onUsers(owner: Visitor): Promise<BatchedAction[]> {
  const imported = await newApp(owner, 'users are imported')
  const gone = await withUsers(owner, 'an app is deleted', rows)
  const emptied = await withUsers(owner, 'the bin is emptied', manyRows)
  await all(owner, emptied, atOnce('/users/bulk', { action: 'delete' }))
  return [
    {
      table: 'user_subscriptions',
      total: rows,
      name: 'users get time',
      appId: await withUsers(owner, 'users get time', rows),
      steps: inBatches('/users/bulk', { action: 'extend', duration: 30, unit: 'days', subscription: 1 }),
      before: `expires_at = ${epochSeconds(expiry)}`,
      after: `expires_at = ${epochSeconds(laterExpiry)}`,
      audited: 'user.bulk-extend',
      undoable: 'user.bulk-extend',
    },
    {
      table: 'users',
      total: manyRows,
      name: 'users are deleted in one request',
      appId: await withUsers(owner, 'users are deleted in one request', manyRows),
      steps: atOnce('/users/bulk', { action: 'delete' }),
      before: whole,
      after: none,
      audited: 'user.bulk-delete',
      binned: 'more',
    },
    {
      table: 'bin_items',
      total: manyRows,
      name: 'the bin is emptied',
      appId: emptied,
      steps: single({ path: '/bin/delete', body: { all: true } }),
      before: whole,
      after: none,
      auditedCount: 'bin.delete',
    },
    {
      table: 'users',
      total: rows,
      name: 'users are imported',
      appId: imported,
      steps: ofImport(await startImport(owner, imported, 'users'), userRows),
      before: none,
      after: whole,
      audited: 'import.run',
      undoable: 'import.run',
    },
    {
      table: 'users',
      total: rows,
      name: 'an app is deleted',
      appId: gone,
      steps: single({ path: '/delete_app', body: { appId: gone }, doneBy: 'APP_NOT_FOUND' }),
      before: whole,
      after: none,
    },
  ]
}
