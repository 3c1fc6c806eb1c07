import { gzipSync } from 'node:zlib'
import { chunk, head, raw, write } from '../server/raw-http.ts'
import { bytesOf, headerOf, withHeader, withoutHeader, withSecond } from '../server/signed-reply.ts'
import { type Broken, unusable } from './hostile-sizes.ts'

/** Answers that are cut off, ambiguous, or no HTTP. */
export const misframed: Broken[] = [
  {
    name: 'nothing, and the connection closed',
    guards: 'no answer is no answer',
    script: raw(() => ''),
  },
  {
    name: 'half of the headers',
    guards: 'an answer that is cut off is no answer',
    script: raw(({ honest }) => bytesOf(honest()).subarray(0, 200)),
  },
  {
    name: 'half of the body',
    guards: 'an answer that is cut off is no answer',
    script: raw(({ honest }) => bytesOf(honest()).subarray(0, -20)),
  },
  {
    name: 'half of a chunk',
    guards: 'an answer that is cut off is no answer',
    script: raw(({ honest }) => {
      const reply = honest()
      return Buffer.concat([
        Buffer.from(head(reply, ['transfer-encoding: chunked'])),
        chunk(reply.body).subarray(0, -30),
      ])
    }),
  },
  {
    name: 'chunks without the last one',
    guards: 'an answer in chunks has an end, even if its bytes are all there',
    script: raw(({ honest }) => {
      const reply = honest()
      return Buffer.concat([Buffer.from(head(reply, ['transfer-encoding: chunked'])), chunk(reply.body)])
    }),
  },
  {
    name: 'a length longer than the body',
    guards: 'a body shorter than its length is no complete answer, even if its bytes are all there',
    script: raw(({ honest }) => {
      const reply = honest()
      return head(reply, [`content-length: ${reply.body.length + 10}`]) + reply.body.toString()
    }),
  },
  {
    name: 'a length shorter than the body',
    guards: 'only the announced bytes are the body',
    script: raw(({ honest }) => {
      const reply = honest()
      return head(reply, [`content-length: ${reply.body.length - 1}`]) + reply.body.toString()
    }),
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
  {
    name: 'two different lengths',
    guards: 'an answer with two meanings has none',
    script: raw(({ honest }) => {
      const reply = honest()
      return `${head(reply, [`content-length: 5`, `content-length: ${reply.body.length}`])}${reply.body.toString()}`
    }),
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
  {
    name: 'chunk sizes that are no numbers',
    guards: 'broken chunks are no answer',
    script: raw(({ honest }) => `${head(honest(), ['transfer-encoding: chunked'])}zz\r\n{}\r\n0\r\n\r\n`),
  },
  {
    name: 'a chunk of 16 EiB',
    guards: 'a client does not reserve what a chunk announces',
    script: raw(({ honest }) => `${head(honest(), ['transfer-encoding: chunked'])}ffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
  },
  {
    name: 'a negative chunk size',
    guards: 'broken chunks are no answer',
    script: raw(({ honest }) => `${head(honest(), ['transfer-encoding: chunked'])}-1\r\n{}\r\n0\r\n\r\n`),
  },
  {
    name: 'garbage',
    guards: 'what is not HTTP is no answer',
    script: raw(() => Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256))),
  },
  {
    name: 'the greeting of an SSH server',
    guards: 'what is not HTTP is no answer',
    script: raw(() => 'SSH-2.0-OpenSSH_9.6\r\n'),
  },
  {
    name: 'a TLS record',
    guards: 'what is not HTTP is no answer',
    script: raw(() => Buffer.from('15030100020228', 'hex')),
  },
  {
    name: 'a page without a head',
    guards: 'what is not HTTP is no answer',
    script: raw(() => '<html>success</html>'),
  },
  {
    name: 'a status line with a status of text',
    guards: 'what is not HTTP is no answer',
    script: raw(({ honest }) => head(honest(), [], 'HTTP/1.1 OK 200')),
  },
  {
    name: 'a status of 99999999999',
    guards: 'a status is three digits',
    script: raw(({ honest }) => bytesOf(honest(), 'HTTP/1.1 99999999999 OK')),
    expected: unusable,
  },
  {
    name: 'a status of 0',
    guards: 'a status is three digits',
    script: raw(({ honest }) => bytesOf(honest(), 'HTTP/1.1 0 OK')),
    expected: unusable,
  },
  {
    name: 'switching protocols',
    guards: 'a connection that becomes another protocol gives no answer',
    script: raw(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    expected: ['NETWORK', 'UNSIGNED_RESPONSE'],
  },
  {
    name: 'endless interim answers',
    endsAtDeadline: true,
    guards: 'interim answers do not go on for ever',
    script: async ({ socket }) => {
      await write(socket, (n) => (n < 2000 ? 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n' : undefined), 5)
      return undefined
    },
  },
  {
    name: 'the signature in the trailers',
    guards: 'only headers count',
    script: raw(({ honest }) => {
      const reply = honest()
      const trailer = `x-signet-signature: ${headerOf(reply, 'x-signet-signature')}\r\n\r\n`
      const start = head(withoutHeader(reply, 'x-signet-signature'), [
        'transfer-encoding: chunked',
        'trailer: x-signet-signature',
      ])
      return Buffer.concat([Buffer.from(start), chunk(reply.body), Buffer.from(`0\r\n${trailer}`)])
    }),
    expected: ['UNSIGNED_RESPONSE', 'NETWORK'],
  },
  {
    name: 'a zero byte in a header',
    guards: 'a header is not cut at a zero byte',
    script: raw(({ honest }) => {
      const reply = honest()
      return bytesOf(withHeader(reply, 'x-signet-key', `${headerOf(reply, 'x-signet-key')}\0x`))
    }),
    expected: ['NETWORK', 'UNKNOWN_KEY', 'UNSIGNED_RESPONSE'],
  },
  {
    name: 'two signatures, the good one first',
    guards: 'a header that comes twice has no meaning',
    script: ({ honest }) => withSecond(honest(), 'x-signet-signature', 'x'),
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
  {
    name: 'two signatures, the good one last',
    guards: 'a header that comes twice has no meaning',
    script: ({ honest }) => {
      const reply = honest()
      const good = headerOf(reply, 'x-signet-signature')
      return withSecond(withHeader(reply, 'x-signet-signature', 'x'), 'x-signet-signature', good)
    },
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
  {
    name: 'a body that is compressed on the way',
    guards: 'the bytes as received are verified; what a client unpacks itself must be the signed bytes',
    script: ({ honest }) => {
      const reply = honest()
      return {
        ...withHeader(reply, 'content-encoding', 'gzip'),
        body: gzipSync(reply.body.toString().replace('{', '{ ')),
      }
    },
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
  {
    name: 'a compressed body of 200 MiB',
    guards: 'unpacking is bounded',
    script: ({ honest }) => ({ ...withHeader(honest(), 'content-encoding', 'gzip'), body: bomb() }),
    expected: ['BAD_SIGNATURE', 'NETWORK', 'MALFORMED_REPLY'],
  },
  {
    name: 'an unknown content encoding',
    guards: 'the bytes as received are verified',
    script: ({ honest }) => {
      const reply = honest()
      return {
        ...withHeader(reply, 'content-encoding', 'x-rot13'),
        body: Buffer.from(reply.body.toString().replace('{', '{ ')),
      }
    },
    expected: ['BAD_SIGNATURE', 'NETWORK'],
  },
]

let packed: Buffer | undefined
const bomb = (): Buffer => (packed ??= gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 }))
