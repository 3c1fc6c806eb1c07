import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readInstallation } from '#server/secrets/installation.ts'
import { newLog } from '#server/log/log.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { type FileStorage, newFileStorage, fileStorageKinds } from '#testing/file-storages.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { answerProblem, type S3Operation, S3Server } from '#testing/servers/s3-server.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { openFileStore } from './download-files.ts'
import { FileMissing, type FileStore, FileTooLarge, StoreFull, StoreUnavailable } from './file-store.ts'

const mib = 1024 * 1024
/** New for each test, because the files of the previous test may still be being removed in the background. */
let id = ''
beforeEach(() => {
  id = randomText(22)
})
const other = 'Abcdefghijklmnopqrst02'
const databaseId = '0b6f3c1e-4f0b-4f6a-9d53-8a4b8e0d4c11'
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const inChunks = (bytes: Buffer, size = 64 * 1024 - 7) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  )
const idsOf = async (store: FileStore) =>
  [...new Set((await Array.fromAsync(store.list('current'))).map((each) => each.id))].toSorted()

describe.each(fileStorageKinds)('a store on %s', (kind) => {
  let place: FileStorage
  let store: FileStore
  beforeEach(async () => {
    place = await newFileStorage(kind)
    store = openFileStore({ dataDir: '', ...place.config }, databaseId)
  })
  afterEach(() => place.close())

  test.each([0, 1, 5 * mib - 1, 5 * mib, 5 * mib + 1, 10 * mib, 12 * mib])(
    'gives back the %i bytes it has received, all of them or a range',
    async (size) => {
      const bytes = randomBytes(size)
      expect(await store.receive(id, inChunks(bytes), size)).toEqual({ bytes: size, sha256: sha256Of(bytes) })
      expect(place.stored()).toEqual([id])
      expect((await buffer(await store.open(id))).equals(bytes)).toBe(true)
      if (size < 2) return
      const range = { start: 1, end: size - 2 }
      expect((await buffer(await store.open(id, range))).equals(bytes.subarray(1, -1))).toBe(true)
    },
  )

  test.each([10, 11 * mib])('keeps nothing of a file that is longer than %i bytes', async (max) => {
    const received = store.receive(id, inChunks(randomBytes(max + 1)), max)
    await expect(received).rejects.toThrow(FileTooLarge)
    await expect.poll(place.stored).toEqual([])
  })

  test.each([10, 11 * mib])('keeps nothing of a file whose sender leaves after %i bytes', async (size) => {
    const left = new Error('left')
    const source = Readable.from(
      (async function* () {
        yield* inChunks(randomBytes(size)) as AsyncIterable<Buffer>
        throw left
      })(),
    )
    await expect(store.receive(id, source, 20 * mib)).rejects.toBe(left)
    await expect.poll(place.stored).toEqual([])
  })

  test('removes what is there, whole or half, and misses nothing that is not', async () => {
    await store.receive(id, inChunks(randomBytes(10)), 10)
    place.plantHalf(other, databaseId)
    expect(await idsOf(store)).toEqual([id, other].toSorted())
    await store.remove(id)
    await store.remove(other)
    await store.remove(id)
    expect(place.stored()).toEqual([])
    await expect(store.open(id)).rejects.toThrow(FileMissing)
    expect(await idsOf(store)).toEqual([])
  })

  test('finds files of before databases had an id, moves them, and lists each location by itself', async () => {
    const bytes = randomBytes(6 * mib)
    const [since, day] = [Date.now() / 1000 - 60, 'removed/2026-11-22'] as const
    await store.receive(id, inChunks(bytes), bytes.length)
    place.flatten()
    expect(place.paths()).toEqual([id])
    expect((await buffer(await store.open(id))).equals(bytes)).toBe(true)
    const listed = async (where: 'current' | 'shared' | 'removed') =>
      (await Array.fromAsync(store.list(where))).map((each) => [each.id, each.location])
    expect([await listed('current'), await listed('shared')]).toEqual([[], [[id, 'shared']]])
    await store.move(id, 'shared', 'current')
    expect(place.paths()).toEqual([`${databaseId}/${id}`])
    expect([await listed('current'), await listed('shared')]).toEqual([[[id, 'current']], []])
    expect((await buffer(await store.open(id))).equals(bytes)).toBe(true)
    for await (const entry of store.list('current')) expect(await entry.changedAt()).toBeGreaterThan(since)
    await store.move(id, 'current', day)
    expect([await listed('current'), await listed('removed')]).toEqual([[], [[id, day]]])
    await expect(store.open(id)).rejects.toThrow(FileMissing)
    await expect(store.move(id, 'current', day)).rejects.toThrow(FileMissing)
    await store.removeFrom(id, day)
    await store.removeFrom(id, day)
    expect([place.paths(), await listed('removed')]).toEqual([[], []])
  })

  test('says when it is away', async () => {
    await store.receive(id, inChunks(randomBytes(10)), 10)
    await place.goAway()
    try {
      await expect(store.receive(other, inChunks(randomBytes(10)), 10)).rejects.toThrow(StoreUnavailable)
      await expect(store.open(id)).rejects.toThrow(StoreUnavailable)
      if (kind === 'S3') await expect(store.remove(id)).rejects.toThrow(StoreUnavailable)
      await expect(idsOf(store)).rejects.toThrow(StoreUnavailable)
    } finally {
      await place.comeBack()
    }
    expect((await buffer(await store.open(id))).length).toBe(10)
  })
})

