import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FilePlace, newFilePlace, placeKinds } from '#testing/file-places.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/without-table.ts'

const mb = 1_000_000
let place: FilePlace
let app: TestApp
let owner: OwnedApp

const storedFiles = () => place.stored()
const bytesOf = (size: number) => new Blob([randomBytes(size)])
const upload = (file: Blob, body: Record<string, unknown> = {}, who = owner) =>
  who.visitor.call('POST /downloads/upload', { body, file })
const files = async (who = owner) => (await who.visitor.call('GET /downloads')).body.downloads
const rowsOf = (who: OwnedApp) =>
  app.db.read.selectFrom('downloads').selectAll().where('app_id', '=', who.appId).execute()

/** A form as its bytes, for what `FormData` never sends. */
const part = (head: string, content: string) => `--cut\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const filePart = (name: string, content = 'x') =>
  part(`name="file"; filename="${name}"`, content).replace('\r\n\r\n', '\r\ncontent-type: text/plain\r\n\r\n')
const sendForm = (text: string | Uint8Array<ArrayBuffer>, type = 'multipart/form-data; boundary=cut') =>
  fetch(`${app.url}/api/1.0/website/downloads/upload`, {
    method: 'POST',
    headers: { cookie: owner.visitor.cookieHeader(), 'x-csrf-token': owner.visitor.csrf, 'content-type': type },
    body: text,
  })
const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })

describe.each(placeKinds)('files %s', (kind) => {
  beforeAll(async () => {
    place = await newFilePlace(kind)
    app = await startTestApp({ config: place.config })
  })
  afterAll(async () => {
    await app.close()
    await place.close()
  })
  beforeEach(async () => {
    owner = await newOwnerWithApp(app)
  })

  describe('a file that is uploaded', () => {
    test('is listed with its name, its size and its SHA-256, and its bytes are those that were sent', async () => {
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
          createdAt: app.now(),
        },
      ])
      const { stats, room } = (await owner.visitor.call('GET /downloads')).body
      expect(stats).toEqual({
        total_files: 1,
        total_download_count: 0,
        total_storage_mb: 0.3,
        public_count: 0,
        authenticated_count: 1,
      })
      expect(room).toEqual({ storageBytes: 5000 * mb, usedBytes: 300_000, maxFileBytes: 8 * mb })
    })

    test('is stored under a random name that only the server reads (R-UP-03)', async () => {
      const { body } = await upload(new File(['x'], '../../evil.sh'))
      const { downloadId } = body.download
      expect(downloadId).toMatch(/^[A-Za-z0-9]{22}$/)
      expect(storedFiles()).toContain(downloadId)
      if (kind === 'S3') return
      const folder = join(app.services.config.dataDir, 'files')
      expect(statSync(join(folder, downloadId)).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    })

    test('needs a name that is its own in the app (conflicts C60)', async () => {
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
    test('of the plan holds for all files together, and what is refused leaves nothing (R-UP-01)', async () => {
      await setPlan(app, owner.id, 'Free')
      const before = storedFiles()
      expect((await upload(bytesOf(2 * mb + 1))).body).toMatchObject({
        code: 'STORAGE_LIMIT_REACHED',
        message: 'Your plan allows 2 MB of files. Delete some or change your plan.',
      })
      expect(storedFiles()).toEqual(before)
      expect((await upload(bytesOf(2 * mb - 100), { name: 'fits' })).status).toBe(200)
      expect((await upload(bytesOf(101), { name: 'no more' })).status).toBe(413)
      expect((await upload(bytesOf(100), { name: 'to the byte' })).status).toBe(200)
      expect((await upload(bytesOf(1), { name: 'not one' })).status).toBe(413)
      expect((await rowsOf(owner)).map(({ name }) => name).toSorted()).toEqual(['fits', 'to the byte'])
      expect(storedFiles()).toHaveLength(before.length + 2)
    })

    test('of the server holds for each file, whatever the plan', async () => {
      expect((await upload(bytesOf(8 * mb + 1))).body).toMatchObject({
        code: 'FILE_TOO_LARGE',
        message: 'A file can have at most 8 MB',
      })
      expect((await upload(bytesOf(8 * mb))).status).toBe(200)
    })

    test('holds for a sender that announces no length, and one that lies about it (R-UP-01)', async () => {
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
      expect(await answerOf(response)).toMatchObject({ status: 413, body: { code: 'STORAGE_LIMIT_REACHED' } })
      expect(storedFiles()).toEqual(before)
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
      expect(answers.every(({ status }) => status === 200 || status === 413)).toBe(true)
      expect((await files()).length).toBe(done.length)
      expect((await owner.visitor.call('GET /downloads')).body.room.usedBytes).toBe(done.length * 300_000)
    })
  })

  describe('what is no upload', () => {
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
    ])('%s is refused and leaves nothing', async (_what, text, code) => {
      const before = storedFiles()
      expect((await answerOf(await sendForm(text))).body).toMatchObject({ success: false, code })
      expect(await rowsOf(owner)).toEqual([])
      expect(storedFiles()).toEqual(before)
    })

    test('is told what to send', async () => {
      expect(await answerOf(await sendForm('{}', 'application/json'))).toMatchObject({ status: 415 })
      expect(await answerOf(await sendForm('x', 'multipart/form-data'))).toMatchObject({ status: 400 })
    })

    test('passes through no other call', async () => {
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

    test('comes from another page without its token (R-CSRF-01)', async () => {
      const response = await fetch(`${app.url}/api/1.0/website/downloads/upload`, {
        method: 'POST',
        headers: { cookie: owner.visitor.cookieHeader(), 'content-type': 'multipart/form-data; boundary=cut' },
        body: `${filePart('a')}--cut--\r\n`,
      })
      expect(await answerOf(response)).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
      expect(await rowsOf(owner)).toEqual([])
    })
  })

  describe('an upload that breaks off', () => {
    const begin = async (length: number) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(
        `POST /api/1.0/website/downloads/upload HTTP/1.1\r\nhost: x\r\ncookie: ${owner.visitor.cookieHeader()}\r\n` +
          `x-csrf-token: ${owner.visitor.csrf}\r\ncontent-type: multipart/form-data; boundary=cut\r\n` +
          `content-length: ${length}\r\n\r\n${filePart('a', 'x'.repeat(1000))}`,
      )
      return socket
    }
    const until = async (condition: () => Promise<boolean>) => {
      while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const isReserved = async () => (await rowsOf(owner)).length === 1

    test('by its sender leaves nothing (F20)', async () => {
      const before = storedFiles()
      const socket = await begin(500_000)
      await until(isReserved)
      socket.resetAndDestroy()
      await until(async () => !(await isReserved()))
      expect(storedFiles()).toEqual(before)
    })

    test('because nothing more comes is cut, and leaves nothing (F20)', async () => {
      const [main, mainPlace] = [app, place]
      place = await newFilePlace(kind)
      app = await startTestApp({ stalledDownloadMs: 200, config: place.config })
      try {
        owner = await newOwnerWithApp(app)
        const socket = await begin(500_000)
        await once(socket, 'close')
        await until(async () => !(await isReserved()))
        expect(storedFiles()).toEqual([])
      } finally {
        await app.close()
        await place.close()
        ;[app, place] = [main, mainPlace]
      }
    })

    test("isn't cut by the time limit of other requests while its bytes come (F16)", async () => {
      const body = `${filePart('a', 'x'.repeat(1000))}--cut--\r\n`
      const connections: Socket[] = []
      app.httpServer.once('connection', (socket: Socket) => connections.push(socket))
      const socket = await begin(Buffer.byteLength(body))
      await until(isReserved)
      const timeOut = Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      app.httpServer.emit('clientError', timeOut, connections[0] as Socket)
      socket.write('--cut--\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toContain('HTTP/1.1 200')
      socket.destroy()
    })

    test('by the end of the server is swept when it is back, and so are files of deleted apps (F20)', async () => {
      const { body } = await upload(bytesOf(10), { name: 'stays' })
      const gone = await newOwnerWithApp(app)
      const other = await upload(bytesOf(10), { name: 'goes' }, gone)
      await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
      place.plantHalf('AAAAAAAAAAAAAAAAAAAAAA')
      await app.db.write(({ db }) =>
        db
          .insertInto('downloads')
          .values({
            id: 'AAAAAAAAAAAAAAAAAAAAAA',
            app_id: owner.appId,
            owner_id: owner.id,
            name: 'AAAAAAAAAAAAAAAAAAAAAA',
            description: '',
            file_name: '',
            sha256: '',
            size: 1000,
            authenticated: 0,
            active: 1,
            ready: 0,
            created_at: app.now(),
            download_count: 0,
            authenticated_count: 0,
          })
          .execute(),
      )
      const sweep = async () => {
        app.advance(3601)
        await app.jobsDone()
      }
      await app.stop()
      await app.start()
      await sweep()
      // It might still come.
      expect(storedFiles()).toContain('AAAAAAAAAAAAAAAAAAAAAA.part')
      await sweep()
      await sweep()
      expect(storedFiles()).toContain(body.download.downloadId)
      expect(storedFiles()).not.toContain('AAAAAAAAAAAAAAAAAAAAAA.part')
      expect(storedFiles()).not.toContain(other.body.download.downloadId)
      expect((await rowsOf(owner)).map(({ size }) => Number(size))).toEqual([10])
    })

    test('of the database leaves no file, and none that is listed without its bytes', async () => {
      const before = storedFiles()
      const answer = await withoutTable(app.db, 'downloads', () => upload(bytesOf(10)))
      expect(answer).toMatchObject({ status: 500, body: { message: 'Upload failed' } })
      expect(storedFiles()).toEqual(before)
      expect(await rowsOf(owner)).toEqual([])
    })
  })

  describe('a store that is away', () => {
    const unavailable = { status: 503, body: { code: 'FILES_UNAVAILABLE', retryAfterSeconds: 10 } }

    test('takes no file, and nothing is changed or reserved (F20)', async () => {
      const before = storedFiles()
      await place.goAway()
      try {
        expect(await upload(bytesOf(1000))).toMatchObject(unavailable)
        expect(await rowsOf(owner)).toEqual([])
        expect((await owner.visitor.call('GET /downloads')).body.room.usedBytes).toBe(0)
      } finally {
        await place.comeBack()
      }
      expect(storedFiles()).toEqual(before)
      expect((await upload(bytesOf(1000))).status).toBe(200)
    })

    test('lets a file be deleted, whose bytes go when it is back', async () => {
      const { body } = await upload(bytesOf(1000), { name: 'goes' })
      await place.goAway()
      try {
        expect((await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'goes' } })).status).toBe(
          200,
        )
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
