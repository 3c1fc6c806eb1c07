import { randomBytes } from 'node:crypto'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readInstallation } from '#server/secrets/installation.ts'
import { newLog } from '#server/log/log.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { listChecks } from '#server/status/platform-checks.ts'
import { afterFirstStatement } from '#testing/faults/between-statements.ts'
import { newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { S3Server } from '#testing/servers/s3-server.ts'
import { runTool } from '#testing/run-tool.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { filesFolder, openFileStore } from './download-files.ts'
import { findOrphans } from './file-cleanup.ts'

const hour = 3601
const day = 86_400

async function upload(owner: OwnedApp, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const body = { name: randomText(10) }
  const answer = await owner.visitor.call('POST /downloads/upload', { body, file: new Blob([bytes]) })
  return answer.body.download.downloadId
}

async function bytesOf(app: TestApp, id: string): Promise<Buffer> {
  const response = await fetch(`${app.url}/api/1.0/download/${id}`)
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : Buffer.from(`${response.status}`)
}

/** Deletes the row, as in the database of an older backup; returns a function that restores it. */
async function withoutRow(app: TestApp, id: string): Promise<() => Promise<void>> {
  const row = await app.db.read.selectFrom('downloads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await app.db.write(async ({ db }) => {
    await db.deleteFrom('downloads').where('id', '=', id).execute()
    await db.deleteFrom('deleted_files').where('id', '=', id).execute()
  })
  return () => app.db.write(async ({ db }) => void (await db.insertInto('downloads').values(row).execute()))
}

const pass = async (app: TestApp, seconds: number) => {
  app.advance(seconds)
  await app.jobsDone()
}

test('a file of the system among those that were set aside does not stop the cleanup', async () => {
  const app = await startTestApp()
  try {
    const { id: databaseId } = await readInstallation(app.db)
    const file = await upload(await newOwnerWithApp(app), randomBytes(10))
    await withoutRow(app, file)
    await pass(app, hour)
    await pass(app, day)
    const removed = join(filesFolder(app.services.config.dataDir, databaseId), 'removed')
    const [today = ''] = readdirSync(removed)
    writeFileSync(join(removed, '.DS_Store'), '')
    await pass(app, 32 * day)
    expect([today, readdirSync(removed)]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ['.DS_Store']])
  } finally {
    await app.close()
  }
})

describe.each(fileStorageKinds)('files %s', (kind) => {
  test('stay while another database is used with them, and are available again with the right one', async () => {
    const place = await newFileStorage(kind)
    const right = await startTestApp({ config: place.config })
    try {
      const owner = await newOwnerWithApp(right)
      const bytes = [randomBytes(1000), randomBytes(2000)] as const
      const before = await upload(owner, bytes[0])
      // The layout of earlier versions, without the ID of the database.
      place.flatten()
      const since = await upload(owner, bytes[1])
      await right.stop()
      const { id: rightId } = await readInstallation(right.db)
      const wrong = await startTestApp({ config: place.config })
      try {
        const own = await upload(await newOwnerWithApp(wrong), randomBytes(10))
        for (const seconds of [hour, 2 * day, 40 * day]) await pass(wrong, seconds)
        const { id: wrongId } = await readInstallation(wrong.db)
        expect(place.paths()).toEqual([before, `${rightId}/${since}`, `${wrongId}/${own}`].toSorted())
      } finally {
        await wrong.close()
      }
      await right.start()
      expect((await bytesOf(right, before)).equals(bytes[0])).toBe(true)
      expect((await bytesOf(right, since)).equals(bytes[1])).toBe(true)
      await pass(right, 2 * day)
      expect(place.stored()).toEqual(expect.arrayContaining([before, since]))
      expect(place.paths()).toEqual(expect.arrayContaining([`${rightId}/${before}`, `${rightId}/${since}`]))
      expect((await bytesOf(right, before)).equals(bytes[0])).toBe(true)
    } finally {
      await right.close()
      await place.close()
    }
  })

  test('without a row are set aside after a day, restored with their row, and deleted after 30 days', async () => {
    const place = await newFileStorage(kind)
    const app = await startTestApp({ config: place.config })
    try {
      const owner = await newOwnerWithApp(app)
      const { id: databaseId } = await readInstallation(app.db)
      const bytes = randomBytes(1000)
      const [back, gone] = [await upload(owner, bytes), await upload(owner, bytes)]
      const half = randomText(22)
      place.plantHalf(half, databaseId)
      const bringBack = await withoutRow(app, back)
      await withoutRow(app, gone)
      await pass(app, hour)
      expect(place.stored()).toEqual([back, gone, `${half}.part`].toSorted())
      await pass(app, day)
      const aside = `${databaseId}/removed/${new Date(app.now() * 1000).toISOString().slice(0, 10)}`
      expect(place.paths()).toEqual([`${aside}/${back}`, `${aside}/${gone}`].toSorted())
      await bringBack()
      await pass(app, hour)
      expect((await bytesOf(app, back)).equals(bytes)).toBe(true)
      await pass(app, 28 * day)
      expect(place.paths()).toEqual([`${databaseId}/${back}`, `${aside}/${gone}`].toSorted())
      await pass(app, 4 * day)
      expect(place.paths()).toEqual([`${databaseId}/${back}`])
    } finally {
      await app.close()
      await place.close()
    }
  })
})

