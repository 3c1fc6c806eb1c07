import { randomInt } from 'node:crypto'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Settings } from '#server/config/config.ts'
import { bodyWithinTime } from './body-within-time.ts'
import { FileMissing, StoreFull, StoreUnavailable } from './file-store.ts'

const maxAttempts = 3
const firstPauseMs = 100
/** Timeout of a call with all its attempts; of a streamed body, between any two chunks. */
const silenceMs = 30_000

interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer<ArrayBuffer>
  /** A 404 means that the file does not exist. */
  isOfFile?: boolean
  /** When aborted, its reason is thrown. */
  signal?: AbortSignal | undefined
}

export interface ListedKey {
  key: string
  /** Epoch seconds; NaN if the store does not report it. */
  changedAt: number
}

interface Answer {
  status: number
  headers: Headers
  text: string
}

/** The store replied with an error. */
class Rejected extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`The store of files has answered ${status} ${code}`.trimEnd())
    this.status = status
    this.code = code
  }
}

/**
 * The calls of the S3 protocol that files need, each signed with the hash of its body, with path-style addresses and
 * retries if the store is busy. Replies are validated, and read only up to the expected length.
 */
export class S3Bucket {
  readonly #client: AwsClient
  readonly #address: string
  readonly #bucket: string
  readonly #silenceMs: number

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey, timeoutMs }: S3Settings) {
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
    this.#bucket = bucket
    this.#address = `${withoutSlashAtEnd(endpoint)}/${bucket}`
    this.#silenceMs = timeoutMs ?? silenceMs
  }

  async put(key: string, body: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    await this.#call({ method: 'PUT', key, body, signal })
  }

  /** Throws `FileMissing`. */
  async get(key: string, range?: { start: number; end: number }): Promise<ReadableStream> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` }
    const response = await this.#send({ method: 'GET', key, ...(headers && { headers }) }, async (answer) => answer)
    const length = response.headers.get('content-length')
    const wanted = range && String(range.end - range.start + 1)
    const isWanted = response.status === (range ? 206 : 200) && (!range || length === null || length === wanted)
    if (isWanted && response.body) {
      return bodyWithinTime(response.body as ReadableStream<Uint8Array>, this.#silenceMs, silent)
    }
    await response.body?.cancel()
    throw new StoreUnavailable(`The store of files has answered ${response.status} with other bytes`)
  }

  async delete(key: string): Promise<void> {
    await this.#call({ method: 'DELETE', key }).catch((error: unknown) => {
      if (!(error instanceof FileMissing)) throw error
    })
  }

  /** Copies a file within the store. Throws `FileMissing`. */
  async copy(from: string, to: string): Promise<void> {
    const headers = { 'x-amz-copy-source': `/${this.#bucket}/${from}` }
    const { text } = await this.#call({ method: 'PUT', key: to, headers, isOfFile: true })
    // It may say 200 first and fail afterwards.
    if (!text.includes('<CopyObjectResult')) unexpected(textOf(text, 'Code') || 'no copied file')
  }

  /** Starts a multipart upload. */
  async begin(key: string, signal: AbortSignal): Promise<string> {
    const { text } = await this.#call({ method: 'POST', key, query: { uploads: '' }, signal })
    return textOf(text, 'UploadId') || unexpected('no upload id')
  }

  /** Returns the ETag of the part. */
  async putPart(
    key: string,
    part: { uploadId: string; number: number; bytes: Buffer<ArrayBuffer>; signal: AbortSignal },
  ): Promise<string> {
    const { uploadId, number, bytes: body, signal } = part
    const query = { partNumber: String(number), uploadId }
    const { headers } = await this.#call({ method: 'PUT', key, query, body, signal })
    return headers.get('etag') || unexpected('no tag of a part')
  }

  async complete(key: string, upload: { uploadId: string; etags: string[]; signal: AbortSignal }): Promise<void> {
    const { uploadId, etags, signal } = upload
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const { text } = await this.#call({ method: 'POST', key, query: { uploadId }, body, signal })
    // It may say 200 first and fail afterwards.
    if (!text.includes('<CompleteMultipartUploadResult')) unexpected(textOf(text, 'Code') || 'no completed upload')
  }

  async abort(key: string, uploadId: string): Promise<void> {
    await this.#call({ method: 'DELETE', key, query: { uploadId } }).catch((error: unknown) => {
      if (!(error instanceof FileMissing)) throw error
    })
  }

  /** With a delimiter, keys that contain it after the prefix are excluded. */
  async *keys(prefix: string, delimiter = ''): AsyncGenerator<ListedKey> {
    for (let token = ''; ;) {
      const after = token && { 'continuation-token': token }
      const query = { 'list-type': '2', prefix, ...(delimiter && { delimiter }), ...after }
      const { text } = await this.#call({ method: 'GET', query })
      if (!text.includes('<ListBucketResult')) unexpected('no list of files')
      for (const entry of elements(text, 'Contents')) {
        yield { key: textOf(entry, 'Key'), changedAt: secondsOf(textOf(entry, 'LastModified')) }
      }
      const next = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : ''
      if (next === '' || next === token) return
      token = next
    }
  }

  /** Unfinished multipart uploads. Some stores list only those of an exact key, some none at all. */
  async *uploads(prefix: string): AsyncGenerator<ListedKey & { uploadId: string }> {
    for (let marker = ''; ;) {
      const [keyMarker = '', uploadMarker = ''] = marker.split('\n')
      const after = marker && { 'key-marker': keyMarker, 'upload-id-marker': uploadMarker }
      const query = { uploads: '', prefix, ...after }
      const answer = await this.#call({ method: 'GET', query }).catch((error: Error) => {
        if (!isNotImplemented(error)) throw error
      })
      if (!answer) return
      const { text } = answer
      for (const entry of elements(text, 'Upload')) {
        const changedAt = secondsOf(textOf(entry, 'Initiated'))
        yield { key: textOf(entry, 'Key'), uploadId: textOf(entry, 'UploadId'), changedAt }
      }
      const isCut = textOf(text, 'IsTruncated') === 'true'
      const next = isCut ? `${textOf(text, 'NextKeyMarker')}\n${textOf(text, 'NextUploadIdMarker')}` : ''
      if (next === '' || next === marker) return
      marker = next
    }
  }

  #call(request: S3Request): Promise<Answer> {
    return this.#send(request, async (response) => {
      return { status: response.status, headers: response.headers, text: await replyText(response) }
    })
  }

  /** All attempts together take at most one timeout. */
  async #send<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<T> {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(silent()), this.#silenceMs)
    const signal = AbortSignal.any([silence.signal, ...(request.signal ? [request.signal] : [])])
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt({ ...request, signal }, read)
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof StoreUnavailable) throw error
          if (attempt === maxAttempts || !mayPass(error)) throw explained(error, request)
          await pause(randomInt(firstPauseMs * 2 ** attempt))
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #attempt<T>(
    { method, key, query, headers, body, signal }: S3Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const url = new URL(this.#address + (key === undefined ? '' : `/${key}`))
    url.search = new URLSearchParams(query).toString()
    const signed = await this.#client.sign(url.href, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': await sha256Of(body) },
      ...(body && { body }),
      redirect: 'manual',
      ...(signal && { signal }),
    })
    const response = await fetch(signed)
    if (!response.ok) throw new Rejected(response.status, textOf(await replyText(response), 'Code').slice(0, 100))
    return await read(response)
  }
}

