import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#database/open-database.ts'
import { verifyAudit } from '#features/audit/verify-audit.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { findLastBackup } from '#server/status/backups.ts'
import { goodPassword, newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { runTool } from '#testing/run-tool.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine, type TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'signet-drill-')))
const [dataDir, otherDir, backups] = folders as [string, string, string]
const servers: ServerProcess[] = []

afterAll(async () => {
  for (const server of servers) await server.killHard()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const environmentOf = async (folder: string): Promise<Record<string, string>> => ({
  DATA_DIR: folder,
  ADMIN_USERNAME: 'operator',
  ADMIN_PASSWORD: goodPassword,
  ADMIN_EMAIL: 'operator@example.com',
  PROGRAM_STARTS_PER_MINUTE: '100000',
  ANONYMOUS_CALLS_PER_MINUTE: '100000',
  ...(testEngine === 'postgres' && { DATABASE_URL: await freshPostgresUrl() }),
})

async function start(environment: Record<string, string>): Promise<TestApp> {
  const server = await startServerProcess(environment)
  servers.push(server)
  const { url } = server
  const now = () => Math.floor(Date.now() / 1000)
  // As much of a test app as people and programs need of a server that is a process of its own.
  return { url, now, visitor: () => new Visitor(url), services: { clock: Date.now } } as unknown as TestApp
}

async function signIn(app: TestApp): Promise<Visitor> {
  const visitor = app.visitor()
  const { status } = await visitor.call('POST /login', { body: { username: 'operator', password: goodPassword } })
  expect(status).toBe(200)
  return visitor
}

interface Journal {
  sold: string[]
  redeemed: string[]
}

/** Sells, deletes for a refund, and redeems, until it is told to stop. */
async function work(program: Program, reseller: SellingReseller, journal: Journal, isOver: () => boolean) {
  while (!isOver()) {
    const { status, body } = await reseller.sell({ amount: 3 })
    // A fast server reaches the limit of a reseller; a slow one never does.
    if (status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    if (status !== 200) throw new Error(`Could not sell: ${body.message}`)
    const [first = '', second = '', third = ''] = (body as unknown as { licenses: string[] }).licenses
    const { visitor, appName } = reseller
    await visitor.call('DELETE /reseller/licenses/{id}', { params: { id: third }, query: { appName } })
    const answer = await program.license(second)
    if (answer.body.success) journal.redeemed.push(second)
    journal.sold.push(first)
  }
}

/** Eight processes are started, one after the other. */
const maxDrillMs = 400_000

test(
  'a backup taken under load restores to an intact ledger and audit, and programs can sign in (R-BAK-01, R-LED-01)',
  async () => {
    const environment = await environmentOf(dataDir)
    const app = await start(environment)
    const visitor = await signIn(app)
    const { body: created } = await visitor.call('POST /create_app', { body: { appName: 'Drilled', version: '1.0.0' } })
    await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
    const { body: me } = await visitor.call('GET /check-auth')
    const owner = {
      visitor,
      appId: created.appId,
      appName: 'Drilled',
      id: me.user?.id,
      username: 'operator',
    } as OwnedApp
    const [unused = ''] = await newLicenses(owner, 1)
    const file = { body: { name: 'manual' }, file: new Blob(['bytes of a file']) }
    await visitor.call('POST /downloads/upload', file)

    const journal: Journal = { sold: [], redeemed: [] }
    let isOver = false
    const workers = await Promise.all(
      [1, 2].map(async () => {
        const reseller = await newSellingReseller(app, { credits: 1_000_000 }, owner)
        const program = await Program.of(app, owner)
        await program.init()
        return { reseller, program }
      }),
    )
    const working = workers.map(({ reseller, program }) => work(program, reseller, journal, () => isOver))
    while (journal.sold.length < 30) await Promise.race([new Promise((resolve) => setTimeout(resolve, 5)), ...working])
    const before = structuredClone(journal)
    const made = await runTool('backup', ['--to', backups, '--keep', '3'], { environment })
    expect(made.output).toContain('read back and verified')
    const during = journal.sold.length - before.sold.length
    isOver = true
    await Promise.all(working)
    // Nothing stood still for it.
    expect(during).toBeGreaterThan(0)

    const other = await environmentOf(otherDir)
    const [name = ''] = readdirSync(backups)
    const backup = join(backups, name)
    const withoutKey = await runTool('restore', [backup], { environment: other })
    expect([withoutKey.code, withoutKey.output]).toEqual([1, expect.stringContaining('master.key is missing')])
    copyFileSync(join(dataDir, 'master.key'), join(otherDir, 'master.key'))
    const restored = await runTool('restore', [backup], { environment: other })
    expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/Restored the backup of .*, 1 files/)])

    const location = { dataDir: otherDir, databaseUrl: other['DATABASE_URL'], sources: [] }
    const db = await openDatabase(location)
    expect(await verifyLedger(db)).toEqual([])
    const audit = await verifyAudit(db, MasterKey.read(join(otherDir, 'master.key')))
    expect(audit.problem).toBe(undefined)
    expect(audit.sealed + audit.unsealed).toBeGreaterThan(60)
    const rows = await db.read.selectFrom('licenses').select(['license', 'used']).execute()
    const used = new Map(rows.map((row) => [row.license, row.used]))
    expect(before.sold.filter((license) => !used.has(license))).toEqual([])
    expect(before.redeemed.filter((license) => used.get(license) !== 1)).toEqual([])
    expect(used.size).toBeGreaterThan(60)
    await db.close()
    const source = await openDatabase({ ...location, dataDir, databaseUrl: environment['DATABASE_URL'], shared: true })
    // The name has the moment of the data, after which nothing is in it.
    const [, day, hour, minute, second] = /^signet-([\d-]+)T(\d\d)-(\d\d)-(\d\d)Z/.exec(name) ?? []
    const takenAt = Date.parse(`${day}T${hour}:${minute}:${second}Z`) / 1000
    expect(await findLastBackup(source.read, takenAt)).toEqual({ bytes: statSync(backup).size, takenAt })
    await source.close()

    const again = await start(other)
    const back = await signIn(again)
    await back.call('POST /select_app', { body: { appId: created.appId } })
    const { body: list } = await back.call('GET /licenses', { query: { search: unused } })
    expect(list.licenses.map(({ license }) => license)).toEqual([unused])
    // It was shipped with the keys of before, and checks every signature by them.
    const shipped = await Program.of(app, owner)
    const program = new Program(again, owner, await rootKeyOf(owner))
    expect(shipped.header).toBe(program.header)
    expect((await program.init()).body.success).toBe(true)
    expect((await program.license(unused)).body).toMatchObject({ success: true })
    const reseller = workers[0]?.reseller as SellingReseller
    const resellerAgain = again.visitor()
    const signedIn = await resellerAgain.call('POST /reseller/login', {
      body: { username: reseller.username, password: goodPassword },
    })
    expect(signedIn.status).toBe(200)
  },
  maxDrillMs,
)

async function rootKeyOf({ visitor, appId }: OwnedApp): Promise<string> {
  const { body } = await visitor.call('GET /apps')
  return body.apps.find((app) => app.appId === appId)?.settings.serverObfuscationKey ?? ''
}
