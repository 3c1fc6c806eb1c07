import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { downloadCounts } from '#features/downloads/download-counts.ts'
import { detect } from '#features/alerts/detection.ts'
import { auditSealer } from '#features/audit/audit-chain.ts'
import { verifyAudit } from '#features/audit/verify-audit.ts'
import { forgetEndedSessions } from '#features/accounts/accounts.actions.ts'
import { signInKinds } from '#features/accounts/sign-in-kinds.ts'
import type { Evidence } from '#features/alerts/incidents.rules.ts'
import { deleteOldSessions } from '../features/session-store/session-store.actions.ts'
import { fillApp, newAlert } from '#testing/busy-app.ts'
import { tablesOf } from '#testing/database-digest.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { passTime } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Addresses and hardware ids go after ADDRESS_RETENTION_DAYS, wherever they were written down (R-PII-01). */

const day = 86_400
const retentionDays = 90
const address = '127.0.0.1'

/** `table.column` of everything that holds one of these texts. */
async function placesOf(app: TestApp, ...texts: string[]): Promise<string[]> {
  const places = new Set<string>()
  for (const table of await tablesOf(app.db)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(app.db.read)
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (texts.some((text) => JSON.stringify(value).includes(text))) places.add(`${table}.${column}`)
      }
    }
  }
  return [...places].toSorted()
}

const verify = (app: TestApp) => verifyAudit(app.db, app.services.masterKey)
const insertLog = (app: TestApp, { appId }: OwnedApp, at: number, username: string) =>
  app.db.write(({ db }) =>
    db
      .insertInto('logs')
      .values({
        app_id: appId,
        at,
        call: 'login',
        code: '',
        message: '',
        username,
        license: 'KEY',
        hwid_hash: 'h'.repeat(43),
        machine_hash: 'm'.repeat(43),
        ip: '192.0.2.9',
        country: 'BR',
        session: 'session',
      })
      .execute(),
  )
const logsOf = async (app: TestApp, { appId }: OwnedApp) => {
  const rows = app.db.read.selectFrom('logs').selectAll().where('app_id', '=', appId).orderBy('at').orderBy('id')
  return (await rows.execute()).map(({ username, ip, hwid_hash, machine_hash, country, license }) => ({
    username,
    isRedacted: [ip, hwid_hash, machine_hash].every((text) => text === ''),
    isWhole: [ip, hwid_hash, machine_hash].every((text) => text !== ''),
    rest: `${country} ${license}`,
  }))
}

