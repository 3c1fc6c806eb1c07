import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { readConfig } from '#server/config/config.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { AuditSealer } from './audit-chain.ts'

/** `npm run audit:verify`, as a process next to an open database (R-LOG-02). */

const dataDir = mkdtempSync(join(tmpdir(), 'signet-audit-'))
let databaseUrl: string | undefined
let db: Database

beforeAll(async () => {
  databaseUrl = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  db = await openDatabase({ databaseUrl, dataDir, sources: [] })
  MasterKey.create(join(dataDir, 'master.key'))
  const masterKey = MasterKey.read(join(dataDir, 'master.key'))
  for (const target of ['one', 'two', 'three']) {
    const context = { actor: { type: 'anyone' as const }, now: 1, caller: { ip: '192.0.2.7', requestId: target } }
    await db.write((tx) => recordAudit(tx, context, { act: 'user.create', target }))
  }
  const services = {
    db,
    masterKey,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    config: { ...readConfig({}), dataDir, masterKeyFile: join(dataDir, 'master.key') },
  }
  await new AuditSealer(services).seal()
})
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const verify = (...heads: string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      PUBLIC_URL: 'http://localhost:1',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }
    execFile(process.execPath, [resolve('tools/verify-audit.ts'), ...heads], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })

test('prints the head of a whole chain and accepts it as input; prints the first broken place and fails', async () => {
  const whole = await verify()
  expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('The audit chain is whole: 3 rows') })
  const [, head = ''] = /: (3:\S{43})/.exec(whole.output) ?? []
  expect((await verify(head)).code).toBe(0)
  expect(await verify(`2:${head.slice(2)}`)).toMatchObject({ code: 1, output: expect.stringContaining('rebuilt') })
  expect((await verify('nonsense')).code).toBe(1)

  // The head recorded next to the key is the row sealed last.
  const recorded = readFileSync(join(dataDir, 'master.key.audit-heads'), 'utf8')
  expect(JSON.parse(recorded)).toMatchObject({ [(await readInstallation(db)).id]: { seq: 3, hash: head.slice(2) } })
  writeFileSync(join(dataDir, 'master.key.audit-heads'), recorded.replace('"seq": 3', '"seq": 2'))
  expect(await verify()).toMatchObject({ code: 1, output: expect.stringContaining('was not written by this server') })
  expect((await verify('--accept')).code).toBe(0)
  expect((await verify()).code).toBe(0)

  await db.write(async (tx) => {
    const drop =
      testEngine === 'postgres' ? 'alter table audit disable trigger user' : 'drop trigger audit_is_never_changed'
    await sql.raw(drop).execute(tx.db)
    await sql`update audit set target = 'another' where seq = 2`.execute(tx.db)
  })
  const broken = await verify()
  expect(broken).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Place 2 .* \(audit row \d+\) differs from what was sealed/),
  })
})
