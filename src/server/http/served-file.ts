import type { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { parse as parseRange } from 'range-parser'

/** A stored file as the reply of a call. */
export interface ServedFile {
  /** File name for saving. */
  name: string
  bytes: number
  /** Changes whenever the bytes change. */
  etag: string
  /** Reads an inclusive byte range. An error thrown here becomes the reply, because nothing has been sent yet. */
  open(range: { start: number; end: number }): Promise<Readable>
  /** Called with the inclusive range of bytes that was sent, when the reply has ended or was cut off. */
  onSent(sent: { start: number; end: number }): void
}

export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  /** Undefined if there is nothing to send. */
  range: { start: number; end: number } | undefined
}

interface FileRequest {
  method: string
  headers: { range?: string | undefined; 'if-range'?: string | undefined; 'if-none-match'?: string | undefined }
}

/**
 * Selects the bytes and the headers of the reply: a browser always saves the file and never renders
 * or runs it. A request for several ranges gets the whole file, as RFC 9110 §14.2 allows.
 */
export function fileAnswer({ name, bytes, etag }: ServedFile, { method, headers }: FileRequest): FileAnswer {
  const head = {
    'content-type': 'application/octet-stream',
    'content-disposition': contentDisposition(safeFileName(name)),
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    etag: `"${etag}"`,
  }
  if (namesTag(headers['if-none-match'], head.etag)) return { status: 304, headers: head, range: undefined }
  // Ranges are defined for GET only.
  const range = method === 'GET' ? requestedRange(bytes, head.etag, headers) : undefined
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...head, 'content-range': `bytes */${bytes}` }, range: undefined }
  }
  const part = range ?? { start: 0, end: bytes - 1 }
  const answered = {
    ...head,
    'content-length': String(part.end - part.start + 1),
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }),
  }
  return { status: range ? 206 : 200, headers: answered, range: method === 'HEAD' || bytes === 0 ? undefined : part }
}

/** Whether a list of tags has this one, which may have become a weak one on the way (RFC 9110 §13.1.2). */
const namesTag = (tags: string | undefined, etag: string): boolean =>
  tags?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false

const malformed = 1

/** A range of a file that has changed since is answered with the whole new file. */
function requestedRange(bytes: number, etag: string, { range, 'if-range': ifRange }: FileRequest['headers']) {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const { code, type, ranges } = parseRange(bytes, range)
  // RFC 9110 §14.2: what is malformed or in another unit counts as not sent.
  if (type !== 'bytes' || (code & malformed) !== 0) return undefined
  if (ranges.length === 0) return code === 0 ? undefined : 'unsatisfiable'
  return ranges.length === 1 ? ranges[0] : undefined
}

// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"*/:<>?\\|]|%(?=[\da-f]{2})/gi
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i
const maxNameLength = 255

/** A file name that no system interprets as a path, a device or another extension. */
export function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(unsafe, '_')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
    .slice(0, maxNameLength)
    .toWellFormed()
  if (plain === '') return 'download'
  return reserved.test(plain) ? `_${plain}` : plain
}
