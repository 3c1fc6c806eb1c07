import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateSqlite } from '#database/migrate.ts'
import { migrations } from '#database/migrations/list.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { type LastRelease, unpackLastRelease } from '#testing/last-release.ts'
import { goodPassword, newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { failedStart, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine, type TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

/**
 * The program of the last release (`npm run release:archive`) on the tables of this version: during a rolling upgrade
 * it goes on beside this one, until it is stopped.
 */

const folder = mkdtempSync(join(tmpdir(), 'signet-upgrade-'))
const servers: ServerProcess[] = []
let release: LastRelease
let environment: Record<string, string>
let databaseUrl: string | undefined

beforeAll(async () => {
  release = unpackLastRelease(join(folder, 'release'))
  databaseUrl = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  environment = { DATA_DIR: folder, REGISTRATIONS_PER_HOUR: '1000', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
})
afterAll(async () => {
  for (const server of servers) await server.killHard()
  rmSync(folder, { recursive: true, force: true })
})

/** Another process on the database, such as that of a newer version. */
async function beside(work: (run: (text: string) => Promise<unknown>, connection?: SqliteConnection) => Promise<void>) {
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    return work((text) => client.query(text)).finally(() => client.end())
  }
  const connection = new SqliteConnection(join(folder, 'signet.db'))
  return work(async (text) => connection.run(text, []), connection).finally(() => connection.close())
}

interface Running {
  app: TestApp
  server: ServerProcess
}

async function start(program?: string): Promise<Running> {
  const server = await startServerProcess(environment, '/readyz', program)
  servers.push(server)
  const { url } = server
  const now = () => Math.floor(Date.now() / 1000)
  // As much of a test app as people and programs need of a server that is a process of its own.
  const app = { url, now, visitor: () => new Visitor(url), services: { clock: Date.now } } as unknown as TestApp
  return { app, server }
}

interface Work {
  owner: OwnedApp
  username: string
  password: string
  program: Program
  licenses: string[]
}

let names = 0

/** The body of an answer that must be a success; a 5xx would be a column that the program no longer finds. */
async function ok<T extends { success: boolean; message?: string }>(
  answer: Promise<{ status: number; body: T }>,
): Promise<T> {
  const { status, body } = await answer
  expect([status, body.success, body.message]).toEqual([200, true, body.message])
  return body
}

async function signIn(app: TestApp, { username, password }: Pick<Work, 'username' | 'password'>): Promise<Visitor> {
  const visitor = app.visitor()
  await ok(visitor.call('POST /login', { body: { username, password } }))
  return visitor
}

/** What an owner, a reseller and programs do on the first day. */
async function firstDay(app: TestApp): Promise<Work> {
  const username = `owner${++names}`
  const [password, appName] = [goodPassword, `App of ${username}`]
  const identity = { username, email: `${username}@example.com`, displayName: username }
  await ok(app.visitor().call('POST /register', { body: { ...identity, password } }))
  const visitor = await signIn(app, { username, password })
  const me = await ok(visitor.call('GET /check-auth'))
  const created = await ok(visitor.call('POST /create_app', { body: { appName, version: '1.0.0' } }))
  await ok(visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } }))
  const owner = { visitor, username, password, appName, appId: created.appId, id: me.user?.id ?? '' }
  const licenses = await newLicenses(owner, 3)
  const [first = '', second = '', third = ''] = licenses
  const [program, other] = [await Program.of(app, owner), await Program.of(app, owner)]
  await ok(program.init())
  await ok(program.license(first))
  await ok(program.heartbeat())
  await ok(other.init())
  await ok(other.register('user', 'Password-of-user', second))
  await ok(other.login('user', 'Password-of-user'))
  await ok(visitor.call('POST /toggle_ban_license', { body: { licenseKey: third } }))
  await ok((await newSellingReseller(app, {}, owner)).sell())
  return { owner, username, password, program, licenses }
}

/** What a server shows of that day, and that it goes on from there. */
async function nextDay(app: TestApp, { owner, licenses, ...work }: Work): Promise<void> {
  const visitor = await signIn(app, work)
  visitor.appId = owner.appId
  const listed = await ok(visitor.call('GET /licenses', { query: { limit: 100 } }))
  expect(listed.licenses.map(({ licenseKey }) => licenseKey)).toEqual(expect.arrayContaining(licenses))
  const banned = listed.licenses.filter((license) => license.banned).map(({ licenseKey }) => licenseKey)
  expect(banned).toContain(licenses[2])
  await ok(visitor.call('GET /users'))
  await ok(visitor.call('GET /resellers'))
  const [license = ''] = await newLicenses({ visitor }, 1)
  const program = await Program.of(app, { ...owner, visitor })
  program.session = work.program.session
  await ok(program.heartbeat())
  await ok(program.init())
  await ok(program.license(license))
  await ok(visitor.call('POST /toggle_ban_license', { body: { licenseKey: license } }))
}

/** Three or four processes are started, one after the other. */
const maxUpgradeMs = 400_000

test(
  'the last release works with the tables of this version, alongside it where the engine allows it',
  { timeout: maxUpgradeMs },
  async () => {
    const old = await start(release.program)
    const before = await firstDay(old.app)
    const upgraded = databaseUrl ? await start() : undefined
    await beside(async (run, connection) => {
      if (connection) migrateSqlite(connection)
      // As a version to come would leave it.
      await run(`insert into migrations values (${migrations.length + 1}, 'later')`)
    })
    await nextDay(old.app, before)
    const during = await firstDay(old.app)
    for (const work of upgraded ? [before, during] : []) await nextDay((upgraded as Running).app, work)
    if (upgraded) await nextDay(old.app, await firstDay(upgraded.app))
    await old.server.stop()
    const { code, stderr } = await failedStart(environment, [], release.program)
    const known = `(migration ${migrations.length + 1}); this one knows ${release.migrations}.`
    expect([code, stderr]).toEqual([1, expect.stringContaining(`The database is of a newer version ${known}`)])
    await beside(async (run) => void (await run(`delete from migrations where name = 'later'`)))
    const present = upgraded ?? (await start())
    for (const work of [before, during]) await nextDay(present.app, work)
  },
)
