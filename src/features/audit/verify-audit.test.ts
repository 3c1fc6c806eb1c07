import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { recordAudit } from '#server/audit/audit.ts'
import type { Tx } from '#database/database.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { newLog } from '#server/log/log.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { listChecks } from '#server/status/platform-checks.ts'
import { newOwner } from '#testing/people/people.ts'
import { startSecondServer } from '#testing/servers/second-server.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { type AuditRow, AuditSealer } from './audit-chain.ts'
import { RecordedHeads } from './recorded-heads.ts'
import { chainProblemText, verifyAudit, verifyRecordedAudit } from './verify-audit.ts'

/** The audit chain detects changes by somebody with full access to the database (R-LOG-02). */

const verify = (app: TestApp, known?: { seq: number; hash: string }[]) =>
  verifyAudit(app.db, app.services.masterKey, known)
const seal = (app: TestApp) => new AuditSealer(app.services).seal()
const change = (app: TestApp, ...statements: string[]) =>
  app.db.write(async ({ db }) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  })

/** As the owner of the database can. */
const dropTriggers = (app: TestApp) =>
  testEngine === 'postgres'
    ? change(app, 'alter table audit disable trigger user')
    : change(
        app,
        ...[
          'audit_is_never_deleted',
          'audit_is_never_changed',
          'audit_is_sealed_once',
          'audit_is_sealed_with_its_address',
        ].map((name) => `drop trigger ${name}`),
      )

const record = (app: TestApp, tx: Tx, target: string) =>
  recordAudit(
    tx,
    { actor: { type: 'anyone' }, now: app.now(), caller: { ip: '192.0.2.7', requestId: target } },
    { act: 'user.create', target, ownerId: 'ow_1' },
  )
const recordMany = async (app: TestApp, count: number) => {
  for (let n = 1; n <= count; n++) await app.db.write((tx) => record(app, tx, `row ${n}`))
}

