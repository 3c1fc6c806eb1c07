import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { type FileStorage, fileStorageKinds, newFileStorage } from '#testing/file-storages.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { newSeller, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const mb = 1_000_000
const hour = 3601
const day = 86_400

let place: FileStorage
let app: TestApp
let owner: OwnedApp

const bytes = randomBytes(5000)
async function upload(name: string, content = bytes, more: object = {}, who = owner): Promise<string> {
  const file = new File([content], 'setup.exe')
  const { body } = await who.visitor.call('POST /downloads/upload', { body: { name, ...more }, file })
  return body.download.downloadId
}
const remove = async (name: string) =>
  (await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name }, body: {} })).body.undoId
const list = async () => (await owner.visitor.call('GET /downloads')).body
const bin = async () => (await owner.visitor.call('GET /bin', { query: { kind: 'file' } })).body.items
const restore = (body: { ids?: number[]; undoId?: string }) => owner.visitor.call('POST /bin/restore', { body })
const fetched = async (id: string) => {
  const response = await fetch(`${app.url}/api/1.0/download/${id}`)
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : response.status
}
/** In steps, with calls that keep the owner signed in. */
const pass = async (seconds: number) => {
  for (let left = seconds; left > 0; left -= 6 * day) {
    app.advance(Math.min(left, 6 * day))
    await app.jobsDone()
    await keepSignedIn(app, owner)
    await list()
  }
}

describe.each(fileStorageKinds)('a deleted file %s', (kind) => {
  beforeAll(async () => {
    place = await newFileStorage(kind)
    app = await startTestApp({ config: place.config })
  })
  afterAll(async () => {
    await app.close()
    await place.close()
  })
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
    await keepSignedIn(app, owner)
  })

  test('is nowhere but in the bin, and comes back from there with its link, bytes and settings', async () => {
    const id = await upload('Tool', bytes, { description: 'For all' })
    await upload('other')
    const before = await list()
    const undoId = (await remove('Tool')) as string
    const { downloads, quota, stats } = await list()
    expect(downloads.map(({ name }) => name)).toEqual(['other'])
    expect([quota.usedBytes, stats.total_files]).toEqual([bytes.length, 1])
    expect(await fetched(id)).toBe(404)
    expect((await app.visitor().send('GET', `/api/1.0/download/${id}/info`)).status).toBe(404)
    expect(await bin()).toMatchObject([{ kind: 'file', name: 'Tool', size: bytes.length, status: null }])
    // The cleanup runs, and later the one that sets aside files without a row.
    for (const seconds of [hour, 3 * day, 25 * day]) await pass(seconds)
    expect(place.stored()).toContain(id)
    expect((await restore({ undoId })).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await list()).toEqual(before)
    expect(await fetched(id)).toEqual(bytes)
    expect(await bin()).toEqual([])
    await pass(2 * day)
    expect(await fetched(id)).toEqual(bytes)
  })

  test('has its bytes removed at once when the plan has no room for it beside newer ones', async () => {
    await setPlan(app, owner.id, 'Free')
    const ids: string[] = []
    for (const name of ['first', 'second', 'third']) {
      ids.push(await upload(name, randomBytes(0.9 * mb)))
      await remove(name)
    }
    await expect.poll(() => place.stored()).not.toContain(ids[0])
    expect(place.stored()).toEqual(expect.arrayContaining(ids.slice(1)))
  })

  test('has its bytes in the store for 30 days, or until it or its app is deleted for good', async () => {
    const gone = await newOwnerWithApp(app)
    const ofApp = await upload('of app', bytes, {}, gone)
    await gone.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'of app' }, body: {} })
    await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
    const [one, all, expired] = [await upload('one'), await upload('all'), await upload('expired')]
    await remove('one')
    await owner.visitor.call('POST /bin/delete', { body: { ids: (await bin()).map(({ id }) => id) } })
    await expect.poll(() => place.stored()).not.toContain(one)
    expect(place.stored()).toEqual(expect.arrayContaining([all, expired]))
    await remove('all')
    await owner.visitor.call('POST /bin/delete', { body: { all: true } })
    await expect.poll(() => place.stored()).not.toContain(all)
    await remove('expired')
    await pass(29 * day)
    expect(place.stored()).toContain(expired)
    expect(place.stored()).not.toContain(ofApp)
    app.advance(day)
    for (let hours = 0; hours < 3; hours++) {
      app.advance(hour)
      await app.jobsDone()
    }
    expect(place.stored()).not.toContain(expired)
  })
})

