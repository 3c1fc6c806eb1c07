import { Readable } from 'node:stream'
import type { S3Settings } from '#server/config/config.ts'
import { type ShareLimits, Shares } from '#server/network/shares.ts'
import {
  type FileEntry,
  fileId,
  type FileLocation,
  FileMissing,
  type FileStore,
  ReceivedBytes,
  type ReserveBytes,
  type StoredFile,
  StoreUnavailable,
} from './file-store.ts'
import { type ListedKey, S3Bucket } from './s3-bucket.ts'

/** Limits of S3: all parts except the last have at least this size, and there are at most this many. */
const minPartBytes = 5 * 1024 * 1024
const maxParts = 10_000
/** Concurrent uploads per process, because one part of each is in memory. A slow one can take an hour. */
const uploadLimits: ShareLimits = { max: 32, maxPerOwner: 8 }

/**
 * Files as objects of a bucket, `<prefix><database id>/<id>`. Files larger than one part are uploaded in parts as they
 * are received; the object exists once all parts are stored.
 */
export function s3Store(settings: S3Settings, databaseId: string | undefined): FileStore {
  const bucket = new S3Bucket(settings)
  const current = databaseId === undefined ? settings.prefix : `${settings.prefix}${databaseId}/`
  const prefixOf = (location: FileLocation) =>
    location === 'current' ? current : location === 'shared' ? settings.prefix : `${current}${location}/`
  const keyOf = (id: string, location: FileLocation) => prefixOf(location) + id
  const uploads = new Shares(uploadLimits)

  async function remove(id: string): Promise<void> {
    for (const key of new Set([keyOf(id, 'current'), keyOf(id, 'shared')])) {
      for await (const upload of bucket.uploads(key)) {
        if (upload.key === key) await bucket.abort(key, upload.uploadId)
      }
      await bucket.delete(key)
    }
  }

  /** Not awaited, because a failing store may be unresponsive. The cleanup removes the rest. */
  function removeLater(id: string, uploadId: string | undefined, mayExist: boolean): void {
    const aborted = uploadId === undefined ? Promise.resolve() : bucket.abort(keyOf(id, 'current'), uploadId)
    void aborted
      .catch(() => {})
      .then(() => (mayExist ? undefined : remove(id)))
      .catch(() => {})
  }

  return {
    async receive(id, source, maxBytes, { reserve, ownerId = '', mayExist = false } = {}) {
      if (!uploads.canTake(ownerId, true)) throw new StoreUnavailable('Too many files come at once')
      uploads.take(ownerId)
      const left = new AbortController()
      const onError = (error: Error) => left.abort(error)
      source.once('error', onError)
      const upload: Upload = { source, maxBytes, reserve, signal: left.signal, uploadId: undefined }
      try {
        return await sendUp(bucket, keyOf(id, 'current'), upload)
      } catch (error) {
        removeLater(id, upload.uploadId, mayExist)
        throw error
      } finally {
        uploads.release(ownerId)
        source.off('error', onError)
      }
    },
    async open(id, range) {
      const body = await bucket.get(keyOf(id, 'current'), range).catch((error: unknown) => {
        if (error instanceof FileMissing) return bucket.get(keyOf(id, 'shared'), range)
        throw error
      })
      return Readable.fromWeb(body)
    },
    remove,
    async *list(where) {
      if (where === 'shared') yield* entriesOf(bucket.keys(settings.prefix, '/'), settings.prefix, 'shared')
      else if (where === 'current') {
        yield* entriesOf(bucket.keys(current), current, 'current')
        yield* entriesOf(bucket.uploads(current), current, 'current')
      } else yield* removedEntries(bucket.keys(`${current}removed/`), `${current}removed/`)
    },
    async move(id, from, to) {
      await bucket.copy(keyOf(id, from), keyOf(id, to))
      await bucket.delete(keyOf(id, from))
    },
    removeFrom: (id, location) => bucket.delete(keyOf(id, location)),
  }
}

const entry = (id: string, location: FileLocation, listed: ListedKey & { uploadId?: string }): FileEntry => ({
  id,
  location,
  isWhole: listed.uploadId === undefined,
  changedAt: async () => listed.changedAt,
})

async function* entriesOf(
  keys: AsyncIterable<ListedKey>,
  prefix: string,
  location: 'current' | 'shared',
): AsyncGenerator<FileEntry> {
  for await (const listed of keys) {
    const id = listed.key.slice(prefix.length)
    if (fileId.test(id)) yield entry(id, location, listed)
  }
}

async function* removedEntries(keys: AsyncIterable<ListedKey>, prefix: string): AsyncGenerator<FileEntry> {
  for await (const listed of keys) {
    const [day = '', id = '', ...deeper] = listed.key.slice(prefix.length).split('/')
    if (fileId.test(id) && deeper.length === 0) yield entry(id, `removed/${day}`, listed)
  }
}

const ofAnyDatabase = /^([0-9a-f-]{36}\/)?[A-Za-z0-9]{22}$/

/** Whether the bucket has files of any database under the prefix. */
export async function bucketHasFiles(settings: S3Settings): Promise<boolean> {
  for await (const { key } of new S3Bucket(settings).keys(settings.prefix)) {
    if (ofAnyDatabase.test(key.slice(settings.prefix.length))) return true
  }
  return false
}

interface Upload {
  source: Readable
  maxBytes: number
  reserve: ReserveBytes | undefined
  /** Aborts a running request. */
  signal: AbortSignal
  /** Set once the upload is multipart. */
  uploadId: string | undefined
}

async function sendUp(bucket: S3Bucket, key: string, upload: Upload): Promise<StoredFile> {
  const { source, maxBytes, reserve, signal } = upload
  const received = new ReceivedBytes(maxBytes, reserve)
  const partBytes = Math.max(minPartBytes, Math.ceil(maxBytes / maxParts))
  const etags: string[] = []
  for await (const part of inParts(received.of(source), partBytes)) {
    if (upload.uploadId === undefined && part.length < partBytes) {
      await bucket.put(key, part, signal)
      return received.result()
    }
    upload.uploadId ??= await bucket.begin(key, signal)
    const { uploadId } = upload
    etags.push(await bucket.putPart(key, { uploadId, number: etags.length + 1, bytes: part, signal }))
  }
  if (upload.uploadId !== undefined) await bucket.complete(key, { uploadId: upload.uploadId, etags, signal })
  return received.result()
}

/** Parts of equal size except the last, as some stores require; one empty part for an empty file. */
async function* inParts(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  // Copied at once: the pieces of a sender may be single bytes, each of which would be an object.
  let part = Buffer.allocUnsafe(partBytes)
  let length = 0
  let isFirst = true
  for await (let chunk of source) {
    while (length + chunk.length >= partBytes) {
      const rest = chunk.subarray(0, partBytes - length)
      rest.copy(part, length)
      yield part
      chunk = chunk.subarray(rest.length)
      part = Buffer.allocUnsafe(partBytes)
      length = 0
      isFirst = false
    }
    chunk.copy(part, length)
    length += chunk.length
  }
  if (length > 0 || isFirst) yield part.subarray(0, length)
}