test.each(['deleted', 'restored'])(
  'a file that is %s while the cleanup looks for it is not set aside',
  async (change) => {
    const app = await startTestApp()
    try {
      const owner = await newOwnerWithApp(app)
      const id = await upload(owner, randomBytes(10))
      const remove = () => owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: id }, body: {} })
      const restore = async () => {
        const { items } = (await owner.visitor.call('GET /bin', { query: {} })).body
        await owner.visitor.call('POST /bin/restore', { body: { ids: items.map((item) => item.id) } })
      }
      if (change === 'restored') await remove()
      const { id: databaseId } = await readInstallation(app.db)
      const { services, db } = app
      const orphans = await findOrphans({
        db: { read: afterFirstStatement(db.read, change === 'restored' ? restore : remove), write: db.write },
        store: openFileStore(services.config, databaseId),
        log: services.log,
        now: Date.now() / 1000 + 2 * day,
      })
      expect(orphans).toEqual({ files: 1, ids: [], unfinished: [] })
    } finally {
      await app.close()
    }
  },
)

test('a file that can not be deleted does not keep the others from the cleanup', async () => {
  const server = await S3Server.start()
  const lines: string[] = []
  const log = newLog('error', { write: (line) => void lines.push(line) })
  const app = await startTestApp({ config: { s3: server.settings }, log })
  const kept = (number: number) => `${number}`.padStart(22, '0')
  const other = (number: number) => `${number}`.padStart(22, 'z')
  try {
    const { id: databaseId } = await readInstallation(app.db)
    const folder = `${server.settings.prefix}${databaseId}/`
    for (const idOf of [kept, other]) {
      server.plant(`${folder}${idOf(1)}`, 'deleted for good')
      await app.db.write(({ db }) =>
        db
          .insertInto('deleted_files')
          .values({ id: idOf(1) })
          .execute(),
      )
      server.plant(`${folder}removed/2020-01-01/${idOf(2)}`, 'set aside')
      server.plantUpload(`${folder}${idOf(3)}`)
    }
    server.plant(`${folder}${other(4)}`, 'without a row')
    server.fault = (operation, response) => {
      const isDeletion = operation === 'DeleteObject' || operation === 'AbortMultipartUpload'
      if (!isDeletion || !response.req.url?.includes(kept(0).slice(1))) return false
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return true
    }
    await pass(app, day + hour)
    const today = new Date(app.now() * 1000).toISOString().slice(0, 10)
    const aside = `${folder}removed/${today}/${other(4)}`
    const left = [`${folder}${kept(1)}`, `${folder}removed/2020-01-01/${kept(2)}`]
    expect(server.keys()).toEqual([...left, aside].toSorted())
    expect(server.uploads().map(({ key }) => key)).toEqual([`${folder}${kept(3)}`])
    expect(await app.db.read.selectFrom('deleted_files').selectAll().execute()).toEqual([{ id: kept(1) }])
    expect(lines.filter((line) => line.includes('could not be deleted'))).toEqual([
      expect.stringContaining(`3 files could not be deleted, the first of them ${kept(1)}`),
    ])
    server.fault = undefined
    await pass(app, hour)
    expect([server.keys(), server.uploads()]).toEqual([[aside], []])
    expect(lines.filter((line) => line.includes('could not be deleted'))).toHaveLength(1)
  } finally {
    await app.close()
    await server.close()
  }
})

test('more than 20 files that are over a tenth of all are set aside only if an operator confirms it', async () => {
  const lines: string[] = []
  const url = testEngine === 'postgres' ? await freshPostgresUrl() : undefined
  const log = newLog('error', { write: (line) => void lines.push(line) })
  const app = await startTestApp({ log, ...(url && { postgres: { url } }) })
  try {
    const { config } = app.services
    const owner = await newOwnerWithApp(app)
    const known = await upload(owner, randomBytes(10))
    const { id: databaseId } = await readInstallation(app.db)
    const store = openFileStore(config, databaseId)
    const plant = async () => {
      const id = randomText(22)
      await store.receive(id, Readable.from([Buffer.from('x')]), 1)
      // For the command, which uses the clock of the machine.
      const daysAgo = Date.now() / 1000 - 2 * day
      utimesSync(join(filesFolder(config.dataDir, databaseId), id), daysAgo, daysAgo)
    }
    const count = async (where: 'current' | 'removed') => (await Array.fromAsync(store.list(where))).length
    const problems = async () => (await listChecks(app.db.read)).find(({ name }) => name === 'files')?.problems
    for (let n = 0; n < 21; n++) await plant()
    await pass(app, day)
    await pass(app, hour)
    expect([await count('current'), await count('removed'), await problems()]).toEqual([22, 0, 21])
    expect(lines.filter((line) => line.includes('many files have no row'))).toHaveLength(1)
    const environment = { DATA_DIR: config.dataDir, DATABASE_URL: url, S3_PREFIX: undefined }
    const preview = await runTool('clean-files', [], { environment })
    expect([preview.code, preview.output]).toEqual([0, expect.stringMatching(/^22 files .* without a row .*: 21\./)])
    expect(await count('removed')).toBe(0)
    const confirmed = await runTool('clean-files', ['--set-aside'], { environment })
    expect([confirmed.code, confirmed.output]).toEqual([0, expect.stringContaining('Set aside: 21.')])
    expect([await count('current'), await count('removed')]).toEqual([1, 21])
    await pass(app, hour)
    expect(await problems()).toBe(0)
    expect((await bytesOf(app, known)).length).toBe(10)
  } finally {
    await app.close()
  }
})
