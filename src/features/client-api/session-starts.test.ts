import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockApp } from '#features/apps/apps.actions.ts'
import { beforeEachStatement, fillDisk } from '#testing/faults/sqlite-faults.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { type SessionStart, SessionStarts } from './session-starts.ts'
import { usedNonce } from './used-nonces.ts'

/** Sessions of programs that start together share a transaction; what is wrong with one start fails that one alone. */

let app: TestApp
let owner: OwnedApp
let starts: SessionStarts
const statements: string[] = []
const onStatement = (sql: string) => void statements.push(sql)

beforeAll(async () => {
  app = await startTestApp({ postgres: { onStatement } })
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  starts = new SessionStarts(app.db)
  statements.length = 0
})
afterAll(() => app.close())

const appRow = (id: string) => app.db.read.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A start of the owner's program, as `init` makes one. */
async function newStart({ appId = owner.appId, nonce = String(randomUUID()) } = {}): Promise<SessionStart> {
  const now = app.now()
  const row = await appRow(owner.appId)
  const session = {
    app_id: appId,
    token_hash: randomBytes(32).toString('base64url'),
    handle: randomUUID(),
    ip: '198.51.100.7',
    country: '',
    created_at: now,
    expires_at: now + 3600,
  }
  return { app: { ...row, id: appId }, session, nonce: { scope: appId, nonce, now: now * 1000 } }
}
const newStarts = (amount: number) => Promise.all(Array.from({ length: amount }, () => newStart()))

const stored = async (): Promise<string[]> => {
  const rows = await app.db.read
    .selectFrom('client_sessions')
    .select('token_hash')
    .where('app_id', '=', owner.appId)
    .execute()
  return rows.map((row) => row.token_hash).toSorted()
}
const tokensOf = (of: readonly SessionStart[]) => of.map(({ session }) => session.token_hash).toSorted()

/** Number of these starts whose nonce is used. */
async function claimed(of: readonly SessionStart[]): Promise<number> {
  const digests = of.map(({ nonce }) => usedNonce(nonce).digest)
  const rows = await app.db.read.selectFrom('used_nonces').select('digest').where('digest', 'in', digests).execute()
  return rows.length
}

/** The code of each start that failed, and undefined for each that was stored. */
const outcomes = async (of: readonly SessionStart[]) => {
  const all = await Promise.allSettled(of.map((start) => starts.store(start)))
  return all.map((outcome) => (outcome.status === 'fulfilled' ? undefined : (outcome.reason as { code?: string }).code))
}

/** Starts all of them; returns the number of statements that stored their sessions. */
async function insertsOf(all: readonly SessionStart[]): Promise<number> {
  const start = async () => expect(await outcomes(all)).toEqual(all.map(() => undefined))
  if (testEngine === 'postgres') await start()
  else await beforeEachStatement(app.db, (_, { sql }) => onStatement(sql), start)
  return statements.filter((sql) => sql.includes('insert into client_sessions')).length
}

test('30 programs that start together are stored with one statement, each as it is', async () => {
  const all = await newStarts(30)
  expect(await insertsOf(all)).toBe(1)
  expect(await stored()).toEqual(tokensOf(all))
  const [first] = all as [SessionStart]
  const row = await app.db.read
    .selectFrom('client_sessions')
    .selectAll()
    .where('token_hash', '=', first.session.token_hash)
    .executeTakeFirst()
  expect(row).toEqual({
    ...first.session,
    last_heartbeat_at: first.session.created_at,
    user_id: null,
    license_id: null,
    hwid_hash: null,
    ended_code: null,
  })
})

test('250 are stored with three statements', async () => {
  const all = await newStarts(250)
  expect(await insertsOf(all)).toBe(3)
  expect(await stored()).toHaveLength(250)
})

test('a used nonce fails its start alone; the others are stored once (R-CLI-03)', async () => {
  const earlier = await newStart({ nonce: 'a nonce that is used' })
  await starts.store(earlier)
  const all = [...(await newStarts(3)), await newStart({ nonce: 'a nonce that is used' }), ...(await newStarts(3))]
  expect(await outcomes(all)).toEqual([
    undefined,
    undefined,
    undefined,
    'NONCE_REUSED',
    undefined,
    undefined,
    undefined,
  ])
  expect(await stored()).toEqual(tokensOf([earlier, ...all.filter((_, at) => at !== 3)]))
})

test('of two starts with one nonce, one is stored (R-CLI-03)', async () => {
  const twins = [await newStart({ nonce: 'twins' }), await newStart({ nonce: 'twins' })]
  expect((await outcomes([...twins, await newStart()])).toSorted()).toEqual(['NONCE_REUSED', undefined, undefined])
  expect(await stored()).toHaveLength(2)
})

test('starts of an app that was deleted meanwhile fail, and claim nothing', async () => {
  const gone = await Promise.all([1, 2].map(() => newStart({ appId: 'app_gone' })))
  const all = [...gone, await newStart()]
  const results = await Promise.allSettled(all.map((start) => starts.store(start)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await stored()).toHaveLength(1)
  expect(await claimed(gone)).toBe(0)
  expect(await claimed(all)).toBe(1)
  // After a failure, the app's next starts are tried again.
  expect(await outcomes(await newStarts(2))).toEqual([undefined, undefined])
})

test.runIf(testEngine === 'sqlite')('on a full disk all fail, and the next ones are stored', async () => {
  const emptyDisk = await fillDisk(app.db, 0)
  // More than fit into the free space of the last pages.
  const results = await Promise.allSettled((await newStarts(250)).map((start) => starts.store(start)))
  await emptyDisk()
  expect(new Set(results.slice(-50).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await stored()).toHaveLength(results.filter(({ status }) => status === 'fulfilled').length)
  expect(await outcomes(await newStarts(3))).toEqual([undefined, undefined, undefined])
})

test.runIf(testEngine === 'postgres')('a locked app delays no starts of others', async () => {
  const other = await newOwnerWithApp(app)
  const delayed = await newStart()
  let isDelayed = true
  let waiting: Promise<void> | undefined
  await app.db.write(async (tx) => {
    await lockApp(tx, owner.appId)
    waiting = starts.store(delayed).finally(() => (isDelayed = false))
    owner = other
    await starts.store(await newStart())
    expect(isDelayed).toBe(true)
  })
  await waiting
  expect(isDelayed).toBe(false)
})