describe('after 90 days (R-PII-01)', () => {
  let app: TestApp
  let owner: OwnedApp
  /** When the jobs run next. */
  let cleanupAt: number

  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
    await owner.visitor.call('POST /log_retention', { body: { days: 3650 } })
    cleanupAt = app.now() + day + 1
  })
  const cleanup = async () => {
    app.advance(cleanupAt - app.now())
    await app.jobsDone()
  }

  test('no column of any table contains an address, and a hardware ID only where a user is bound to it', async () => {
    const busy = await fillApp(app, owner)
    await app.visitor().call('POST /login', { body: { username: owner.username, password: 'Wrong7Guess' } })
    await app.visitor().send('GET', `/api/1.0/download/${busy.downloadId}`)
    await downloadCounts(app.services).flush()
    const caller = { ip: address, requestId: '' }
    await newFailedJob(app, { kind: 'password-reset', payload: { email: 'nobody@example.com', ...caller } })
    await newFailedJob(app, { kind: 'user-password-reset', payload: { appId: '', username: 'nobody', ...caller } })
    const hashes = await app.db.read.selectFrom('logs').select(['hwid_hash']).where('hwid_hash', '<>', '').execute()
    const machine = hashes[0]?.hwid_hash ?? ''
    expect(machine).toHaveLength(43)
    const before = await placesOf(app, address, machine)
    for (const place of [
      'audit.ip',
      'jobs.payload',
      'logs.ip',
      'logs.hwid_hash',
      'users.ip',
      'client_sessions.hwid_hash',
    ]) {
      expect(before).toContain(place)
    }
    await auditSealer(app.services).seal()
    app.advance((retentionDays + 1) * day)
    await app.jobsDone()
    // Otherwise every ten minutes: what has ended is deleted at most a day later.
    await forgetEndedSessions(app.services, signInKinds(app.services), app.now())
    await deleteOldSessions(app.db, app.now())
    expect(await placesOf(app, address)).toEqual([])
    expect(await placesOf(app, machine)).toEqual(['users.hwid_hash'])
    expect((await verify(app)).problem).toBeUndefined()
  })

  test('a log row keeps who did what, and is redacted at the exact second', async () => {
    const edge = cleanupAt - retentionDays * day
    await insertLog(app, owner, edge - 1, 'old')
    await insertLog(app, owner, edge, 'young')
    await cleanup()
    expect(await logsOf(app, owner)).toEqual([
      { username: 'old', isRedacted: true, isWhole: false, rest: 'BR KEY' },
      { username: 'young', isRedacted: false, isWhole: true, rest: 'BR KEY' },
    ])
  })

  test('more rows than fit in one transaction are deleted for several apps, and the next run continues', async () => {
    const other = await newOwnerWithApp(app)
    await other.visitor.call('POST /log_retention', { body: { days: 3650 } })
    for (let n = 0; n < 3; n++) {
      for (const one of [owner, other]) await insertLog(app, one, app.now() - 1000 * day + n, `old ${n}`)
    }
    const many = sql`
      insert into logs (app_id, at, call, ip, hwid_hash, machine_hash, country, license, username)
      select app_id, at, call, ip, hwid_hash, machine_hash, country, license, 'copy' from logs where ip = '192.0.2.9'`
    for (let n = 0; n < 9; n++) await app.db.write((tx) => many.execute(tx.db))
    expect(await logsOf(app, other)).toHaveLength(1536)
    await cleanup()
    const rows = [...(await logsOf(app, owner)), ...(await logsOf(app, other))]
    expect(rows).toHaveLength(3072)
    expect(rows.filter(({ isRedacted }) => !isRedacted)).toEqual([])
    await insertLog(app, owner, app.now(), 'later')
    app.advance(retentionDays * day)
    await app.jobsDone()
    expect((await logsOf(app, owner)).find(({ username }) => username === 'later')).toMatchObject({ isWhole: true })
    app.advance(day + 1)
    await app.jobsDone()
    expect((await logsOf(app, owner)).find(({ username }) => username === 'later')).toMatchObject({ isRedacted: true })
  })

  test('an alert keeps its users and counts; one detected meanwhile stays complete', async () => {
    const observation = {
      at: 1,
      username: 'ann',
      license: '',
      ip: '192.0.2.9',
      hwid: 'machine',
      country: 'BR',
      code: '',
    }
    const evidence: Evidence = {
      key: '192.0.2.9',
      threshold: 2,
      windowSeconds: 60,
      users: ['ann'],
      licenses: [],
      ips: ['192.0.2.9'],
      hwids: ['machine'],
      countries: ['BR'],
      apps: [],
      events: [{ ...observation, app: '' }],
    }
    const more = {
      type: 'IP_MULTI_KEY' as const,
      ip: '192.0.2.9',
      hwid_hash: 'machine',
      evidence: JSON.stringify(evidence),
      first_at: 1,
      created_at: 1,
    }
    const edge = cleanupAt - retentionDays * day
    const old = await newAlert(app, owner, { ...more, fingerprint: 'IP_MULTI_KEY 192.0.2.9', last_at: edge - 1 })
    const young = await newAlert(app, owner, { ...more, fingerprint: 'IP_MULTI_KEY 192.0.2.8', last_at: edge })
    await cleanup()
    await passTime(app, owner, 0)
    const { body } = await owner.visitor.call('GET /alerts')
    const details = (id: string) => body.data.find(({ alertId }) => alertId === id)?.details
    expect(JSON.stringify(details(young))).toContain('192.0.2.9')
    expect(JSON.stringify(details(old))).not.toMatch(/192\.0\.2\.9|machine/)
    expect(details(old)).toMatchObject({ users: ['ann'], countries: ['BR'], events: [{ username: 'ann', at: 1 }] })
    const rows = app.db.read.selectFrom('alerts').select('fingerprint').where('id', '=', old)
    expect((await rows.executeTakeFirstOrThrow()).fingerprint).not.toContain('192.0.2.9')
  })

  test("a user who hasn't signed in since then loses the address, not the machine", async () => {
    const state = { ip: '192.0.2.9', hwid_hash: 'bound' }
    const edge = cleanupAt - retentionDays * day
    for (const [username, last_login_at] of [
      ['old', edge - 1],
      ['young', edge],
    ] as const) {
      await app.db.write(({ db }) =>
        db
          .insertInto('users')
          .values({ app_id: owner.appId, username, username_key: username, created_at: 1, last_login_at, ...state })
          .execute(),
      )
    }
    await cleanup()
    const users = app.db.read.selectFrom('users').select(['username', 'ip', 'hwid_hash'])
    expect(await users.where('app_id', '=', owner.appId).orderBy('username').execute()).toEqual([
      { username: 'old', ...state, ip: '' },
      { username: 'young', ...state },
    ])
  })
})