describe('a bucket', () => {
  let server: S3Server
  let store: FileStore
  beforeAll(async () => {
    server = await S3Server.start()
  })
  beforeEach(() => {
    store = openFileStore({ dataDir: '', s3: { ...server.settings, timeoutMs: 20_000 } }, databaseId)
  })
  afterEach(async () => {
    server.fault = undefined
    server.pageSize = 1000
    for (const each of await idsOf(store)) await store.remove(each)
    const expectEmpty = () => {
      if (server.problems.length + server.keys().length + server.uploads().length > 0)
        throw new Error('something is left')
    }
    await vi.waitFor(expectEmpty, 60_000)
  })
  afterAll(() => server.close())

  const receive = (size: number) => store.receive(id, inChunks(randomBytes(size)), 20 * mib)
  const failing = (operation: S3Operation, status: number, code: string, times = Infinity) => {
    let left = times
    server.fault = (asked, response) => {
      if (asked !== operation || left-- <= 0) return false
      answerProblem(response, { status, code })
      return true
    }
  }

  test('that is busy is asked again, and its file is whole', async () => {
    for (const operation of ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload', 'GetObject'] as const) {
      const bytes = randomBytes(6 * mib)
      failing(operation, 503, 'SlowDown', 2)
      await store.receive(id, inChunks(bytes), bytes.length)
      expect((await buffer(await store.open(id))).equals(bytes)).toBe(true)
    }
  })

  test.each([
    ['CreateMultipartUpload', 503, 'SlowDown'],
    ['UploadPart', 500, 'InternalError'],
    ['UploadPart', 404, 'NoSuchUpload'],
    ['UploadPart', 403, 'SignatureDoesNotMatch'],
    ['UploadPart', 301, 'PermanentRedirect'],
    ['CompleteMultipartUpload', 400, 'InvalidPart'],
    // Fails after the response headers were sent.
    ['CompleteMultipartUpload', 200, 'InternalError'],
  ] as const)('that fails at %s by %i %s is unavailable, and nothing is left', async (operation, status, code) => {
    failing(operation, status, code)
    const problem = await receive(6 * mib).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(problem).toBeInstanceOf(StoreUnavailable)
    expect((problem as Error).message).toContain(code)
    await expect.poll(() => [...server.uploads(), ...server.keys()]).toEqual([])
  })

  test('whose last answer gets lost has no file', async () => {
    server.fault = (operation, response) => {
      if (operation === 'CompleteMultipartUpload') response.writeHead = () => response.destroy() as never
      return false
    }
    await expect(receive(6 * mib)).rejects.toThrow(StoreUnavailable)
    expect(server.operations).toContain('CompleteMultipartUpload')
    await expect.poll(() => server.keys()).toEqual([])
  })

  test.each([10, 6 * mib])('that fails leaves a file of %i bytes that may have existed before', async (size) => {
    const bytes = randomBytes(size)
    await store.receive(id, inChunks(bytes), 20 * mib)
    failing(size === 10 ? 'PutObject' : 'UploadPart', 403, 'AccessDenied')
    const again = store.receive(id, inChunks(bytes), 20 * mib, { mayExist: true })
    await expect(again).rejects.toThrow(StoreUnavailable)
    server.fault = undefined
    await expect.poll(() => server.uploads()).toEqual([])
    // The calls that would remove the file.
    await store.remove(other)
    expect((await buffer(await store.open(id))).equals(bytes)).toBe(true)
  })

  test('without room says so', async () => {
    failing('PutObject', 507, 'XMinioStorageFull')
    await expect(receive(10)).rejects.toThrow(StoreFull)
  })

  test('that answers with other bytes than were asked for is not believed', async () => {
    await receive(100)
    server.fault = (operation, response) => {
      if (operation === 'GetObject') response.writeHead(200, { 'content-length': 100 }).end(Buffer.alloc(100))
      return operation === 'GetObject'
    }
    await expect(store.open(id, { start: 0, end: 9 })).rejects.toThrow(StoreUnavailable)
    server.fault = (operation, response) => {
      if (operation === 'GetObject') response.writeHead(206, { 'content-length': 5 }).end(Buffer.alloc(5))
      return operation === 'GetObject'
    }
    await expect(store.open(id, { start: 0, end: 9 })).rejects.toThrow(StoreUnavailable)
    server.fault = (operation, response) => {
      if (operation === 'GetObject') response.writeHead(200, { 'content-length': 10 }).end(Buffer.alloc(10))
      return operation === 'GetObject'
    }
    await expect(store.open(id, { start: 50, end: 59 })).rejects.toThrow(StoreUnavailable)
  })

  test('that breaks off in the middle of a file ends it with an error', async () => {
    await receive(100)
    server.fault = (operation, response) => {
      if (operation !== 'GetObject') return false
      response.writeHead(200, { 'content-length': 100 }).write(Buffer.alloc(50))
      setImmediate(() => response.destroy())
      return true
    }
    const stream = await store.open(id)
    await expect(buffer(stream)).rejects.toThrow('terminated')
  })

  test('sends no more of a file once its reader has left', async () => {
    let closed: Promise<unknown> | undefined
    server.fault = (operation, response) => {
      if (operation !== 'GetObject') return false
      closed = once(response, 'close')
      response.writeHead(200, { 'content-length': 100 * mib }).write(Buffer.alloc(20 * mib))
      return true
    }
    const stream = await store.open(id)
    await once(stream, 'data')
    stream.destroy()
    await closed
  })

  test('that never answers is given up', async () => {
    const impatient = openFileStore({ dataDir: '', s3: { ...server.settings, timeoutMs: 50 } }, databaseId)
    server.fault = () => true
    await expect(impatient.open(id)).rejects.toThrow('The store of files does not answer')
    await expect(impatient.receive(id, inChunks(randomBytes(10)), 10)).rejects.toThrow(StoreUnavailable)
    await server.stop()
    await server.startAgain()
  })

  test('whose sender leaves while a part is on its way waits for no answer', async () => {
    let arrived = () => {}
    const isWaiting = new Promise<void>((resolve) => (arrived = resolve))
    server.fault = (operation) => {
      if (operation === 'UploadPart') arrived()
      return operation === 'UploadPart'
    }
    const source = new Readable({ read() {} })
    source.push(randomBytes(6 * mib))
    const left = new Error('left')
    const received = store.receive(id, source, 20 * mib)
    await Promise.all([isWaiting.then(() => source.destroy(left)), expect(received).rejects.toBe(left)])
    await expect.poll(() => server.uploads()).toEqual([])
  })

  test('lists its files page by page, and those of nobody else', async () => {
    server.pageSize = 2
    const ids = Array.from({ length: 5 }, (_, n) => `Abcdefghijklmnopqrst1${n}`)
    for (const each of ids) await store.receive(each, inChunks(randomBytes(1)), 1)
    const prefix = `${server.settings.prefix}${databaseId}/`
    const foreign = ['foreign/Abcdefghijklmnopqrst03', `foreign&<x>`]
    for (const key of [...foreign, `${prefix}readme.txt`, `${prefix}${id}/deeper`]) server.plant(key, 'x')
    for (const each of [id, id, other]) server.plantUpload(prefix + each)
    expect(await idsOf(store)).toEqual([id, other, ...ids].toSorted())
    await store.remove(id)
    expect(server.uploads().map(({ key }) => key)).toEqual([prefix + other])
    expect(server.keys()).toContain(`${prefix}${id}/deeper`)
    for (const key of server.keys()) if (!ids.includes(key.slice(prefix.length))) server.removeObject(key)
  })

  test('that lists no uploads works all the same', async () => {
    failing('ListMultipartUploads', 501, 'NotImplemented')
    await receive(10)
    expect(await idsOf(store)).toEqual([id])
    await store.remove(id)
    expect(server.keys()).toEqual([])
    await expect(store.receive(id, inChunks(randomBytes(12 * mib)), 11 * mib)).rejects.toThrow(FileTooLarge)
    await expect.poll(() => server.uploads()).toEqual([])
  })

  test('has no more than 32 uploads at once of one process', async () => {
    const sources = Array.from({ length: 32 }, () => new Readable({ read() {} }))
    const left = new Error('left')
    const all = sources.map((source, n) =>
      store.receive(`Abcdefghijklmnopqrst${n + 10}`, source, 10, { ownerId: `owner ${n}` }),
    )
    await expect(receive(10)).rejects.toThrow(StoreUnavailable)
    for (const source of sources) source.destroy(left)
    expect(await Promise.allSettled(all)).toEqual(sources.map(() => ({ status: 'rejected', reason: left })))
    await receive(10)
  })
})

