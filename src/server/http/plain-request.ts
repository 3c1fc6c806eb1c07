import { isHost } from './host-header.ts'

/** A whole request of the plainest form: POST, one line per header, a body of stated length. */
export interface PlainRequest {
  path: string
  /** Names in lowercase. */
  headers: Record<string, string | undefined>
  body: Buffer
  /** Bytes of head and body together. */
  length: number
  /** The client closes the connection after the reply. */
  isLast: boolean
}

const maxHeadBytes = 8192
const methodMark = 'POST '
const headEndMark = Buffer.from('\r\n\r\n')
const versionLength = ' HTTP/1.1'.length
/** No line can be read in two ways: no folding, no control characters, no blanks around names. */
const headShape = /^POST [\x21-\x7e]+ HTTP\/1\.1(?:\r\n[!#$%&'*+.^_`|~\dA-Za-z-]+:[\x20-\x7e]*)+$/
const lengthShape = /^\d{1,6}$/
/** Change how a request is read or answered. Node leaves `__proto__` out of a request's headers. */
const unusualHeaders = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer', 'origin', '__proto__'])

/**
 * Reads a request if it has exactly this form and one of these paths. `incomplete` if it may become one with more bytes;
 * undefined for everything else, valid or not, which is left to Node's parser.
 *
 * @param maxBodyBytes - largest body by path
 */
export function readPlainRequest(
  bytes: Buffer,
  maxBodyBytes: (path: string) => number | undefined,
): PlainRequest | 'incomplete' | undefined {
  const headEnd = bytes.indexOf(headEndMark)
  if (headEnd < 0) return bytes.length < maxHeadBytes && startsLikeOne(bytes) ? 'incomplete' : undefined
  if (headEnd > maxHeadBytes) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const lineEnd = head.indexOf('\r\n')
  const path = head.slice(methodMark.length, lineEnd - versionLength)
  const maxBytes = maxBodyBytes(path)
  if (maxBytes === undefined || !headShape.test(head)) return undefined
  const headers = readHeaders(head, lineEnd)
  if (!headers || !isPlain(headers)) return undefined
  const { connection, 'content-length': bodyLength = '' } = headers
  if (!lengthShape.test(bodyLength) || Number(bodyLength) > maxBytes) return undefined
  const bodyAt = headEnd + headEndMark.length
  const length = bodyAt + Number(bodyLength)
  if (bytes.length < length) return 'incomplete'
  return { path, headers, body: bytes.subarray(bodyAt, length), length, isLast: connection === 'close' }
}

const startsLikeOne = (bytes: Buffer): boolean =>
  methodMark.startsWith(bytes.toString('latin1', 0, Math.min(bytes.length, methodMark.length)))

/** Undefined if a header is unusual or repeated. */
function readHeaders(head: string, firstLineEnd: number): PlainRequest['headers'] | undefined {
  const headers = Object.create(null) as PlainRequest['headers']
  for (let at = firstLineEnd; at < head.length;) {
    const nameEnd = head.indexOf(':', at)
    const next = head.indexOf('\r\n', nameEnd)
    const lineEnd = next < 0 ? head.length : next
    const name = head.slice(at + 2, nameEnd).toLowerCase()
    // `in` is slow for an object that serves as a dictionary.
    if (unusualHeaders.has(name) || headers[name] !== undefined) return undefined
    headers[name] = head.slice(nameEnd + 1, lineEnd).trim()
    at = lineEnd
  }
  return headers
}

function isPlain(headers: PlainRequest['headers']): boolean {
  const { host = '', connection = 'keep-alive' } = headers
  if (host === '' || !isHost(host)) return false
  return connection === 'close' || connection.toLowerCase() === 'keep-alive'
}
