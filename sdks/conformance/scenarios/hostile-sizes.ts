import { endless, chunk, head, raw, write } from '../server/raw-http.ts'
import type { Exchange, Script } from '../server/scripted-server.ts'
import { bytesOf, type WireReply, withHeader } from '../server/signed-reply.ts'

const mebibyte = 1024 * 1024
const large = ({ signBytes }: Exchange, bytes: number): WireReply => {
  const [start, end] = ['{"success":true,"message":"","name":"n","value":"', '"}']
  return signBytes(200, start + 'x'.repeat(bytes - start.length - end.length) + end)
}

/** An answer that is no answer. */
export interface Broken {
  name: string
  guards: string
  script: Script
  /** NETWORK, unless stated otherwise. */
  expected?: string | string[]
  /** The deadline of the call may be what ends it. */
  endsAtDeadline?: boolean
}

export const unusable = ['NETWORK', 'UNSIGNED_RESPONSE', 'BAD_SIGNATURE']

/** Answers without end, and with sizes that lie. */
export const oversized: Broken[] = [
  {
    name: 'a signed body of 1 MiB and a byte',
    guards: 'at most 1 MiB is read, even if it is signed',
    script: (exchange) => large(exchange, mebibyte + 1),
  },
  {
    name: 'a signed body of 1 MiB and a byte, in chunks',
    guards: 'the limit holds without a content length',
    script: (exchange) => withHeader(large(exchange, mebibyte + 1), 'transfer-encoding', 'chunked'),
  },
  {
    name: 'a content length of 8 EiB',
    guards: 'a client does not reserve what a header announces',
    script: raw(({ honest }) => head(honest(), ['content-length: 9223372036854775807'])),
  },
  {
    name: 'a content length beyond 64 bits',
    guards: 'a length that fits no number is no length',
    script: raw(({ honest }) => head(honest(), ['content-length: 99999999999999999999999999'])),
    expected: unusable,
  },
  {
    name: 'a negative content length',
    guards: 'a negative length is no length',
    script: raw(({ honest }) => {
      const reply = honest()
      return head(reply, ['content-length: -1']) + reply.body.toString().slice(1)
    }),
    expected: unusable,
  },
  {
    name: 'an endless body without a length',
    guards: 'a body that does not end is cut at 1 MiB',
    script: async ({ honest, socket }) => {
      socket.write(head(honest(), ['connection: close']))
      await write(socket, (n) => (n < endless ? Buffer.alloc(65_536, 0x20) : undefined))
      return undefined
    },
  },
  {
    name: 'an endless body in chunks',
    guards: 'a body that does not end is cut at 1 MiB',
    script: async ({ honest, socket }) => {
      socket.write(head(honest(), ['transfer-encoding: chunked']))
      await write(socket, (n) => (n < endless ? chunk(Buffer.alloc(65_536, 0x20)) : undefined))
      return undefined
    },
  },
  {
    name: 'one header of 128 KiB',
    guards: 'at most 64 KiB of headers are read',
    script: raw(({ honest }) => bytesOf(withHeader(honest(), 'x-filler', 'x'.repeat(131_072)))),
  },
  {
    name: '20,000 headers',
    guards: 'at most 64 KiB of headers are read',
    script: raw(({ honest }) => {
      const reply = honest()
      const filler = Array.from({ length: 20_000 }, (_, n): [string, string] => [`x-filler-${n}`, 'x'])
      return bytesOf({ ...reply, headers: [...filler, ...reply.headers] })
    }),
  },
  {
    name: 'endless headers',
    guards: 'headers that do not end are cut off',
    script: async ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      await write(socket, (n) => (n < endless ? `x-filler-${n}: ${'x'.repeat(16_000)}\r\n` : undefined))
      return undefined
    },
  },
  {
    name: 'an endless status line',
    endsAtDeadline: true,
    guards: 'a first line that does not end is cut off',
    script: async ({ socket }) => {
      socket.write('HTTP/1.1 200 ')
      await write(socket, (n) => (n < endless ? 'O'.repeat(65_536) : undefined))
      return undefined
    },
  },
  {
    name: 'endless trailers',
    guards: 'trailers count as headers',
    script: async ({ honest, socket }) => {
      const reply = honest()
      socket.write(head(reply, ['transfer-encoding: chunked']))
      socket.write(chunk(reply.body))
      socket.write('0\r\n')
      await write(socket, (n) => (n < endless ? `x-filler-${n}: ${'x'.repeat(16_000)}\r\n` : undefined))
      return undefined
    },
  },
]