test('half an upload is swept from a bucket that lists none of them, once it can not come any more', async () => {
  const server = await S3Server.start()
  server.listsUploadsOfKeysOnly = true
  const { settings } = server
  const app = await startTestApp({ config: { s3: settings } })
  try {
    const owner = await newOwnerWithApp(app)
    const { id: ofDatabase } = await readInstallation(app.db)
    server.plantUpload(`${settings.prefix}${ofDatabase}/${id}`)
    const row = { id, app_id: owner.appId, owner_id: owner.id, name: id, description: '', file_name: '', sha256: '' }
    const idle = { size: 1000, authenticated: 0, active: 1, ready: 0, download_count: 0, authenticated_count: 0 }
    const insert = { ...row, ...idle, created_at: app.now() }
    await app.db.write(({ db }) => db.insertInto('downloads').values(insert).execute())
    app.advance(3601)
    await app.jobsDone()
    expect(server.uploads()).toHaveLength(1)
    app.advance(3601)
    await app.jobsDone()
    expect(server.uploads()).toEqual([])
    expect(await app.db.read.selectFrom('downloads').select('id').where('id', '=', id).execute()).toEqual([])
  } finally {
    await app.close()
    await server.close()
  }
})

test('no line of the log and no answer holds the key to the bucket, whatever goes wrong (R-SEC-02)', async () => {
  const lines: string[] = []
  const server = await S3Server.start()
  const { accessKeyId, secretAccessKey } = server.settings
  const s3 = { ...server.settings, region: 'wrong' }
  const app = await startTestApp({ config: { s3 }, log: newLog('trace', { write: (line) => void lines.push(line) }) })
  try {
    const owner = await newOwnerWithApp(app)
    const upload = () => owner.visitor.call('POST /downloads/upload', { body: {}, file: new Blob(['x']) })
    const answers = [await upload()]
    await server.stop()
    answers.push(await upload())
    app.advance(3601)
    await app.jobsDone()
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(server.problems).toContain('AuthorizationHeaderMalformed')
    const text = lines.join('') + JSON.stringify(answers)
    expect(text).toContain('AuthorizationHeaderMalformed')
    for (const secret of [accessKeyId, secretAccessKey]) expect(text).not.toContain(secret)
  } finally {
    await app.close()
    await server.close()
  }
})
