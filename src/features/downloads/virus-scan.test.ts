import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { S3Server } from '#testing/servers/s3-server.ts'
import { ClamdServer, eicar } from '#testing/servers/clamd-server.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { type FileStorage, newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Uploaded files are scanned by clamd, if configured, before they are available (R-UP-06). */

const clamdOf = (address: string) => readConfig({ CLAMD_ADDRESS: address }).clamd
const upload = (owner: OwnedApp, text: string | Buffer<ArrayBuffer>, body: object = {}) =>
  owner.visitor.call('POST /downloads/upload', { body, file: new File([text], 'setup.exe') })
const listed = async (owner: OwnedApp) => (await owner.visitor.call('GET /downloads')).body.downloads
const get = async (app: TestApp, id: string) => (await fetch(`${app.url}/api/1.0/download/${id}`)).status
const infoOf = async (app: TestApp, id: string) => (await fetch(`${app.url}/api/1.0/download/${id}/info`)).status
const infected = async (app: TestApp, owner: OwnedApp) =>
  (
    await app.db.read
      .selectFrom('audit')
      .selectAll()
      .where('owner_id', '=', owner.id)
      .where('act', '=', 'download.infected')
      .execute()
  ).map(({ actor_type, target, details }) => ({ actor_type, target, ...(JSON.parse(details) as object) }))

describe.each(fileStorageKinds)('files %s (R-UP-06)', (kind) => {
  let place: FileStorage
  let clamd: ClamdServer
  let app: TestApp
  let owner: OwnedApp

  beforeAll(async () => {
    place = await newFileStorage(kind)
    clamd = await ClamdServer.start()
    app = await startTestApp({ config: { ...place.config, clamd: clamdOf(clamd.address) } })
  })
  afterAll(async () => {
    await app.close()
    await clamd.close()
    await place.close()
  })
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
  })
  afterEach(async () => {
    clamd.mode = 'scans'
    app.advance(61)
    await app.jobsDone()
    clamd.scanned.length = 0
  })
  /** While clamd is unavailable, a file waits for the next attempt. */
  const tryAgain = async () => {
    app.advance(61)
    await app.jobsDone()
  }

  test('a clean file is available at once, and clamd has scanned all of its bytes', async () => {
    const bytes = randomBytes(3_000_000)
    const { body } = await upload(owner, bytes)
    expect(body).toMatchObject({ code: 'DOWNLOAD_UPLOAD_OK', download: { pending: false } })
    expect(clamd.scanned.map((seen) => seen.equals(bytes))).toEqual([true])
    expect(await get(app, body.download.downloadId)).toBe(200)
  })

  test('an infected file is rejected with the name of the virus, and leaves only an audit event', async () => {
    const stored = await place.stored()
    const { status, body } = await upload(owner, `MZ${eicar}`, { name: 'Installer' })
    expect([status, body.code]).toEqual([422, 'FILE_INFECTED'])
    expect(body.message).toBe('This file is not stored: the virus scan found Eicar-Test-Signature in it')
    expect(await listed(owner)).toEqual([])
    // The reply does not wait for the store.
    await expect.poll(() => place.stored()).toEqual(stored)
    expect(await infected(app, owner)).toEqual([
      {
        actor_type: 'owner',
        target: 'Installer',
        virus: 'Eicar-Test-Signature',
        fileName: 'setup.exe',
        sha256: expect.stringMatching(/^[\da-f]{64}$/),
      },
    ])
  })

  test.each(['away', 'full', 'small'] as const)(
    'while clamd is %s a file waits, and nobody can download it by link or as a program until it is found clean',
    async (mode) => {
      clamd.mode = mode
      const { body } = await upload(owner, randomBytes(5000))
      expect(body).toMatchObject({ code: 'DOWNLOAD_UPLOAD_PENDING', download: { pending: true } })
      const id = body.download.downloadId
      const username = await newSubscriber(owner)
      const program = await signedIn(app, owner, username)
      const asked = async () => (await program.send('download', { id })).body.success
      for (let tries = 0; tries < 3; tries++) {
        expect([await get(app, id), await infoOf(app, id), await asked()]).toEqual([404, 404, false])
        expect((await listed(owner)).map(({ pending }) => pending)).toEqual([true])
        await tryAgain()
      }
      clamd.mode = 'scans'
      await tryAgain()
      expect((await listed(owner)).map(({ pending }) => pending)).toEqual([false])
      expect([await get(app, id), await infoOf(app, id), await asked()]).toEqual([200, 200, true])
    },
  )

  test('a waiting file that turns out to be infected is deleted, with an audit event', async () => {
    clamd.mode = 'away'
    const stored = await place.stored()
    const { body } = await upload(owner, eicar, { name: 'Late' })
    clamd.mode = 'scans'
    await tryAgain()
    expect(await listed(owner)).toEqual([])
    expect(await get(app, body.download.downloadId)).toBe(404)
    expect(await infected(app, owner)).toMatchObject([
      { actor_type: 'system', target: 'Late', virus: 'Eicar-Test-Signature' },
    ])
    await expect.poll(() => place.stored()).toEqual(stored)
  })

  test("enabling or changing a waiting file doesn't release it, and a file deleted meanwhile is no longer scanned", async () => {
    clamd.mode = 'away'
    const { body } = await upload(owner, 'bytes')
    // The first attempt, which starts immediately, has finished.
    await app.jobsDone()
    const name = body.download.downloadId
    await owner.visitor.call('POST /downloads/file/{name}/toggle', { params: { name }, body: { active: true } })
    await owner.visitor.call('PUT /downloads/file/{name}', { params: { name }, body: { name: 'other' } })
    expect(await get(app, name)).toBe(404)
    await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name }, body: {} })
    clamd.mode = 'scans'
    await tryAgain()
    expect(clamd.scanned).toEqual([])
    const jobs = app.db.read.selectFrom('jobs').select('id').where('kind', '=', 'scan-download')
    expect(await jobs.execute()).toEqual([])
  })

  test('a waiting file that was deleted is scanned once it is restored', async () => {
    clamd.mode = 'away'
    const { body } = await upload(owner, eicar, { name: 'Back' })
    const { downloadId: name } = body.download
    const deleted = await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name }, body: {} })
    await tryAgain()
    await owner.visitor.call('POST /bin/restore', { body: { undoId: deleted.body.undoId as string } })
    expect([await get(app, name), (await listed(owner)).map(({ pending }) => pending)]).toEqual([404, [true]])
    clamd.mode = 'scans'
    await tryAgain()
    expect(await listed(owner)).toEqual([])
    expect(await infected(app, owner)).toMatchObject([{ target: 'Back', virus: 'Eicar-Test-Signature' }])
  })
})

