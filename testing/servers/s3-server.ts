import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Settings } from '#server/config/config.ts'
import { type Credentials, isSignedBody, signatureProblem } from './signature-v4.ts'

/** The operation of a request, by its name in the protocol. */
export type S3Operation =
  | 'PutObject'
  | 'CopyObject'
  | 'GetObject'
  | 'DeleteObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'
  | 'ListObjectsV2'
  | 'ListMultipartUploads'

/** Replies instead of the server, or changes its reply; true if the reply is complete. */
type Fault = (operation: S3Operation, response: ServerResponse) => boolean

const minPartBytes = 5 * 1024 * 1024

/**
 * A small S3 server for tests: one bucket, path-style addresses, objects on disk. It verifies each signature and body
 * hash itself, and enforces Amazon's rules for parts: at least 5 MiB except for the last, all listed by ETag, in order.
 */
export class S3Server {
  readonly settings: S3Settings
  /** Operations of all requests with a valid signature. */
  readonly operations: S3Operation[] = []
  /** Reasons for the rejection of other requests. */
  readonly problems: string[] = []
  /** Maximum number of entries per list. */
  pageSize = 1000
  /** Like MinIO: uploads are only listed by the complete key of their file. */
  listsUploadsOfKeysOnly = false
  fault: Fault | undefined
  readonly #folder: string
  readonly #credentials: Credentials
  #server: Server