describe('tampering', () => {
  let app: TestApp
  let rows: AuditRow[]
  let head: { seq: number; hash: string; mac: string }
  /** A position in the middle of the chain. */
  const place = 11

  beforeAll(async () => {
    app = await startTestApp()
    await recordMany(app, 20)
    await seal(app)
    // The app's own sealer could run before some of these steps.
    await app.stop()
    await dropTriggers(app)
    rows = await app.db.read.selectFrom('audit').selectAll().orderBy('seq').execute()
    head = await app.db.read.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
  })
  afterAll(async () => {
    await app.start()
    await app.close()
  })

  afterEach(() =>
    app.db.write(async ({ db }) => {
      await db.deleteFrom('audit').execute()
      await db.insertInto('audit').values(rows).execute()
      await db.updateTable('audit_head').set(head).execute()
    }),
  )

  test('an untouched chain passes', async () => {
    expect((await verify(app)).problem).toBeUndefined()
  })

  const changes: [string, string][] = [
    ['who', `actor_id = 'x'`],
    ['what kind', `actor_type = 'admin'`],
    ['whose', `owner_id = 'x'`],
    ['which app', `app_id = 'x'`],
    ['what', `act = 'user.delete'`],
    ['to which row', `target = 'somebody else'`],
    ['redacted target', `target = ''`],
    ['how', `details = '{"a":1}'`],
    ['from where', `ip = '192.0.2.8'`],
    ['when', `at = at - 1`],
    ['which request', `request_id = 'x'`],
    ['the hash itself', `hash = 'x'`],
  ]
  test.each(changes)('a changed row (%s) is detected in its place', async (_, set) => {
    await change(app, `update audit set ${set} where seq = ${place}`)
    expect((await verify(app)).problem).toEqual({ problem: 'changed', seq: place, id: Number(rows[place - 1]?.id) })
  })

  test('a change of the last row is detected', async () => {
    await change(app, `update audit set target = 'x' where seq = ${rows.length}`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'changed', seq: rows.length })
  })

  test.each([
    ['one row', `seq = ${place}`, place],
    ['several rows', `seq between ${place} and ${place + 3}`, place],
    ['the first row', `seq = 1`, 1],
    ['the last row', `seq = 20`, 20],
    ['the last rows', `seq >= ${place}`, place],
    ['everything', `seq > 0`, 1],
  ])('removing %s is detected where the first row is missing', async (_, where, seq) => {
    await change(app, `delete from audit where ${where}`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'removed', seq })
  })

  test('removing a row and closing the gap is detected', async () => {
    await change(app, `delete from audit where seq = ${place}`, `update audit set seq = seq - 1 where seq > ${place}`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'changed', seq: place })
  })

  const inserted = `insert into audit (at, actor_type, actor_id, owner_id, act, target, ip, request_id, seq, hash)
    select at, actor_type, actor_id, owner_id, act, 'never happened', ip, request_id, seq, hash from audit where seq =`
  test('inserting a row at a taken place is detected', async () => {
    await change(app, `${inserted} ${place}`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'inserted', seq: place + 1 })
  })
  test('making room for a row is detected', async () => {
    await change(
      app,
      `update audit set seq = seq + 1 where seq >= ${place}`,
      `${inserted} ${place - 1}`,
      `update audit set seq = ${place} where target = 'never happened'`,
      `update audit_head set seq = seq + 1`,
    )
    expect((await verify(app)).problem).toMatchObject({ problem: 'inserted', seq: place })
  })
  test('appending a row without the key is detected', async () => {
    await change(app, `${inserted} 20`, `update audit set seq = 21 where target = 'never happened'`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'inserted', seq: 21 })
    await change(app, `update audit_head set seq = 21`)
    expect((await verify(app)).problem).toMatchObject({ seq: 21 })
  })

  test.each([
    ['neighbours', place, place + 1],
    ['distant rows', place, place + 5],
  ])('swapping two places (%s) is detected', async (_, one, other) => {
    await change(
      app,
      `update audit set seq = 1000 where seq = ${one}`,
      `update audit set seq = ${one} where seq = ${other}`,
      `update audit set seq = ${other} where seq = 1000`,
    )
    expect((await verify(app)).problem).toMatchObject({ problem: 'reordered', seq: one })
  })

  test('renumbering the rows is detected', async () => {
    await change(app, `update audit set seq = seq + 1 where seq >= ${place}`, `update audit_head set seq = seq + 1`)
    expect((await verify(app)).problem).toMatchObject({ problem: 'reordered', seq: place })
  })

  /** Removes all seals and empties the head, as the migration left it. */
  const emptyChain = (alsoChange = '') =>
    change(
      app,
      ...(alsoChange ? [alsoChange] : []),
      `update audit set seq = null, hash = null, ip_hash = null, ip_salt = null`,
      `update audit_head set seq = 0, hash = '', mac = ''`,
    )

  test('recomputing the whole chain is detected: its head is signed with a key outside the database', async () => {
    await emptyChain(`update audit set target = 'x'`)
    const { config } = app.services
    const stranger = {
      ...app.services,
      masterKey: new MasterKey(Buffer.alloc(32, 1)),
      config: { ...config, masterKeyFile: join(config.dataDir, 'stranger.key') },
    }
    await new AuditSealer(stranger).seal()
    expect(await verify(app)).toMatchObject({ sealed: 20, problem: { problem: 'head', seq: 20 } })
  })

  test("the server doesn't start another chain after this one is emptied", async () => {
    await emptyChain(`update audit set target = 'x'`)
    await seal(app)
    const report = await verifyRecordedAudit(app.services)
    expect(report).toMatchObject({ sealed: 0, unsealed: 20, problem: { problem: 'head', seq: 0 } })
  })

  test('restoring an older state with its genuine head is detected by the head recorded next to the key', async () => {
    await recordMany(app, 3)
    await seal(app)
    expect(await verifyRecordedAudit(app.services)).toMatchObject({ sealed: 23, problem: undefined })
    await change(app, `delete from audit where seq > 20`)
    await app.db.write(({ db }) => db.updateTable('audit_head').set(head).execute())
    expect((await verify(app)).problem).toBeUndefined()
    expect((await verifyRecordedAudit(app.services)).problem).toEqual({ problem: 'rewritten', seq: 23 })
    // The recorded head is not set back to match the database, either.
    app.advance(120)
    await seal(app)
    expect((await verifyRecordedAudit(app.services)).problem).toEqual({ problem: 'rewritten', seq: 23 })
    await new RecordedHeads(app.services.config, app.services.masterKey).record(
      (await readInstallation(app.db)).id,
      head,
    )
  })

  test("the server doesn't extend a chain that was tampered with, which would make it genuine", async () => {
    await change(app, `update audit_head set hash = 'x'`)
    await recordMany(app, 1)
    await seal(app)
    expect(await verify(app)).toMatchObject({ unsealed: 1, problem: { problem: 'head' } })
  })
})

test('the end of the chain is recorded and logged as before after the clock was set back', async () => {
  const lines: string[] = []
  const app = await startTestApp({ log: newLog('info', { write: (line) => void lines.push(line) }) })
  const sealer = new AuditSealer(app.services)
  const heads = new RecordedHeads(app.services.config, app.services.masterKey)
  const { id } = await readInstallation(app.db)
  for (const [seq, jump] of [86_400, -86_400].entries()) {
    app.jumpClock(jump)
    app.now()
    app.advance(660)
    app.now()
    lines.length = 0
    await recordMany(app, 1)
    await sealer.seal()
    expect(await heads.find(id)).toMatchObject({ seq: seq + 1 })
    expect(lines.filter((line) => line.includes('the audit chain ends here'))).toHaveLength(1)
  }
  await app.close()
})