test('a scanner that accepts the file and never answers times out, then the file waits (R-UP-06)', async () => {
  const clamd = await ClamdServer.start()
  clamd.mode = 'silent'
  const app = await startTestApp({ config: { clamd: clamdOf(clamd.address) }, stalledTransferMs: 300 })
  const owner = await newOwnerWithApp(app)
  const { body } = await upload(owner, 'bytes')
  expect(body).toMatchObject({ code: 'DOWNLOAD_UPLOAD_PENDING', download: { pending: true } })
  await app.close()
  await clamd.close()
})

test('a scan whose bytes stop coming ends: the file waits, and is scanned once they come again', async () => {
  const clamd = await ClamdServer.start()
  const storage = await S3Server.start()
  const config = { clamd: clamdOf(clamd.address), s3: storage.settings }
  const app = await startTestApp({ config, stalledTransferMs: 300 })
  const owner = await newOwnerWithApp(app)
  let stalls = 0
  // The next attempt begins only once the previous one has ended.
  storage.fault = (operation, response) => {
    if (operation !== 'GetObject' || stalls === 2) return false
    stalls += 1
    response.writeHead(200, { 'content-length': 5 }).write('by')
    return true
  }
  const { body } = await upload(owner, 'bytes')
  expect(body).toMatchObject({ code: 'DOWNLOAD_UPLOAD_PENDING', download: { pending: true } })
  await app.jobsDone()
  expect([stalls, clamd.scanned.map(String)]).toEqual([2, []])
  app.services.stalledTransferMs = 60_000
  app.advance(60)
  await app.jobsDone()
  expect([stalls, clamd.scanned.map(String)]).toEqual([2, ['bytes']])
  expect(await get(app, body.download.downloadId)).toBe(200)
  await app.close()
  await storage.close()
  await clamd.close()
})

test('scans over a socket path; a metric counts waiting files; turning the scan off releases them (R-UP-06)', async () => {
  const metricsToken = 'a-token-of-the-metrics'
  const app = await startTestApp({ config: { metricsToken } })
  const path = join(app.services.config.dataDir, 'clamd.sock')
  const clamd = await ClamdServer.start(path)
  const owner = await newOwnerWithApp(app)
  app.services.config.clamd = clamdOf(path)
  expect((await upload(owner, 'bytes', { name: 'one' })).body.code).toBe('DOWNLOAD_UPLOAD_OK')
  expect(clamd.scanned.map(String)).toEqual(['bytes'])
  await clamd.close()
  const { body } = await upload(owner, 'bytes', { name: 'two' })
  expect(body.code).toBe('DOWNLOAD_UPLOAD_PENDING')
  const metrics = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  expect(await metrics.text()).toContain('signet_unscanned_files 1')
  app.services.config.clamd = undefined
  app.advance(3601)
  await app.jobsDone()
  expect(await get(app, body.download.downloadId)).toBe(200)
  await app.close()
})

test('a file that waits while the scan is turned off for a while is scanned once it is on again', async () => {
  const clamd = await ClamdServer.start()
  clamd.mode = 'away'
  const app = await startTestApp({ config: { clamd: clamdOf(clamd.address) } })
  const { body } = await upload(await newOwnerWithApp(app), 'bytes', { name: 'one' })
  expect(body.code).toBe('DOWNLOAD_UPLOAD_PENDING')
  app.services.config.clamd = undefined
  for (let minute = 0; minute < 3; minute++) {
    app.advance(60)
    await app.jobsDone()
  }
  expect(await get(app, body.download.downloadId)).toBe(404)
  clamd.mode = 'scans'
  app.services.config.clamd = clamdOf(clamd.address)
  app.advance(60)
  await app.jobsDone()
  expect([await get(app, body.download.downloadId), clamd.scanned.map(String)]).toEqual([200, ['bytes']])
  await app.close()
  await clamd.close()
})

test.each([
  ['127.0.0.1:3310', { host: '127.0.0.1', port: 3310 }],
  ['clamd.internal:3310', { host: 'clamd.internal', port: 3310 }],
  ['[::1]:3310', { host: '::1', port: 3310 }],
  ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('CLAMD_ADDRESS=%s', (address, expected) => expect(clamdOf(address)).toEqual(expected))

test.each(['clamd', '127.0.0.1', 'http://x:3310', 'a b:1', ':3310', '127.0.0.1:port', 'run/clamd.ctl'])(
  'CLAMD_ADDRESS=%s stops the start',
  (address) => expect(() => clamdOf(address)).toThrow(/^CLAMD_ADDRESS must be a host and a port/),
)