  private constructor(port: number, server: Server) {
    this.#folder = mkdtempSync(join(tmpdir(), 'signet-s3-'))
    for (const name of ['objects', 'uploads']) mkdirSync(join(this.#folder, name))
    this.#credentials = { accessKeyId: 'TESTKEY', secretAccessKey: 'canary/Secret+Key', region: 'eu-test-1' }
    const endpoint = `http://127.0.0.1:${port}`
    this.settings = { endpoint, bucket: 'files', prefix: 'signet/', ...this.#credentials }
    this.#server = server
  }

  static async start(): Promise<S3Server> {
    const server = createServer()
    await listen(server, 0)
    const started = new S3Server((server.address() as AddressInfo).port, server)
    server.on('request', started.#answer)
    return started
  }

  /** Stops the server; its data is kept. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async startAgain(): Promise<void> {
    this.#server = createServer(this.#answer)
    await listen(this.#server, Number(new URL(this.settings.endpoint).port))
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.stop()
    rmSync(this.#folder, { recursive: true })
  }

  /** Sorted. */
  keys(): string[] {
    return this.#names('objects').map(decodeURIComponent).toSorted()
  }

  /** Unfinished multipart uploads. */
  uploads(): { key: string; uploadId: string }[] {
    return this.#names('uploads')
      .map((uploadId) => ({ uploadId, key: readFileSync(join(this.#upload(uploadId), 'key'), 'utf8') }))
      .toSorted((a, b) => (a.key + a.uploadId < b.key + b.uploadId ? -1 : 1))
  }

  bytesOf(key: string): Buffer {
    return readFileSync(this.#object(key))
  }

  /** Stores an object without a request. */
  plant(key: string, bytes: string): void {
    writeFileSync(this.#object(key), bytes)
  }

  plantUpload(key: string): void {
    this.#begin(key)
  }

  rename(key: string, to: string): void {
    renameSync(this.#object(key), this.#object(to))
  }

  removeObject(key: string): void {
    rmSync(this.#object(key))
  }

  readonly #answer = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        this.#handle(request, Buffer.concat(chunks), response)
      } catch (error) {
        if (error instanceof S3Problem) answerProblem(response, error)
        else throw error
      }
    })
  }

  #handle(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method = '', url: target = '' } = request
    const headers = request.headers as Record<string, string | undefined>
    const problem = signatureProblem({ method, target, headers }, this.#credentials, Date.now() / 1000)
    const rejection = problem ?? (isSignedBody(headers, body) ? undefined : 'XAmzContentSHA256Mismatch')
    if (rejection) {
      this.problems.push(rejection)
      throw new S3Problem(403, rejection)
    }
    const { pathname, searchParams: query } = new URL(target, this.settings.endpoint)
    const [bucket, ...path] = pathname.slice(1).split('/')
    if (bucket !== this.settings.bucket) throw new S3Problem(404, 'NoSuchBucket')
    const key = path.map(decodeURIComponent).join('/')
    const operation = operationOf(method, key, query, headers)
    this.operations.push(operation)
    if (this.fault?.(operation, response)) return
    this.#perform(operation, { key, query, headers, body, response })
  }

  #perform(operation: S3Operation, { key, query, headers, body, response }: S3Request): void {
    const uploadId = query.get('uploadId') ?? ''
    switch (operation) {
      case 'PutObject':
        writeFileSync(this.#object(key), body)
        return void response.writeHead(200, { etag: etagOf(body) }).end()
      case 'CopyObject':
        this.#copy(headers['x-amz-copy-source'] ?? '', key)
        return answerXml(response, 'CopyObjectResult', tag('ETag', etagOf(this.bytesOf(key))))
      case 'GetObject':
        return this.#send(key, headers['range'], response)
      case 'DeleteObject':
        rmSync(this.#object(key), { force: true })
        return void response.writeHead(204).end()
      case 'CreateMultipartUpload':
        return answerXml(response, 'InitiateMultipartUploadResult', tag('UploadId', this.#begin(key)))
      case 'UploadPart':
        this.#requireUpload(uploadId, key)
        writeFileSync(join(this.#upload(uploadId), query.get('partNumber') ?? ''), body)
        return void response.writeHead(200, { etag: etagOf(body) }).end()
      case 'CompleteMultipartUpload':
        this.#complete(key, uploadId, body.toString())
        return answerXml(response, 'CompleteMultipartUploadResult', tag('Key', key))
      case 'AbortMultipartUpload':
        this.#requireUpload(uploadId, key)
        rmSync(this.#upload(uploadId), { recursive: true })
        return void response.writeHead(204).end()
      case 'ListObjectsV2':
        return this.#list(query, response)
      case 'ListMultipartUploads':
        return this.#listUploads(query, response)
    }
  }

  #send(key: string, range: string | undefined, response: ServerResponse): void {
    if (!this.keys().includes(key)) throw new S3Problem(404, 'NoSuchKey')
    const bytes = this.bytesOf(key)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (from === undefined) return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    if (Number(from) >= bytes.length) throw new S3Problem(416, 'InvalidRange')
    const part = bytes.subarray(Number(from), Number(to) + 1)
    const contentRange = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
    response.writeHead(206, { 'content-length': part.length, 'content-range': contentRange }).end(part)
  }

  #copy(source: string, key: string): void {
    const [bucket, ...path] = decodeURIComponent(source).replace(/^\//, '').split('/')
    if (bucket !== this.settings.bucket) throw new S3Problem(404, 'NoSuchBucket')
    const from = this.#object(path.join('/'))
    if (!existsSync(from)) throw new S3Problem(404, 'NoSuchKey')
    copyFileSync(from, this.#object(key))
  }

  #begin(key: string): string {
    // Contains a character that must be escaped in XML.
    const uploadId = `${randomBytes(8).toString('hex')}&+=`
    mkdirSync(this.#upload(uploadId))
    writeFileSync(join(this.#upload(uploadId), 'key'), key)
    return uploadId
  }

  #complete(key: string, uploadId: string, xml: string): void {
    this.#requireUpload(uploadId, key)
    const folder = this.#upload(uploadId)
    const listed = [...xml.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g)]
    const parts = listed.map(([, number = ''], at) => {
      if (Number(number) !== at + 1) throw new S3Problem(400, 'InvalidPartOrder')
      return readFileSync(join(folder, number))
    })
    const areRight = listed.every(([, , etag], at) => etag === etagOf(parts[at] ?? Buffer.alloc(0)))
    if (parts.length === 0 || !areRight) throw new S3Problem(400, 'InvalidPart')
    if (parts.slice(0, -1).some(({ length }) => length < minPartBytes)) throw new S3Problem(400, 'EntityTooSmall')
    writeFileSync(join(this.#folder, 'completed'), Buffer.concat(parts))
    renameSync(join(this.#folder, 'completed'), this.#object(key))
    rmSync(folder, { recursive: true })
  }

  #requireUpload(uploadId: string, key: string): void {
    const upload = this.uploads().find((each) => each.uploadId === uploadId)
    if (upload?.key !== key) throw new S3Problem(404, 'NoSuchUpload')
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
    const prefix = query.get('prefix') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const isCommon = (key: string) => delimiter !== '' && key.slice(prefix.length).includes(delimiter)
    const keys = this.keys().filter((key) => key.startsWith(prefix) && key > after && !isCommon(key))
    const page = keys.slice(0, this.pageSize)
    const isCut = page.length < keys.length
    const entries = page.map((key) => {
      const changedAt = statSync(this.#object(key)).mtime.toISOString()
      return `<Contents>${tag('Key', key)}${tag('LastModified', changedAt)}</Contents>`
    })
    const token = Buffer.from(page.at(-1) ?? '').toString('base64')
    const next = isCut ? tag('NextContinuationToken', token) : ''
    answerXml(response, 'ListBucketResult', tag('IsTruncated', String(isCut)) + next + entries.join(''))
  }

  #listUploads(query: URLSearchParams, response: ServerResponse): void {
    const [keyMarker, idMarker] = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? '']
    const isAfter = ({ key, uploadId }: { key: string; uploadId: string }) =>
      key > keyMarker || (key === keyMarker && idMarker !== '' && uploadId > idMarker)
    const prefix = query.get('prefix') ?? ''
    const isMatch = ({ key }: { key: string }) =>
      this.listsUploadsOfKeysOnly ? key === prefix : key.startsWith(prefix)
    const uploads = this.uploads().filter((each) => isMatch(each) && isAfter(each))
    const page = uploads.slice(0, this.pageSize)
    const last = page.length < uploads.length ? page.at(-1) : undefined
    const entries = page.map(
      ({ key, uploadId }) =>
        `<Upload>${tag('Key', key)}${tag('UploadId', uploadId)}<Owner><ID>x</ID></Owner>` +
        `${tag('Initiated', statSync(this.#upload(uploadId)).mtime.toISOString())}</Upload>`,
    )
    const next = last ? tag('NextKeyMarker', last.key) + tag('NextUploadIdMarker', last.uploadId) : ''
    const cut = tag('IsTruncated', String(last !== undefined))
    answerXml(response, 'ListMultipartUploadsResult', cut + next + entries.join(''))
  }

  readonly #names = (of: 'objects' | 'uploads'): string[] =>
    readdirSync(join(this.#folder, of)).map((name) => (of === 'uploads' ? decodeURIComponent(name) : name))
  readonly #object = (key: string): string => join(this.#folder, 'objects', encodeURIComponent(key))
  readonly #upload = (uploadId: string): string => join(this.#folder, 'uploads', encodeURIComponent(uploadId))
}

interface S3Request {
  key: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: Buffer
  response: ServerResponse
}

class S3Problem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

function operationOf(method: string, key: string, query: URLSearchParams, headers: S3Request['headers']): S3Operation {
  if (key === '') {
    if (method === 'GET' && query.has('uploads')) return 'ListMultipartUploads'
    if (method === 'GET' && query.get('list-type') === '2') return 'ListObjectsV2'
  } else if (method === 'POST') {
    return query.has('uploads') ? 'CreateMultipartUpload' : 'CompleteMultipartUpload'
  } else {
    const isOfUpload = query.has('uploadId')
    if (method === 'PUT' && 'x-amz-copy-source' in headers) return 'CopyObject'
    if (method === 'PUT') return isOfUpload ? 'UploadPart' : 'PutObject'
    if (method === 'DELETE') return isOfUpload ? 'AbortMultipartUpload' : 'DeleteObject'
    if (method === 'GET') return 'GetObject'
  }
  throw new S3Problem(405, 'MethodNotAllowed')
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

const tag = (name: string, text: string): string =>
  `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`

function answerXml(response: ServerResponse, root: string, content: string): void {
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`,
    )
}

export function answerProblem(response: ServerResponse, { status, code }: { status: number; code: string }): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error>${tag('Code', code)}</Error>`)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