describe('in the bin', () => {
  /** Everything that the owner has, and what it takes. */
  async function kept() {
    const { db } = app
    const rows = await db.read.selectFrom('downloads').select(['id', 'size']).where('owner_id', '=', owner.id).execute()
    const items = await db.read
      .selectFrom('bin_items')
      .select(['row_key as id', 'bytes'])
      .where('app_id', '=', owner.appId)
      .execute()
    const ids = [...rows, ...items].map(({ id }) => id)
    const gone = await db.read.selectFrom('deleted_files').select('id').where('id', 'in', ids).execute()
    return {
      ids,
      gone,
      used: rows.reduce((sum, { size }) => sum + Number(size), 0),
      inBin: items.reduce((sum, { bytes: size }) => sum + Number(size), 0),
    }
  }

  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
  })

  test('a file stays, and nothing changes, when its name or its storage is taken', async () => {
    await setPlan(app, owner.id, 'Free')
    await upload('Tool', randomBytes(mb))
    await remove('Tool')
    await upload('Tool')
    const [item] = await bin()
    const taken = await databaseDigest(app.db, [])
    const rejected = await restore({ ids: [item?.id as number] })
    expect([rejected.status, rejected.body.code]).toEqual([409, 'DOWNLOAD_NAME_TAKEN'])
    expect(await databaseDigest(app.db, [])).toBe(taken)
    await owner.visitor.call('PUT /downloads/file/{name}', { params: { name: 'Tool' }, body: { name: 'newer' } })
    await upload('large', randomBytes(1.5 * mb))
    const full = await databaseDigest(app.db, [])
    const { status, body } = await restore({ ids: [item?.id as number] })
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({ code: 'STORAGE_LIMIT_REACHED', values: { limitMb: 2 } }),
    ])
    expect(await databaseDigest(app.db, [])).toBe(full)
    await remove('newer')
    const ids = (await bin()).map(({ id }) => id)
    expect((await restore({ ids })).body).toMatchObject({
      restored: 1,
      failed: 1,
      failures: [{ kind: 'file', name: 'Tool', code: 'STORAGE_LIMIT_REACHED' }],
    })
    await setPlan(app, owner.id, 'Developer')
    expect((await restore({ ids: [item?.id as number] })).body).toMatchObject({ restored: 1 })
  })

  test('a file stays when the app has 1,000 files', async () => {
    await upload('one')
    await remove('one')
    const { body } = await owner.visitor.call('GET /downloads')
    expect(body.downloads).toEqual([])
    const row = { app_id: owner.appId, owner_id: owner.id, description: '', file_name: '', size: 0, sha256: '' }
    const rest = { authenticated: 0, active: 1, ready: 1, created_at: 1, download_count: 0, authenticated_count: 0 }
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      ...row,
      ...rest,
      id: `${owner.appId}${n}`.padEnd(22, 'x'),
      name: String(n),
    }))
    await app.db.write(({ db }) => db.insertInto('downloads').values(rows).execute())
    const [item] = await bin()
    expect((await restore({ ids: [item?.id as number] })).body).toMatchObject({
      code: 'DOWNLOAD_LIMIT_REACHED',
      values: { limit: 1000 },
    })
  })

  test('files take at most the storage of the plan, in all apps of the owner; the newest can always be restored', async () => {
    await setPlan(app, owner.id, 'Free')
    for (const name of ['first', 'second']) {
      await upload(name, randomBytes(0.9 * mb))
      await remove(name)
    }
    expect((await bin()).map(({ name }) => name)).toEqual(['second', 'first'])
    expect((await list()).quota).toMatchObject({ storageBytes: 2 * mb, usedBytes: 0, deletedBytes: 1.8 * mb })
    await upload('third', randomBytes(0.9 * mb))
    const undoId = (await remove('third')) as string
    expect((await bin()).map(({ name }) => name)).toEqual(['third', 'second'])
    const { entries } = (await owner.visitor.call('GET /audit', { query: {} })).body
    expect(entries.find(({ act }) => act === 'bin.delete')).toMatchObject({
      target: '1 item',
      actor: { type: 'system' },
    })
    await upload('whole plan', randomBytes(2 * mb))
    const whole = (await remove('whole plan')) as string
    expect((await bin()).map(({ name }) => name)).toEqual(['whole plan'])
    expect((await restore({ undoId })).body.code).toBe('UNDO_NOT_FOUND')
    expect((await restore({ undoId: whole })).body).toMatchObject({ restored: 1 })
  })

  test('simultaneous deletions, restorations and uploads lose and double no file, and keep to the plan', async () => {
    await setPlan(app, owner.id, 'Free')
    let made = 0
    let deletions: string[] = []
    for (let round = 0; round < 5; round++) {
      const ids = (await bin()).map(({ id }) => id)
      const files = (await list()).downloads.map(({ downloadId }) => downloadId)
      const calls = [
        ...Array.from({ length: 4 }, () => async () => {
          const file = new File([randomBytes(0.45 * mb)], 'setup.exe')
          return owner.visitor.call('POST /downloads/upload', { body: { name: `file ${(made += 1)}` }, file })
        }),
        ...[...files, ...files].map(
          (name) => () => owner.visitor.call('DELETE /downloads/file/{name}', { params: { name }, body: {} }),
        ),
        ...(ids.length > 0 ? [() => restore({ ids: [...ids, ...ids] }), () => restore({ ids })] : []),
        ...[...deletions, ...deletions].map((undoId) => () => restore({ undoId })),
        ...ids.slice(-1).map((id) => () => owner.visitor.call('POST /bin/delete', { body: { ids: [id, id] } })),
      ]
      const answers = await Promise.all(calls.map((call) => call()))
      expect(answers.map(({ status }) => status).filter((status) => ![200, 403, 404].includes(status))).toEqual([])
      deletions = answers.flatMap(({ body }) =>
        'undoId' in body && typeof body.undoId === 'string' ? body.undoId : [],
      )
      const { ids: all, gone, used, inBin } = await kept()
      expect(new Set(all).size).toBe(all.length)
      expect(gone).toEqual([])
      expect(Math.max(used, inBin)).toBeLessThanOrEqual(2 * mb)
    }
    await setPlan(app, owner.id, 'Developer')
    for (const { id } of await bin()) await restore({ ids: [id] })
    const { downloads } = await list()
    expect(downloads.length).toBeGreaterThan(0)
    expect(downloads.map(({ downloadId }) => downloadId).toSorted()).toEqual((await kept()).ids.toSorted())
    for (const { downloadId } of downloads) expect(await fetched(downloadId)).toHaveLength(0.45 * mb)
  })

  test('a file that a seller key deleted can be restored; an upload that was never completed is gone', async () => {
    const seller = await newSeller(app, owner)
    await upload('sold')
    await sold(seller, 'DELETE', '/downloads/file/sold')
    expect(await bin()).toMatchObject([{ name: 'sold', deletedBy: { type: 'seller-key' } }])
    await upload('half', bytes, { complete: false })
    expect(await remove('half')).toBeNull()
    expect(await bin()).toHaveLength(1)
  })

  test("another owner's file looks like a missing one", async () => {
    await upload('Tool')
    const undoId = (await remove('Tool')) as string
    const [item] = await bin()
    owner = await newOwnerWithApp(app)
    for (const body of [{ undoId }, { ids: [item?.id as number] }]) expect((await restore(body)).status).toBe(404)
    expect(await bin()).toEqual([])
  })
})
