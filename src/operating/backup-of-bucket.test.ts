import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TargetNotEmpty } from '#database/copy/postgres-copy.ts'
import { StoreUnavailable } from '#features/downloads/file-store.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { answerProblem, S3Server } from '#testing/servers/s3-server.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { type DataLocation, makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import type { SealKey } from './sealed-file.ts'

/** Backups of a server whose files are in a bucket hold the files too. */

let app: TestApp
let bucket: S3Server
let location: DataLocation
let downloadId: string
const bytes = randomBytes(6 * 1024 * 1024)
const masterKey = new MasterKey(randomBytes(32))
const key: SealKey = { kind: 'key', key: masterKey.derive('backups') }
const now = 1_790_000_000
const scratch = mkdtempSync(join(tmpdir(), 'signet-bucket-'))
let made = 0
const newFolder = () => join(scratch, String(++made))

const newLocation = async (s3?: DataLocation['s3']): Promise<DataLocation> => ({
  dataDir: newFolder(),
  databaseUrl: testEngine === 'postgres' ? await freshPostgresUrl() : undefined,
  s3,
})
const back = (folder = newFolder()) =>
  makeBackup({ location, masterKey, masterKeyFile: join(location.dataDir, 'master.key'), key, folder, now })
const restore = (file: string, to: DataLocation, replaces = false) =>
  restoreBackup({ file, location: to, masterKey, masterKeyFile: join(to.dataDir, 'master.key'), key, replaces, now })
let databaseId = ''
const keyOf = (id: string) => `signet/${databaseId}/${id}`

beforeAll(async () => {
  bucket = await S3Server.start()
  const url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  const s3 = bucket.settings
  app = await startTestApp({ masterKey, config: { s3 }, ...(url && { postgres: { url } }) })
  location = { dataDir: app.services.config.dataDir, databaseUrl: url, s3 }
  const { visitor } = await newOwnerWithApp(app)
  const { body } = await visitor.call('POST /downloads/upload', { body: {}, file: new File([bytes], 'setup.exe') })
  downloadId = body.download.downloadId
  databaseId = (await readInstallation(app.db)).id
})
afterAll(async () => {
  await app.close()
  await bucket.close()
  rmSync(scratch, { recursive: true, force: true })
})

test('its files can be restored to another bucket, or to the disk of a server without one (R-BAK-01)', async () => {
  const { file, files, warnings } = await back()
  expect({ files, warnings }).toEqual({ files: 1, warnings: [] })
  const other = await S3Server.start()
  try {
    expect((await restore(file, await newLocation(other.settings))).files).toBe(1)
    expect(other.keys()).toEqual([keyOf(downloadId)])
    expect(other.bytesOf(keyOf(downloadId)).equals(bytes)).toBe(true)
    expect(other.uploads()).toEqual([])
  } finally {
    await other.close()
  }
  const onDisk = await newLocation()
  await restore(file, onDisk)
  expect(readFileSync(join(onDisk.dataDir, 'files', databaseId, downloadId)).equals(bytes)).toBe(true)
})

test('restoring rejects a bucket with files of a possibly running server, unless told to replace them', async () => {
  const { file } = await back()
  const to = await newLocation(bucket.settings)
  await expect(restore(file, to)).rejects.toThrow(TargetNotEmpty)
  const left = readdirSync(to.dataDir).filter((name) => !name.startsWith('signet.db.') && name !== 'restore.lock')
  expect(left).toEqual([])
  expect((await restore(file, to, true)).files).toBe(1)
  expect(bucket.bytesOf(keyOf(downloadId)).equals(bytes)).toBe(true)
})

test.each([
  ['UploadPart', 403],
  ['CompleteMultipartUpload', 507],
] as const)('a restore that fails at %s by %i leaves the files of the database that stays', async (failing, status) => {
  const { file } = await back()
  const to = await newLocation(bucket.settings)
  bucket.operations.length = 0
  bucket.fault = (operation, response) => {
    if (operation === failing) answerProblem(response, { status, code: 'Refused' })
    return operation === failing
  }
  try {
    await expect(restore(file, to, true)).rejects.toThrow('Refused')
    await expect.poll(() => bucket.uploads()).toEqual([])
  } finally {
    bucket.fault = undefined
  }
  // By its end, anything that the failed one had left to do is done.
  await restore(file, to, true)
  expect(bucket.operations).not.toContain('DeleteObject')
  expect(bucket.bytesOf(keyOf(downloadId)).equals(bytes)).toBe(true)
})

test('names a file that was changed or is missing in the bucket', async () => {
  bucket.plant(keyOf(downloadId), 'changed')
  expect((await back()).warnings).toEqual([`The file ${downloadId} was changed in the bucket.`])
  bucket.removeObject(keyOf(downloadId))
  expect((await back()).warnings).toEqual([`The file ${downloadId} is missing in the bucket.`])
})

test('without its bucket there is no backup, not even a partial one', async () => {
  const folder = newFolder()
  await bucket.stop()
  try {
    await expect(back(folder)).rejects.toThrow(StoreUnavailable)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    await bucket.startAgain()
  }
})
