import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockSettings, storeSettings } from '#server/settings/platform-settings.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { type FileStorage, newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { maxFilesPerApp } from '../downloads.rules.ts'

const mb = 1_000_000
let place: FileStorage
let app: TestApp
let owner: OwnedApp

const storedFiles = () => place.stored()
const bytesOf = (size: number) => new Blob([randomBytes(size)])
const upload = (file: Blob, body: Record<string, unknown> = {}, who = owner) =>
  who.visitor.call('POST /downloads/upload', { body, file })
const databaseId = async () => (await readInstallation(app.db)).id
const files = async (who = owner) => (await who.visitor.call('GET /downloads')).body.downloads
const rowsOf = (who: OwnedApp) =>
  app.db.read.selectFrom('downloads').selectAll().where('app_id', '=', who.appId).execute()

/** A form as bytes, for cases that `FormData` cannot send. */
const part = (head: string, content: string) => `--cut\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const filePart = (name: string, content = 'x') =>
  part(`name="file"; filename="${name}"`, content).replace('\r\n\r\n', '\r\ncontent-type: text/plain\r\n\r\n')
const sendForm = (
  text: string | Uint8Array<ArrayBuffer> | ReadableStream,
  type = 'multipart/form-data; boundary=cut',
) =>
  fetch(`${app.url}/api/1.0/website/downloads/upload`, {
    method: 'POST',
    headers: { cookie: owner.visitor.cookieHeader(), 'x-csrf-token': owner.visitor.csrf, 'content-type': type },
    body: text,
    ...(text instanceof ReadableStream && { duplex: 'half' as const }),
  })
const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })

describe.each(fileStorageKinds)('files %s', (kind) => {
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
  })

  describe('an uploaded file', () => {
    test('is listed with its name, size, and SHA-256, and its bytes are the ones sent', async () => {
      const bytes = randomBytes(300_000)
      const file = new File([bytes], 'Prism Studio 2.exe')
      const { status, body } = await upload(file, { description: ' The installer ', authenticated: true })
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 200,
        code: 'DOWNLOAD_UPLOAD_OK',
        message: 'File uploaded successfully',
      })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(await files()).toEqual([
        {
          _id: body.download.downloadId,
          downloadId: body.download.downloadId,
          name: 'Prism Studio 2.exe',
          fileName: 'Prism Studio 2.exe',
          description: 'The installer',
          fileSize: 300_000,
          sha256,
          downloadCount: 0,
          authenticated: true,
          active: true,
          pending: false,
          completed: true,
          createdAt: app.now(),
        },
      ])
      const { stats, quota } = (await owner.visitor.call('GET /downloads')).body
      expect(stats).toEqual({
        total_files: 1,
        total_download_count: 0,
        total_storage_mb: 0.3,
        public_count: 0,
        authenticated_count: 1,
      })
      expect(quota).toEqual({ storageBytes: 5000 * mb, deletedBytes: 0, usedBytes: 300_000, maxFileBytes: 8 * mb })
    })

    test('is stored under a random name that only the server can read (R-UP-03)', async () => {
      const { body } = await upload(new File(['x'], '../../evil.sh'))
      const { downloadId } = body.download
      expect(downloadId).toMatch(/^[A-Za-z0-9]{22}$/)
      expect(storedFiles()).toContain(downloadId)
      if (kind === 'S3') return
      const folder = join(app.services.config.dataDir, 'files', await databaseId())
      expect(statSync(join(folder, downloadId)).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    })

    test('requires a name that is unique in the app', async () => {
      await upload(bytesOf(10), { name: 'Setup' })
      expect((await upload(bytesOf(10), { name: ' Setup ' })).body).toMatchObject({ code: 'DOWNLOAD_NAME_TAKEN' })
      expect((await upload(bytesOf(10), { name: '  ' })).body).toMatchObject({
        code: 'DOWNLOAD_NAME_REQUIRED',
        message: 'Please enter a name',
      })
      for (const name of ['x'.repeat(101), 'a\u202Eb', '..'])
        expect((await upload(bytesOf(10), { name })).status).toBe(400)
      expect((await upload(bytesOf(10), { name: 'Other', description: 'x'.repeat(501) })).status).toBe(400)
      expect((await files()).map(({ name }) => name)).toEqual(['Setup'])
      expect(await rowsOf(owner)).toHaveLength(1)
    })
  })

  describe('the limit', () => {
    test('of the plan applies to all files together, and a rejected upload leaves nothing (R-UP-01)', async () => {
      await setPlan(app, owner.id, 'Free')
      const before = storedFiles()
      expect((await upload(bytesOf(2 * mb + 1))).body).toMatchObject({
        code: 'STORAGE_LIMIT_REACHED',
        message: 'Your plan allows 2 MB of files. Delete some or change your plan.',
      })
      await expect.poll(storedFiles).toEqual(before)
      expect((await upload(bytesOf(2 * mb - 100), { name: 'fits' })).status).toBe(200)
      expect((await upload(bytesOf(101), { name: 'no more' })).status).toBe(403)
      expect((await upload(bytesOf(100), { name: 'to the byte' })).status).toBe(200)
      expect((await upload(bytesOf(1), { name: 'not one' })).status).toBe(403)
      expect((await rowsOf(owner)).map(({ name }) => name).toSorted()).toEqual(['fits', 'to the byte'])
      await expect.poll(storedFiles).toHaveLength(before.length + 2)
    })

    test('of the server applies to each file, whatever the plan', async () => {
      expect((await upload(bytesOf(8 * mb + 1))).body).toMatchObject({
        code: 'FILE_TOO_LARGE',
        message: 'A file can have at most 8 MB',
      })
      expect((await upload(bytesOf(8 * mb))).status).toBe(200)
    })

    test('of a request that administrators set applies to files too, and is shown in advance', async () => {
      const setSize = (maxRequestSize: string) =>
        app.db.write(async (tx) => {
          await storeSettings(tx, 'api', { ...(await lockSettings(tx, 'api')), maxRequestSize })
        })
      const size = 100 * 1024
      await setSize('100KB')
      try {
        expect((await owner.visitor.call('GET /downloads')).body.quota.maxFileBytes).toBe(size)
        expect(await upload(bytesOf(size + 1))).toMatchObject({
          status: 413,
          body: { code: 'FILE_TOO_LARGE', message: 'A file can have at most 0.1 MB' },
        })
        const unannounced = new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.from(filePart('a').slice(0, -2)))
            controller.enqueue(Buffer.alloc(size))
            controller.enqueue(Buffer.from('\r\n--cut--\r\n'))
            controller.close()
          },
        })
        expect((await answerOf(await sendForm(unannounced))).body).toMatchObject({ code: 'FILE_TOO_LARGE' })
        expect((await upload(bytesOf(size))).status).toBe(200)
      } finally {
        await setSize('10MB')
      }
    })

    test('applies to a sender that declares no length or a wrong one (R-UP-01)', async () => {
      await setPlan(app, owner.id, 'Free')
      const before = storedFiles()
      async function* endless() {
        yield Buffer.from(filePart('a').slice(0, -2))
        for (let sent = 0; sent < 40; sent++) yield Buffer.alloc(mb / 8)
        yield Buffer.from('\r\n--cut--\r\n')
      }
      const response = await fetch(`${app.url}/api/1.0/website/downloads/upload`, {
        method: 'POST',
        headers: {
          cookie: owner.visitor.cookieHeader(),
          'x-csrf-token': owner.visitor.csrf,
          'content-type': 'multipart/form-data; boundary=cut',
        },
        body: endless() as never,
        duplex: 'half',
      } as RequestInit)
      expect(await answerOf(response)).toMatchObject({ status: 403, body: { code: 'STORAGE_LIMIT_REACHED' } })
      await expect.poll(storedFiles).toEqual(before)
      expect(await rowsOf(owner)).toEqual([])
    })

    test('is never exceeded by 20 parallel uploads (R-UP-02)', async () => {
      await setPlan(app, owner.id, 'Free')
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => upload(bytesOf(300_000), { name: `file ${n}` })),
      )
      const done = answers.filter(({ status }) => status === 200)
      expect(done.length).toBeGreaterThan(0)
      expect(done.length).toBeLessThanOrEqual(6)
      expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 403])
      expect((await files()).length).toBe(done.length)
      expect((await owner.visitor.call('GET /downloads')).body.quota.usedBytes).toBe(done.length * 300_000)
    })
  })

  test('an app has at most 1,000 files', async () => {
    const row = { app_id: owner.appId, owner_id: owner.id, size: 1, sha256: '', authenticated: 0, active: 1, ready: 1 }
    const rows = Array.from({ length: maxFilesPerApp - 1 }, () => {
      const id = randomText(22)
      const counts = { download_count: 0, authenticated_count: 0 }
      return { ...row, ...counts, id, name: id, description: '', file_name: id, created_at: app.now() }
    })
    await app.db.write(({ db }) => db.insertInto('downloads').values(rows).execute())
    expect((await upload(bytesOf(10), { name: 'the last' })).status).toBe(200)
    expect(await upload(bytesOf(10), { name: 'one more' })).toMatchObject({
      status: 409,
      body: { code: 'DOWNLOAD_LIMIT_REACHED', message: 'An app can have at most 1000 files' },
    })
    expect(await rowsOf(owner)).toHaveLength(maxFilesPerApp)
  })

  describe("a request that isn't a valid upload", () => {
    test.each([
      ['without a file', part('name="name"', 'x') + '--cut--\r\n', 'DOWNLOAD_FILE_REQUIRED'],
      ['with an empty file name', filePart('') + '--cut--\r\n', 'DOWNLOAD_FILE_REQUIRED'],
      ['with two files', filePart('a') + filePart('b') + '--cut--\r\n', 'FIELD_REPEATED'],
      ['with a file of another field', filePart('a').replace('"file"', '"other"') + '--cut--\r\n', 'FIELD_UNKNOWN'],
      ['with an unknown field', part('name="x"', 'x') + filePart('a') + '--cut--\r\n', 'FIELD_UNKNOWN'],
      ['with __proto__', part('name="__proto__"', 'x') + filePart('a') + '--cut--\r\n', 'FIELD_UNKNOWN'],
      ['with a field twice', part('name="name"', 'x').repeat(2) + filePart('a') + '--cut--\r\n', 'FIELD_REPEATED'],
      [
        'with a field as long as a file',
        part('name="name"', 'x'.repeat(40_000)) + filePart('a') + '--cut--\r\n',
        'BODY_TOO_LARGE',
      ],
      [
        'with a flag that is none',
        part('name="authenticated"', 'maybe') + filePart('a') + '--cut--\r\n',
        'INVALID_REQUEST',
      ],
      ['that ends in its middle', filePart('a').slice(0, -2), 'BAD_REQUEST'],
      ['with nothing in it', '', 'DOWNLOAD_FILE_REQUIRED'],
    ])('%s is rejected and leaves nothing', async (_what, text, code) => {
      const before = storedFiles()
      expect((await answerOf(await sendForm(text))).body).toMatchObject({ success: false, code })
      expect(await rowsOf(owner)).toEqual([])
      await expect.poll(storedFiles).toEqual(before)
    })

    test('gets an error that says what to send', async () => {
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await answerOf(await sendForm('{}', type))
        expect(answer, type).toMatchObject({ status: 415, body: { message: 'Send multipart/form-data' } })
      }
      expect(await answerOf(await sendForm('x', 'multipart/form-data'))).toMatchObject({ status: 400 })
    })

    test("isn't accepted by any other call", async () => {
      const response = await fetch(`${app.url}/api/1.0/website/modify_app_var`, {
        method: 'POST',
        headers: {
          cookie: owner.visitor.cookieHeader(),
          'x-csrf-token': owner.visitor.csrf,
          'content-type': 'multipart/form-data; boundary=cut',
        },
        body: `${filePart('a')}--cut--\r\n`,
      })
      expect(response.status).toBe(415)
    })

    test('from another page is rejected without its token (R-CSRF-01)', async () => {
      const response = await fetch(`${app.url}/api/1.0/website/downloads/upload`, {
        method: 'POST',
        headers: { cookie: owner.visitor.cookieHeader(), 'content-type': 'multipart/form-data; boundary=cut' },
        body: `${filePart('a')}--cut--\r\n`,
      })
      expect(await answerOf(response)).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
      expect(await rowsOf(owner)).toEqual([])
    })
  })

  describe('an unavailable store', () => {
    const unavailable = { status: 503, body: { code: 'FILES_UNAVAILABLE', retryAfterSeconds: 10 } }

    test('accepts no file, and nothing is changed or reserved', async () => {
      const before = storedFiles()
      await place.goAway()
      try {
        expect(await upload(bytesOf(1000))).toMatchObject(unavailable)
        expect(await rowsOf(owner)).toEqual([])
        expect((await owner.visitor.call('GET /downloads')).body.quota.usedBytes).toBe(0)
      } finally {
        await place.comeBack()
      }
      expect(storedFiles()).toEqual(before)
      expect((await upload(bytesOf(1000))).status).toBe(200)
    })

    test('allows deleting a file for good, whose bytes are removed when the store is back', async () => {
      const { body } = await upload(bytesOf(1000), { name: 'goes' })
      await place.goAway()
      try {
        expect((await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'goes' } })).status).toBe(
          200,
        )
        expect((await owner.visitor.call('POST /bin/delete', { body: { all: true } })).body.deleted).toBeGreaterThan(0)
        app.advance(3601)
        await app.jobsDone()
      } finally {
        await place.comeBack()
      }
      for (let hours = 0; hours < 3; hours++) {
        app.advance(3601)
        await app.jobsDone()
      }
      expect(storedFiles()).not.toContain(body.download.downloadId)
    })
  })
})
