import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { PostgresLine } from '#testing/faults/postgres-faults.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { Program } from '#testing/people/program.ts'
import { startServerProcess } from '#testing/servers/server-process.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/** A PostgreSQL that goes away, takes over, or says nothing any more; the server behind such a line, another beside it. */
describe.runIf(testEngine === 'postgres')('PostgreSQL fails', () => {
  const masterSecret = randomBytes(32)
  let url: string
  let line: PostgresLine
  let app: TestApp
  let direct: TestApp
  let owner: OwnedApp
  let admin: pg.Client

  beforeAll(async () => {
    url = await freshPostgresUrl()
    line = await PostgresLine.start(url)
    const masterKey = new MasterKey(masterSecret)
    app = await startTestApp({
      masterKey,
      postgres: { url: line.url, connections: { calls: 4 }, queryTimeoutMs: 2500, pingMs: 250 },
    })
    direct = await startTestApp({ postgres: { url } })
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    owner = await newOwnerWithApp(app)
  })
  afterEach(async () => {
    await line.heal()
    await until(async () => (await readiness()) === 200)
  })
  afterAll(async () => {
    await admin.end()
    await app.close()
    await direct.close()
    await line.close()
  })

  const readiness = async () => (await fetch(`${app.url}/readyz`)).status
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise(setImmediate)
  }
  /** Of calls one after the other at most one is rejected, and those that are not are done. */
  async function expectOneRejectedAtMost(): Promise<void> {
    const before = await count()
    const answers = []
    for (let call = 0; call < 5; call++) answers.push(await make())
    const rejected = answers.filter(({ status }) => status !== 200)
    expect(rejected.length).toBeLessThanOrEqual(1)
    for (const { status, body } of rejected) expect({ status, body }).toMatchObject({ status: 503, body: unavailable })
    expect(await count()).toBe(before + 2 * (answers.length - rejected.length))
  }
  const make = (headers: Record<string, string> = {}) =>
    owner.visitor.call('POST /create_licenses', {
      body: { amount: 2, subscription: 1, expiryUnit: 'days', duration: 30 },
      headers,
    })
  const count = async () => (await admin.query('select id from licenses')).rows.length
  const unavailable = { code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 2 }

  test('down: every call is rejected with 503 and Retry-After, the process stays alive, and everything recovers without intervention', async () => {
    await line.reject()
    const answers = await Promise.all(Array.from({ length: 20 }, () => make()))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(503))
    expect(answers[0]?.body).toMatchObject(unavailable)
    expect(answers[0]?.headers.get('retry-after')).toBe('2')
    expect([(await fetch(`${app.url}/healthz`)).status, await readiness()]).toEqual([200, 503])
    await line.heal()
    await until(async () => (await make()).status === 200)
  })

  test('half open: a silent connection is closed, and the next one works', async () => {
    const made = await Promise.all([make(), make(), make()])
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
    line.silenceOpen()
    // Nothing is healed meanwhile; with the first that is found out all of its age are given up.
    await expectOneRejectedAtMost()
  })

  test('another server takes over: connections to the read-only one are closed', async () => {
    const readOnly = (state: 'on' | 'off') =>
      admin.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${state}`)
    await readOnly('on')
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await until(async () => (await readiness()) === 200)
    const before = await count()
    const rejected = await make()
    expect({ status: rejected.status, body: rejected.body }).toMatchObject({ status: 503, body: unavailable })
    const reading = await Promise.all(Array.from({ length: 3 }, () => owner.visitor.call('GET /licenses')))
    expect(reading.map(({ status }) => status)).toEqual([200, 200, 200])
    await readOnly('off')
    // What was opened meanwhile only reads, too.
    expect(await count()).toBe(before)
    await expectOneRejectedAtMost()
  })

  test('the reply to a commit is lost: the same Idempotency-Key returns the result, and the call acts once', async () => {
    const before = await count()
    for (let round = 0; round < 5; round++) {
      const headers = { 'idempotency-key': `lost-commit-${round}` }
      line.loseCommitOf('insert into "licenses"')
      expect((await make(headers)).status).toBe(503)
      const retried = await make(headers)
      expect({ status: retried.status, body: retried.body }).toMatchObject({ status: 200 })
      expect(retried.body.licenses).toHaveLength(2)
    }
    expect([line.lostCommits, (await count()) - before]).toEqual([5, 10])
  })

  test('the reply to the commit of an upload is lost: the file stays, and the upload succeeds', async () => {
    const lost = line.lostCommits
    line.loseCommitOf('update "downloads"')
    const { status, body } = await owner.visitor.call('POST /downloads/upload', {
      body: { name: 'Setup' },
      file: new Blob(['bytes']),
    })
    expect([line.lostCommits - lost, status, body.code]).toEqual([1, 200, 'DOWNLOAD_UPLOAD_OK'])
    await app.jobsDone()
    const { downloads } = (await owner.visitor.call('GET /downloads')).body
    expect(downloads.map(({ name, fileSize }) => [name, fileSize])).toEqual([['Setup', 5]])
  })

  test('too many waiting transactions: further ones are rejected at once, and the waiting ones complete', async () => {
    const db = await openPostgres({ url, connections: { calls: 1 }, maxWaiting: 5 })
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    const running = db.write(() => goOn)
    const outcomes = Array.from({ length: 20 }, () =>
      db.read
        .selectFrom('migrations' as never)
        .selectAll()
        .execute(),
    )
    const rejected = outcomes.slice(5)
    for (const outcome of await Promise.allSettled(rejected)) {
      expect(databaseIsUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    resolve()
    await running
    for (const rows of await Promise.all(outcomes.slice(0, 5))) expect(rows.length).toBeGreaterThan(0)
    await db.close()
  })

  test('a listening connection that drops its packets is detected: /readyz reports it, and a ban still arrives', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
    expect((await program.heartbeat()).status).toBe(200)
    line.muteListener()
    await until(async () => (await readiness()) === 503)
    expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({
      status: 'changes made by other processes are not heard',
    })
    expect((await program.heartbeat()).status).toBe(200)
    const elsewhere = direct.visitor()
    const ban = () =>
      direct.db.write(async (tx) => {
        await tx.db.updateTable('users').set({ banned: 1 }).where('username', '=', key).execute()
        tx.publish(`access:${owner.appId}`)
      })
    // Connections of its pool may have been lost in the tests before; new ones take their place.
    await until(() =>
      ban().then(
        () => true,
        () => false,
      ),
    )
    expect((await elsewhere.send('GET', '/readyz')).status).toBe(200)
    await until(async () => (await program.heartbeat()).body.code === 'USER_BANNED')
    await line.heal()
    await until(async () => (await readiness()) === 200)
  })

  test('down at a start: the server waits, alive and not ready, and the log never contains the password', async () => {
    const late = await PostgresLine.start(url)
    await late.reject()
    const told: string[] = []
    const opening = openPostgres({ url: late.url, onUnreachable: async (problem) => void told.push(problem) })
    writeFileSync(app.services.config.masterKeyFile, masterSecret.toString('base64url'))
    const server = await startServerProcess(
      {
        DATABASE_URL: late.url,
        DATA_DIR: app.services.config.dataDir,
        LOG_LEVEL: 'warn',
      },
      '/healthz',
    )
    const ready = () => fetch(`${server.url}/readyz`).catch(() => undefined)
    const waiting = await fetch(`${server.url}/api/1.0/website/check-auth`)
    expect({ status: waiting.status, retry: waiting.headers.get('retry-after') }).toEqual({ status: 503, retry: '2' })
    expect(await waiting.json()).toMatchObject(unavailable)
    expect((await ready())?.status).toBe(503)
    await late.heal()
    await until(async () => (await ready())?.status === 200)
    await server.stop()
    const db = await opening
    await db.ping()
    await db.close()
    expect(told[0]).toMatch(
      /^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ can't be reached \(.*ECONNREFUSED.*\); trying again until it can$/,
    )
    await late.close()
  })

  test("a wrong address: the server doesn't wait", async () => {
    const missing = url.replace(/\/[^/]*$/, '/no_such_database')
    const told: string[] = []
    const opening = openPostgres({ url: missing, onUnreachable: async (problem) => void told.push(problem) })
    await expect(opening).rejects.toThrow('does not exist')
    expect(told).toEqual([])
  })
})
