import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import { AuditSealer } from '#features/audit/audit-chain.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { readConfig } from '#server/config/config.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { features } from '../features.ts'

/** Which key file a database takes: its own, and a new one only where nothing was ever sealed. */

const scratch = mkdtempSync(join(tmpdir(), 'signet-keys-'))
let made = 0
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const newFolder = (): string => {
  const folder = join(scratch, String(++made))
  mkdirSync(folder)
  return folder
}
const newKeyFile = (key?: Buffer): string => {
  const file = join(newFolder(), 'master.key')
  if (key) writeFileSync(file, key.toString('base64url'))
  return file
}

interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

const open = (place: Place): Promise<Database> =>
  openDatabase({ ...place, sources: [], shared: existsSync(join(place.dataDir, 'signet.db')) })
const newPlace = async (): Promise<Place> => ({
  dataDir: newFolder(),
  databaseUrl: testEngine === 'postgres' ? await freshPostgresUrl() : undefined,
})
const keyOf = (db: Database, file: string) => openMasterKey({ db, file, features })
const checkOf = async (db: Database) => (await readInstallation(db)).masterKeyCheck

describe('a database that was never sealed', () => {
  test('gets a new key once, and then accepts neither another key nor none (R-SEC-01)', async () => {
    const db = await open(await newPlace())
    const file = newKeyFile()
    const masterKey = await keyOf(db, file)
    expect(await checkOf(db)).toBe(masterKey.checkValue)
    expect((await keyOf(db, file)).checkValue).toBe(masterKey.checkValue)
    const wrong = newKeyFile(randomBytes(32))
    await expect(keyOf(db, wrong)).rejects.toThrow(`${wrong} is not the key of this database`)
    const missing = newKeyFile()
    await expect(keyOf(db, missing)).rejects.toThrow(`${missing} is missing`)
    expect(existsSync(missing)).toBe(false)
    expect(await checkOf(db)).toBe(masterKey.checkValue)
    await db.close()
  })

  test('uses an existing key', async () => {
    const db = await open(await newPlace())
    const key = randomBytes(32)
    expect((await keyOf(db, newKeyFile(key))).checkValue).toBe(new MasterKey(key).checkValue)
    await db.close()
  })

  test('two servers that start together in one folder share one key', async () => {
    const place = await newPlace()
    const servers = [await open(place), await open(place)]
    const file = newKeyFile()
    const keys = await Promise.all(servers.map((db) => keyOf(db, file)))
    const written = MasterKey.read(file).checkValue
    expect([...keys.map(({ checkValue }) => checkValue), await checkOf(servers[0] as Database)]).toEqual([
      written,
      written,
      written,
    ])
    expect(readdirSync(join(file, '..'))).toEqual(['master.key'])
    for (const db of servers) await db.close()
  })

  test('of two servers with their own folders, one starts and the other leaves no key behind', async () => {
    const place = await newPlace()
    const servers = [await open(place), await open(place)]
    const files = [newKeyFile(), newKeyFile()]
    const outcomes = await Promise.allSettled(servers.map((db, n) => keyOf(db, files[n] as string)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [winner = ''] = files.filter((file) => existsSync(file))
    expect(files.filter((file) => existsSync(file))).toHaveLength(1)
    expect(await checkOf(servers[0] as Database)).toBe(MasterKey.read(winner).checkValue)
    for (const db of servers) await db.close()
  })
})

describe('a database from before check values', () => {
  const key = randomBytes(32)
  let app: TestApp
  let db: Database

  beforeAll(async () => {
    const url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
    app = await startTestApp({ masterKey: new MasterKey(key), ...(url && { postgres: { url } }) })
    await newOwnerWithApp(app)
    db = await open({ dataDir: app.services.config.dataDir, databaseUrl: url })
  })
  afterAll(async () => {
    await db.close()
    await app.close()
  })

  test('accepts no new or different key; its own key opens the sealed values, and is recorded', async () => {
    const missing = newKeyFile()
    await expect(keyOf(db, missing)).rejects.toThrow(`${missing} is missing`)
    expect(existsSync(missing)).toBe(false)
    const wrong = newKeyFile(randomBytes(32))
    const before = readFileSync(wrong)
    await expect(keyOf(db, wrong)).rejects.toThrow(`${wrong} is not the key of this database`)
    expect(readFileSync(wrong)).toEqual(before)
    expect(await checkOf(db)).toBe(null)
    await keyOf(db, newKeyFile(key))
    expect(await checkOf(db)).toBe(new MasterKey(key).checkValue)
  })

  test('without an app, checks the key against the signed end of its audit', async () => {
    const used = await open(await newPlace())
    const masterKey = new MasterKey(key)
    const context = { actor: { type: 'anyone' as const }, now: 1, caller: { ip: '192.0.2.7', requestId: 'r' } }
    await used.write((tx) => recordAudit(tx, context, { act: 'user.create', target: 'one' }))
    const config = { ...readConfig({}), dataDir: scratch, masterKeyFile: join(scratch, 'sealed.key') }
    await new AuditSealer({ db: used, masterKey, log: pino({ level: 'silent' }), clock: Date.now, config }).seal()
    await expect(keyOf(used, newKeyFile())).rejects.toThrow('is missing')
    await expect(keyOf(used, newKeyFile(randomBytes(32)))).rejects.toThrow('is not the key of this database')
    expect((await keyOf(used, newKeyFile(key))).checkValue).toBe(masterKey.checkValue)
    await used.close()
  })
})
