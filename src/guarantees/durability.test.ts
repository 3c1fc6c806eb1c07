import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { goodPassword } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-durability-'))
let server: ServerProcess | undefined

afterAll(async () => {
  await server?.killHard()
  rmSync(dataDir, { recursive: true, force: true })
})

const workers = 4
const leastAcknowledged = 20
const administrator = {
  ADMIN_USERNAME: 'durable',
  ADMIN_PASSWORD: goodPassword,
  ADMIN_EMAIL: 'durable@example.com',
}
const limits = { level: 1, name: 'Basic' }

/** Makes and bans licenses until the server is gone; gives what the server had acknowledged. */
async function work(visitor: Visitor): Promise<{ made: string[]; banned: string[] }> {
  const made: string[] = []
  const banned: string[] = []
  try {
    for (;;) {
      const body = { amount: 3, subscription: 1, expiryUnit: 'days', duration: 30 } as const
      const created = await visitor.call('POST /create_licenses', { body })
      if (created.status !== 200) return { made, banned }
      made.push(...created.body.licenses)
      const licenseKey = created.body.licenses[0] as string
      const ban = await visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
      if (ban.status === 200) banned.push(licenseKey)
    }
  } catch {
    return { made, banned }
  }
}

test('kill -9 under load loses no acknowledged change and leaves no action half done', async () => {
  const environment: Record<string, string> = { ...administrator, DATA_DIR: dataDir }
  if (testEngine === 'postgres') environment['DATABASE_URL'] = await freshPostgresUrl()
  server = await startServerProcess(environment)
  // One sign-in for each start: each costs a real hash.
  let visitor = await signIn(server)
  await visitor.call('POST /create_app', { body: { appName: 'Durable' } })
  await visitor.call('POST /create_subscription', { body: limits })

  for (const killAfter of [60, 90, 120]) {
    const working = Array.from({ length: workers }, () => work(visitor))
    // The kill comes when enough was acknowledged, so that a slow machine still tests something.
    await acknowledged(visitor, killAfter)
    await server.killHard()
    const journals = await Promise.all(working)
    const made = journals.flatMap((journal) => journal.made)
    const banned = new Set(journals.flatMap((journal) => journal.banned))
    expect(made.length).toBeGreaterThan(leastAcknowledged)

    server = await startServerProcess(environment)
    visitor = await signIn(server)
    const { body } = await visitor.send<{ content: string }>('GET', '/api/1.0/website/export_licenses', {
      query: { format: 'csv', appName: 'Durable' },
    })
    const rows = new Map(
      body.content
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => [line.split(',')[0], line] as const),
    )
    expect(made.filter((license) => !rows.has(license))).toEqual([])
    expect([...banned].filter((license) => !rows.get(license)?.includes('banned'))).toEqual([])
    // Three keys were made together or not at all.
    expect(rows.size % 3).toBe(0)
    const { body: list } = await visitor.call('GET /licenses', { query: { appName: 'Durable' } })
    expect(list.counts.total).toBe(rows.size)
  }
})

/** A module that a server loads first: its flushes fail once the file exists. */
const failingDisk = (whenExists: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const flush = fs.fdatasync
    fs.fdatasync = (file, done) =>
      fs.existsSync(${JSON.stringify(whenExists)}) ? done(new Error('EIO: i/o error')) : flush(file, done)
    syncBuiltinESMExports()`)}`

test.runIf(testEngine === 'sqlite')(
  'a server whose disk fails answers no more writes and ends; the next one has all that was acknowledged',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'signet-failing-disk-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const broken = join(dataDir, 'broken')
    const environment = { ...administrator, DATA_DIR: dataDir }
    const failing = await startServerProcess({ ...environment, NODE_OPTIONS: `--import=${failingDisk(broken)}` })
    onTestFinished(() => failing.killHard())
    const visitor = await signIn(failing)
    await visitor.call('POST /create_app', { body: { appName: 'Durable' } })
    await visitor.call('POST /create_subscription', { body: limits })
    const body = { amount: 3, subscription: 1, expiryUnit: 'days', duration: 30 } as const
    const created = await visitor.call('POST /create_licenses', { body })
    expect(created.status).toBe(200)
    const exited = once(failing.process, 'exit')
    writeFileSync(broken, '')
    const outcome = await visitor.call('POST /create_licenses', { body }).then(
      ({ status }) => status,
      () => 'connection closed',
    )
    expect([503, 'connection closed']).toContain(outcome)
    expect(await exited).toEqual([1, null])

    const next = await startServerProcess(environment)
    onTestFinished(() => next.stop())
    const { body: list } = await (await signIn(next)).call('GET /licenses', { query: { appName: 'Durable' } })
    expect(list.licenses.map(({ license }) => license)).toEqual(expect.arrayContaining(created.body.licenses))
  },
)

async function signIn({ url }: ServerProcess): Promise<Visitor> {
  const visitor = new Visitor(url)
  const { status } = await visitor.call('POST /login', { body: { username: 'durable', password: goodPassword } })
  expect(status).toBe(200)
  const apps = await visitor.call('GET /apps')
  if (apps.body.apps[0]) visitor.appId = apps.body.apps[0].appId
  return visitor
}

async function acknowledged(visitor: Visitor, more: number): Promise<void> {
  const enough = visitor.answered + more
  while (visitor.answered < enough) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