describe('the audit after 90 days (R-PII-01, R-LOG-02)', () => {
  let app: TestApp
  const rows = () => app.db.read.selectFrom('audit').selectAll().orderBy('seq').execute()
  const change = (statement: string) => app.db.write((tx) => sql.raw(statement).execute(tx.db))

  beforeAll(async () => {
    app = await startTestApp()
    for (let n = 0; n < 5; n++) await newOwnerWithApp(app)
    await auditSealer(app.services).seal()
    app.advance(retentionDays * day + day)
    for (let n = 0; n < 5; n++) await newOwnerWithApp(app)
    await auditSealer(app.services).seal()
    await app.jobsDone()
  })
  afterAll(() => app.close())

  test('only old addresses are redacted, and the chain stays intact', async () => {
    const old = (await rows()).filter(({ at }) => Number(at) < app.now() - retentionDays * day)
    const young = (await rows()).slice(old.length)
    expect(old.length).toBeGreaterThanOrEqual(10)
    expect(young.length).toBeGreaterThanOrEqual(10)
    expect(new Set(old.map(({ ip, ip_salt }) => `${ip}|${ip_salt}`))).toEqual(new Set(['|null']))
    expect(new Set(young.map(({ ip }) => ip))).toEqual(new Set([address]))
    expect(old.filter(({ target }) => target === '')).toEqual([])
    expect(await verify(app)).toMatchObject({ problem: undefined, sealed: old.length + young.length })
  })

  test("a redacted address can't be found by trying all addresses, because its salt is deleted", async () => {
    const hashes = (await rows()).map(({ ip_hash }) => ip_hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test('verification still detects a changed address, a changed action, and an address redacted too early', async () => {
    const all = await rows()
    const [old, young] = [all[2], all.at(-3)]
    const tampered = async (row: typeof old, set: string) => {
      await change(`update audit set ${set} where id = ${row?.id}`)
      const { problem } = await verify(app)
      await change(
        `update audit set act = '${row?.act}', ip = '${row?.ip}', ip_hash = '${row?.ip_hash}',
         ip_salt = ${row?.ip_salt === null ? 'null' : `'${row?.ip_salt}'`} where id = ${row?.id}`,
      )
      expect((await verify(app)).problem).toBeUndefined()
      return problem
    }
    await dropTriggers()
    for (const [row, set] of [
      [old, `act = 'user.delete'`],
      [old, `ip = '192.0.2.1'`],
      [old, `ip = '192.0.2.1', ip_salt = 'x'`],
      [old, `ip_hash = 'x'`],
      [young, `ip = '192.0.2.1'`],
      [young, `ip_salt = 'x'`],
      [young, `ip = '', ip_salt = null`],
    ] as const) {
      expect(await tampered(row, set), set).toEqual({ problem: 'changed', seq: Number(row?.seq), id: Number(row?.id) })
    }
    // How far it is redacted is signed with the end of the chain.
    await change(`update audit set ip = '', ip_salt = null where id = ${young?.id}`)
    await change(`update audit_head set blanked_seq = ${young?.seq}`)
    expect((await verify(app)).problem).toBeDefined()
  })

  const dropTriggers = async () => {
    if (app.db.engine === 'postgres') return void (await change('alter table audit disable trigger user'))
    for (const name of ['audit_is_never_changed', 'audit_is_sealed_once', 'audit_is_sealed_with_its_address'])
      await change(`drop trigger ${name}`)
  }
})

test('rows of a clock that was ahead, however many, delay no redaction; one of a clock behind hastens none', async () => {
  const app = await startTestApp()
  const insert = (target: string, at: number, count = 1) =>
    app.db.write(async ({ db }) => {
      const row = { at, actor_type: 'owner' as const, actor_id: '', owner_id: '', act: 'x', target, ip: '192.0.2.9' }
      const rows = Array.from({ length: count }, () => ({ ...row, request_id: '' }))
      await db
        .insertInto('audit')
        .values(rows as never)
        .execute()
    })
  const start = app.now()
  await insert('old', start)
  await insert('ahead', start + 400 * day, 250)
  await insert('old', start + 1)
  app.advance((retentionDays + 2) * day)
  await insert('young', app.now())
  await insert('behind', 1)
  await auditSealer(app.services).seal()
  await app.jobsDone()
  const left = app.db.read.selectFrom('audit').select('target').where('ip', '<>', '').orderBy('seq')
  expect((await left.execute()).map(({ target }) => target)).toEqual(['young', 'behind'])
  expect((await verify(app)).problem).toBeUndefined()
  await app.close()
})

test('0 days keeps everything', async () => {
  const app = await startTestApp({ config: { addressRetentionDays: 0 } })
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /log_retention', { body: { days: 3650 } })
  await insertLog(app, owner, app.now() - 1000 * day, 'old')
  app.advance(400 * day)
  await app.jobsDone()
  expect(await logsOf(app, owner)).toMatchObject([{ isWhole: true }])
  expect(await placesOf(app, address)).toContain('audit.ip')
  await app.close()
})

test('an alert whose addresses were redacted is not raised again, undecided or dismissed', async () => {
  const app = await startTestApp({ config: { addressRetentionDays: 30 } })
  const reseller = await newSellingReseller(app)
  const { visitor, appId } = reseller.owner
  const { licenses } = (await reseller.sell({ amount: 5 })).body as unknown as { licenses: string[] }
  for (const key of licenses) {
    const program = await Program.of(app, reseller.owner)
    await program.init()
    await program.license(key)
  }
  await visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })
  const used_at = app.now() - 35 * day
  await app.db.write(({ db }) => db.updateTable('licenses').set({ used_at }).where('app_id', '=', appId).execute())
  const found = async () => {
    await detect(app.services, appId)
    const rows = await app.db.read.selectFrom('alerts').selectAll().where('app_id', '=', appId).execute()
    return rows.filter(({ type }) => type === 'RESELLER_CHARGEBACK_PATTERN').map(({ status, ip }) => ({ status, ip }))
  }
  expect(await found()).toEqual([{ status: 'new', ip: '127.0.0.1' }])
  const nextDay = async () => {
    app.advance(day + 1)
    await app.jobsDone()
  }
  await nextDay()
  expect(await found()).toEqual([{ status: 'new', ip: '' }])
  await app.db.write(({ db }) =>
    db.updateTable('alerts').set({ status: 'dismissed', resolved_at: app.now() }).where('app_id', '=', appId).execute(),
  )
  await nextDay()
  expect(await found()).toEqual([{ status: 'dismissed', ip: '' }])
  await app.close()
})

test('with a shorter retention, records of downloads are deleted as early', async () => {
  const app = await startTestApp({ config: { addressRetentionDays: 7 } })
  const owner = await newOwnerWithApp(app)
  const { downloadId } = await fillApp(app, owner)
  await app.visitor().send('GET', `/api/1.0/download/${downloadId}`)
  await downloadCounts(app.services).flush()
  app.advance(7 * day + day + 1)
  await app.jobsDone()
  expect((await placesOf(app, address)).filter((place) => place.startsWith('download'))).toEqual([])
  await app.close()
})
