import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlainRequest } from './plain-request.ts'

/** Two parsers read the connections of programs; where they disagree, a request could be smuggled past one of them. */

const path = '/api/1.3/'
const maxBodyBytes = (of: string) => (of === path ? 1000 : undefined)
const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'), maxBodyBytes)
const request = (head = '', body = 'abc') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${head}\r\n${body}`

interface Parsed {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** What Node's parser makes of the bytes: each request, and whether it rejected the rest. */
async function readByNode(bytes: Buffer): Promise<Parsed[]> {
  const requests: Parsed[] = []
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, written) => written() })
  await new Promise<void>((resolve) => {
    const server = createServer((incoming, response) => {
      const { method, url, headers } = incoming
      let body = ''
      incoming.on('data', (piece: Buffer) => (body += piece.toString('latin1')))
      incoming.on('end', () => {
        requests.push({ method, url, headers, body })
        response.end()
      })
    })
    server.on('clientError', () => resolve())
    server.on('checkExpectation', () => resolve())
    server.on('upgrade', () => resolve())
    connection.on('close', resolve)
    server.emit('connection', connection)
    connection.push(bytes)
    connection.push(null)
  })
  connection.destroy()
  return requests
}

test('reads a plain request, and asks for the rest of one', () => {
  const whole = request('X-App: 1\r\n')
  expect(read(`${whole}POST`)).toMatchObject({ path, length: whole.length, isLast: false, headers: { 'x-app': '1' } })
  for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBe('incomplete')
  expect(read(request('connection: close\r\n'))).toMatchObject({ isLast: true })
})

const hostileHeads: [string, string][] = [
  ['a second length', 'content-length: 3\r\n'],
  ['a length in other letters', 'Content-Length: 30\r\n'],
  ['chunks', 'transfer-encoding: chunked\r\n'],
  ['chunks behind a tab', 'transfer-encoding:\tchunked\r\n'],
  ['a blank before the colon', 'x-length : 3\r\n'],
  ['a folded line', 'x: a\r\n b\r\n'],
  ['a lone line feed', 'x: a\ncontent-length: 1\r\n'],
  ['a lone carriage return', 'x: a\rcontent-length: 1\r\n'],
  ['a null byte', 'x: \0\r\n'],
  ['bytes above ASCII', 'x: é\r\n'],
  ['no name', ': x\r\n'],
  ['a second host', 'host: y\r\n'],
  ['an expectation', 'expect: 100-continue\r\n'],
  ['an upgrade', 'upgrade: h2c\r\n'],
  ['a list of connection options', 'connection: keep-alive, upgrade\r\n'],
  ['a page of another origin', 'origin: https://example.com\r\n'],
  ['a prototype', '__proto__: x\r\n'],
]

test.each(hostileHeads)('leaves %s to the parser of Node', (_name, head) => {
  expect(read(request(head))).toBeUndefined()
})

test('leaves other methods, addresses, versions, lengths and hosts to the parser of Node', () => {
  const plain = request()
  const others = [
    plain.replace('POST', 'GET'),
    plain.replace('POST', 'post'),
    plain.replace(path, `${path}?a=1`),
    plain.replace(path, `http://x${path}`),
    plain.replace('HTTP/1.1', 'HTTP/1.0'),
    plain.replace('POST ', 'POST  '),
    plain.replace('length: 3', 'length: +3'),
    plain.replace('length: 3', 'length: 3, 3'),
    plain.replace('length: 3', 'length: 0x3'),
    plain.replace('length: 3', 'length: -3'),
    plain.replace('length: 3', 'length: 1001'),
    plain.replace('length: 3', 'length:'),
    plain.replace('host: x', 'host: x y'),
    plain.replace('host: x', 'host:'),
    plain.replace('host: x\r\n', ''),
    `\r\n${plain}`,
    `POST ${path} HTTP/1.1\r\nx: ${'y'.repeat(9000)}`,
  ]
  for (const text of others) expect(read(text), text).toBeUndefined()
})

const pieces = [
  ['POST ', path, ' HTTP/1.1', 'HTTP/1.0', '\r\n', '\n', '\r', '\t', ' ', ':', ',', '\0', 'é', '__proto__', 'chunked'],
  ['host: x', 'content-length: 3', 'content-length: 5', 'transfer-encoding: chunked', 'connection: close'],
  ['abc', '3\r\nabc\r\n0\r\n\r\n', 'x-a: b', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
]
const piece = fc.constantFrom(...pieces.flat())
/** A plain request with pieces put in, cut out or put over. */
const mutated = fc
  .tuple(
    fc.constantFrom(request(), request('x-a: b\r\n'), request('', ''), request() + request('x-c: d\r\n', 'defgh')),
    fc.array(fc.tuple(piece, fc.nat(120), fc.nat(6)), { maxLength: 3 }),
  )
  .map(([text, edits]) => edits.reduce((now, [put, at, cut]) => now.slice(0, at) + put + now.slice(at + cut), text))

test('reads nothing otherwise than the parser of Node', async () => {
  let read = 0
  await fc.assert(
    fc.asyncProperty(mutated, async (text) => {
      const bytes = Buffer.from(text, 'latin1')
      const found = readPlainRequest(bytes, maxBodyBytes)
      if (!found || found === 'incomplete') return
      read++
      const [first, ...others] = await readByNode(bytes)
      expect(first).toEqual({
        method: 'POST',
        url: found.path,
        headers: { ...found.headers },
        body: found.body.toString('latin1'),
      })
      expect(others).toEqual(await readByNode(found.isLast ? Buffer.alloc(0) : bytes.subarray(found.length)))
    }),
    { numRuns: 3000 },
  )
  expect(read).toBeGreaterThan(100)
})