test('the server checks the chain every night, reports the result, and records it', async () => {
  const lines: string[] = []
  const app = await startTestApp({ log: newLog('info', { write: (line) => void lines.push(line) }) })
  const outcome = async () => (await listChecks(app.db.read)).map(({ name, problems }) => [name, problems])
  await recordMany(app, 3)
  await seal(app)
  app.advance(86_400)
  await app.jobsDone()
  expect(await outcome()).toContainEqual(['audit', 0])
  await dropTriggers(app)
  await change(app, `update audit set target = 'x' where seq = 2`)
  app.advance(86_400)
  await app.jobsDone()
  expect(await outcome()).toContainEqual(['audit', 1])
  expect(lines.filter((line) => line.includes(chainProblemText))).toHaveLength(1)
  // The end of the chain is also logged, outside the database.
  expect(lines.some((line) => line.includes('the audit chain ends here'))).toBe(true)
  await app.close()
})

describe('every row is sealed once', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test("rows that aren't sealed yet are counted separately, with the age of the oldest", async () => {
    await recordMany(app, 3)
    await seal(app)
    const before = await verify(app)
    app.advance(60)
    await recordMany(app, 2)
    const report = await verify(app)
    // The timer may have sealed the rows already.
    if (report.unsealed > 0) expect(report).toMatchObject({ oldestUnsealed: app.now() })
    await seal(app)
    expect(await verify(app)).toMatchObject({
      sealed: before.sealed + 2,
      unsealed: 0,
      oldestUnsealed: undefined,
      problem: undefined,
    })
    expect((await verify(app, [before.head])).problem).toBeUndefined()
  })

  test('the database itself rejects a second seal', async () => {
    await recordMany(app, 1)
    await seal(app)
    await expect(change(app, `update audit set seq = seq + 1000`)).rejects.toThrow('sealed once')
    await expect(change(app, `update audit set hash = 'x'`)).rejects.toThrow('sealed once')
    await expect(change(app, `update audit set hash = null, seq = null`)).rejects.toThrow('sealed once')
  })

  test('a process of an older version, which would start another chain, seals nothing next to this one', async () => {
    const sealOfBefore = app.db.write(async (tx) => {
      await record(app, tx, 'row')
      await sql`update audit set seq = 1000000, hash = 'x' where seq is null`.execute(tx.db)
    })
    await expect(sealOfBefore).rejects.toThrow('sealed by a newer version')
    await recordMany(app, 1)
    await seal(app)
    expect((await verify(app)).problem).toBeUndefined()
  })

  test('more rows than fit into one transaction, and IDs skipped by rolled-back transactions', async () => {
    const { sealed } = await verify(app)
    await app.db.write(async (tx) => {
      for (let n = 0; n < 450; n++) await record(app, tx, `row ${n}`)
    })
    const undone = app.db.write(async (tx) => {
      await record(app, tx, 'undone')
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await recordMany(app, 1)
    await seal(app)
    expect(await verify(app)).toMatchObject({ sealed: sealed + 451, unsealed: 0, problem: undefined })
  })

  test('two servers that seal at once create one chain', async () => {
    const second = await startSecondServer(app)
    const { sealed } = await verify(app)
    const work = async (server: TestApp) => {
      for (let n = 0; n < 30; n++) {
        await server.db.write((tx) => record(server, tx, `row ${n}`))
        await seal(server)
      }
    }
    await Promise.all([work(app), work(second)])
    expect(await verify(app)).toMatchObject({ sealed: sealed + 60, unsealed: 0, problem: undefined })
    await second.close()
  })

  test('a new row is sealed automatically within seconds', async () => {
    const { id } = await newOwner(app)
    const isSealed = async () =>
      (await app.db.read.selectFrom('audit').select('seq').where('owner_id', '=', id).executeTakeFirstOrThrow()).seq !==
      null
    await expect.poll(isSealed, { timeout: 30_000 }).toBe(true)
  })

  test.runIf(testEngine === 'postgres')('a row that commits late, with an ID below those already sealed', async () => {
    const { sealed } = await verify(app)
    const written = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const late = app.db.write(async (tx) => {
      await record(app, tx, 'late')
      written.resolve()
      await goOn.promise
    })
    await written.promise
    await recordMany(app, 3)
    await seal(app)
    expect(await verify(app)).toMatchObject({ sealed: sealed + 3, problem: undefined })
    goOn.resolve()
    await late
    await seal(app)
    expect(await verify(app)).toMatchObject({ sealed: sealed + 4, unsealed: 0, problem: undefined })
    const last = await app.db.read
      .selectFrom('audit')
      .select(['target', 'id'])
      .orderBy('seq', 'desc')
      .limit(2)
      .execute()
    expect(last[0]?.target).toBe('late')
    expect(Number(last[0]?.id)).toBeLessThan(Number(last[1]?.id))
  })
})
