import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { type FileStorage, newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { answerProblem, S3Server } from '#testing/servers/s3-server.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** Uploads that are aborted by either side. */

const mb = 1_000_000
let place: FileStorage
let app: TestApp
let owner: OwnedApp

const storedFiles = () => place.stored()
const bytesOf = (size: number) => new Blob([randomBytes(size)])
const upload = (file: Blob, body: Record<string, unknown> = {}, who = owner) =>
  who.visitor.call('POST /downloads/upload', { body, file })
const rowsOf = (who: OwnedApp) =>
  app.db.read.selectFrom('downloads').selectAll().where('app_id', '=', who.appId).execute()

/** A form as bytes. */
const filePart = (name: string, content = 'x') =>
  `--cut\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
  `content-type: text/plain\r\n\r\n${content}\r\n`

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

  describe('an interrupted upload', () => {
    const begin = async (length: number | undefined, content = filePart('a', 'x'.repeat(1000))) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(
        `POST /api/1.0/website/downloads/upload HTTP/1.1\r\nhost: x\r\ncookie: ${owner.visitor.cookieHeader()}\r\n` +
          `x-csrf-token: ${owner.visitor.csrf}\r\ncontent-type: multipart/form-data; boundary=cut\r\n` +
          (length === undefined
            ? `transfer-encoding: chunked\r\n\r\n${chunked(content)}`
            : `content-length: ${length}\r\n\r\n${content}`),
      )
      return socket
    }
    const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
    const until = async (condition: () => Promise<boolean>) => {
      while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const reservations = async () => (await rowsOf(owner)).filter(({ ready }) => ready === 0)
    const isReserved = async () => (await reservations()).length === 1

    test('by its sender leaves nothing', async () => {
      const before = storedFiles()
      const socket = await begin(500_000)
      await until(isReserved)
      socket.resetAndDestroy()
      await until(async () => !(await isReserved()))
      await expect.poll(storedFiles).toEqual(before)
    })

    test.skipIf(hasTwoProcesses)('by its sender before its first byte is read leaves nothing', async () => {
      const whole = `${filePart('a', 'x'.repeat(1000))}--cut--\r\n`
      let socket: Socket | undefined
      const closed = new Promise((resolve) =>
        app.httpServer.once('connection', (each: Socket) => each.once('close', resolve)),
      )
      const arrived = new Promise((resolve) => app.httpServer.once('request', resolve))
      // The upload waits for its reservation until the sender has disconnected after sending everything.
      await app.db.write(async (tx) => {
        await lockAccount(tx, owner.id)
        socket = await begin(Buffer.byteLength(whole), whole)
        await arrived
        socket.resetAndDestroy()
        await closed
      })
      await expect.poll(async () => (await reservations()).length).toBe(0)
      const { body } = await upload(bytesOf(10), { name: 'next' })
      await expect.poll(async () => (await rowsOf(owner)).map(({ id }) => id)).toEqual([body.download.downloadId])
      expect(storedFiles()).toContain(body.download.downloadId)
    })

    test('that stalls without a declared length reserves little more than it sent', async () => {
      await setPlan(app, owner.id, 'Free')
      const socket = await begin(undefined)
      try {
        await until(isReserved)
        const { usedBytes } = (await owner.visitor.call('GET /downloads')).body.quota
        expect(usedBytes).toBeLessThanOrEqual(1000 + 64 * 1024)
        expect((await upload(bytesOf(1_900_000), { name: 'meanwhile' })).status).toBe(200)
        // The upload continues, but no more storage is left.
        const answer = once(socket, 'data')
        socket.write(chunked('x'.repeat(150_000)))
        const [head] = (await answer) as [Buffer]
        expect(head.toString()).toMatch(/^HTTP\/1.1 403 [^]*STORAGE_LIMIT_REACHED/)
      } finally {
        socket.destroy()
      }
      await expect.poll(async () => (await rowsOf(owner)).map(({ name }) => name)).toEqual(['meanwhile'])
    })

    test('that stalls is cut off, and leaves nothing', async () => {
      const [main, mainPlace] = [app, place]
      place = await newFileStorage(kind)
      app = await startTestApp({ stalledTransferMs: 200, config: place.config })
      try {
        owner = await newOwnerWithApp(app)
        const socket = await begin(500_000)
        await once(socket, 'close')
        await until(async () => !(await isReserved()))
        await expect.poll(storedFiles).toEqual([])
      } finally {
        await app.close()
        await place.close()
        ;[app, place] = [main, mainPlace]
      }
    })

    test("isn't cut off by the time limit of other requests while bytes arrive; those after it are", async () => {
      const body = `${filePart('a', 'x'.repeat(1000))}--cut--\r\n`
      const connections: Socket[] = []
      app.httpServer.once('connection', (socket: Socket) => connections.push(socket))
      const socket = await begin(Buffer.byteLength(body))
      await until(isReserved)
      const timeOut = Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      const isCutOff = () => {
        app.httpServer.emit('clientError', timeOut, connections[0] as Socket)
        return connections[0]?.writableEnded
      }
      expect(isCutOff()).toBe(false)
      socket.write('--cut--\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toContain('HTTP/1.1 200')
      await expect.poll(isCutOff).toBe(true)
      socket.destroy()
    })

    test('by a server that stops is cleaned up at the next start, and so are files of deleted apps', async () => {
      const { body } = await upload(bytesOf(10), { name: 'stays' })
      const gone = await newOwnerWithApp(app)
      const other = await upload(bytesOf(10), { name: 'goes' }, gone)
      await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
      place.plantHalf('AAAAAAAAAAAAAAAAAAAAAA', (await readInstallation(app.db)).id)
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
      const cleanup = async () => {
        app.advance(3601)
        await app.jobsDone()
      }
      await app.stop()
      await app.start()
      await cleanup()
      // The upload might still continue.
      expect(storedFiles()).toContain('AAAAAAAAAAAAAAAAAAAAAA.part')
      await cleanup()
      await cleanup()
      expect(storedFiles()).toContain(body.download.downloadId)
      expect(storedFiles()).not.toContain('AAAAAAAAAAAAAAAAAAAAAA.part')
      expect(storedFiles()).not.toContain(other.body.download.downloadId)
      expect((await rowsOf(owner)).map(({ size }) => Number(size))).toEqual([10])
    })

    test('by a database failure leaves no file and lists none without its bytes', async () => {
      const before = storedFiles()
      const answer = await withoutTable(app.db, 'downloads', () => upload(bytesOf(10)))
      expect(answer).toMatchObject({ status: 500, body: { message: 'Upload failed' } })
      expect(storedFiles()).toEqual(before)
      expect(await rowsOf(owner)).toEqual([])
    })
  })
})

const unavailable = { status: 503, body: { code: 'FILES_UNAVAILABLE', retryAfterSeconds: 10 } }

test('a bucket that hangs longer than a sender may stay silent gets 503, never a cut connection', async () => {
  const server = await S3Server.start()
  app = await startTestApp({ config: { s3: { ...server.settings, timeoutMs: 900 } }, stalledTransferMs: 300 })
  try {
    owner = await newOwnerWithApp(app)
    server.fault = () => true
    expect(await upload(bytesOf(1000))).toMatchObject(unavailable)
    expect(await rowsOf(owner)).toEqual([])
  } finally {
    await app.close()
    await server.close()
  }
})

test.each([1000, 6 * mb])("the reply to a failed upload of %i bytes doesn't wait for cleanup", async (size) => {
  const server = await S3Server.start()
  app = await startTestApp({ config: { s3: { ...server.settings, timeoutMs: 600_000 } } })
  try {
    owner = await newOwnerWithApp(app)
    const waiting: ServerResponse[] = []
    server.fault = (operation, response) => {
      if (operation === 'PutObject' || operation === 'UploadPart')
        answerProblem(response, { status: 403, code: 'AccessDenied' })
      else if (operation === 'CreateMultipartUpload') return false
      // Not answered until the reply has been received.
      else waiting.push(response)
      return true
    }
    expect(await upload(bytesOf(size))).toMatchObject(unavailable)
    expect(await rowsOf(owner)).toEqual([])
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    server.fault = undefined
    for (const response of waiting) response.destroy()
    await expect.poll(() => [...server.keys(), ...server.uploads()]).toEqual([])
  } finally {
    await app.close()
    await server.close()
  }
})