const withoutSlashAtEnd = (address: string): string =>
  address.endsWith('/') ? withoutSlashAtEnd(address.slice(0, -1)) : address

/** On the thread pool, because a body may be megabytes. */
const sha256Of = async (body: Buffer<ArrayBuffer> = Buffer.alloc(0)): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')

/** A broken connection or a busy store; a retry may succeed. */
const mayPass = (error: unknown): boolean =>
  error instanceof Rejected ? [429, 500, 502, 503, 504].includes(error.status) : error instanceof TypeError

const silent = () => new StoreUnavailable('The store of files does not answer')

function explained(error: unknown, { method, key, isOfFile }: S3Request): Error {
  if (!(error instanceof Rejected))
    return new StoreUnavailable('The store of files can not be reached', { cause: error })
  const mayBeMissing = isOfFile || (key !== undefined && (method === 'GET' || method === 'DELETE'))
  if (mayBeMissing && error.status === 404 && error.code !== 'NoSuchBucket') return new FileMissing(error.message)
  if (error.status === 507) return new StoreFull(error.message)
  return new StoreUnavailable(error.message, { cause: error })
}

/** A list of 1,000 files, the longest reply, has less. */
const maxReplyBytes = 4 * 1024 * 1024

async function replyText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxReplyBytes) unexpected('an endless reply')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const secondsOf = (date: string): number => Date.parse(date) / 1000

const isNotImplemented = ({ cause }: Error): boolean => cause instanceof Rejected && cause.status === 501

function unexpected(what: string): never {
  throw new StoreUnavailable(`The store of files has answered with ${what.slice(0, 100)}`)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const unescaped = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (_all, name, decimal, hexadecimal) =>
    name ? (entities[name] as string) : String.fromCodePoint(decimal ? Number(decimal) : parseInt(hexadecimal, 16)),
  )

/** The content of each element with this name. The elements read here never contain another one with their own name. */
function* elements(xml: string, name: string): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = 0; ;) {
    const start = xml.indexOf(open, at)
    const end = start < 0 ? -1 : xml.indexOf(close, start)
    if (end < 0) return
    yield xml.slice(start + open.length, end)
    at = end + close.length
  }
}

/** The text of the first element with this name; empty if there is none. */
function textOf(xml: string, name: string): string {
  for (const text of elements(xml, name)) return unescaped(text)
  return ''
}
