import { Readable } from 'node:stream'
import type { S3Settings } from '#server/config.ts'
import { type FileStore, ReceivedBytes, type StoredFile, StoreUnavailable } from './file-store.ts'
import { S3Bucket } from './s3-bucket.ts'

/** S3 takes no smaller parts but the last, and no more of them. */
const minPartBytes = 5 * 1024 * 1024
const maxParts = 10_000
/** Of one process: a part of each stands in memory. */
const maxUploads = 32
/** As the server makes them up. Whatever else is in the bucket is none of ours. */
const fileId = /^[A-Za-z0-9]{22}$/

/**
 * Files as objects of a bucket, `<prefix><id>`. What is larger than a part goes up in parts while it comes; the object
 * is there once all of them are.
 */
export function s3Store(settings: S3Settings): FileStore {
  const bucket = new S3Bucket(settings)
  const keyOf = (id: string) => settings.prefix + id
  let uploads = 0

  async function remove(id: string): Promise<void> {
    const key = keyOf(id)
    for await (const upload of bucket.uploads(key)) {
      if (upload.key === key) await bucket.abort(key, upload.uploadId)
    }
    await bucket.delete(key)
  }

  return {
    async receive(id, source, maxBytes) {
      if (uploads >= maxUploads) throw new StoreUnavailable('Too many files come at once')
      uploads += 1
      const left = new AbortController()
      const onError = (error: Error) => left.abort(error)
      source.once('error', onError)
      try {
        return await upload(bucket, keyOf(id), { source, maxBytes, signal: left.signal })
      } catch (error) {
        // What can't be removed now is swept.
        await remove(id).catch(() => {})
        throw error
      } finally {
        uploads -= 1
        source.off('error', onError)
      }
    },
    async open(id, range) {
      const body = await bucket.get(keyOf(id), range)
      return Readable.fromWeb(body)
    },
    remove,
    async *ids() {
      const idOf = (key: string) => key.slice(settings.prefix.length)
      for await (const key of bucket.keys(settings.prefix)) if (fileId.test(idOf(key))) yield idOf(key)
      for await (const { key } of bucket.uploads(settings.prefix)) if (fileId.test(idOf(key))) yield idOf(key)
    },
  }
}

interface Upload {
  source: Readable
  maxBytes: number
  /** Ends a request that is under way. */
  signal: AbortSignal
}

async function upload(bucket: S3Bucket, key: string, { source, maxBytes, signal }: Upload): Promise<StoredFile> {
  const received = new ReceivedBytes(maxBytes)
  const partBytes = Math.max(minPartBytes, Math.ceil(maxBytes / maxParts))
  const etags: string[] = []
  let uploadId: string | undefined
  try {
    for await (const part of inParts(received.of(source), partBytes)) {
      if (uploadId === undefined && part.length < partBytes) {
        await bucket.put(key, part, signal)
        return received.result()
      }
      uploadId ??= await bucket.begin(key, signal)
      etags.push(await bucket.putPart(key, { uploadId, number: etags.length + 1, bytes: part, signal }))
    }
    if (uploadId !== undefined) await bucket.complete(key, { uploadId, etags, signal })
    return received.result()
  } catch (error) {
    if (uploadId !== undefined) await bucket.abort(key, uploadId).catch(() => {})
    throw error
  }
}

/** All of the same size but the last, as some stores demand; of nothing one empty part. */
async function* inParts(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  let chunks: Buffer[] = []
  let length = 0
  let isFirst = true
  for await (let chunk of source) {
    while (length + chunk.length >= partBytes) {
      const rest = partBytes - length
      yield Buffer.concat([...chunks, chunk.subarray(0, rest)])
      chunk = chunk.subarray(rest)
      chunks = []
      length = 0
      isFirst = false
    }
    if (chunk.length > 0) chunks.push(chunk)
    length += chunk.length
  }
  if (length > 0 || isFirst) yield Buffer.concat(chunks)
}
