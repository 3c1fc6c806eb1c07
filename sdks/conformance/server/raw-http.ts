import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { pause } from '../pause.ts'
import type { Exchange, Script } from './scripted-server.ts'
import type { WireReply } from './signed-reply.ts'

/** Writes these bytes in the place of an answer, then closes the connection. */
export const raw =
  (bytes: (exchange: Exchange) => Buffer | string): Script =>
  (exchange) => {
    exchange.socket.end(bytes(exchange))
    return undefined
  }

/** Writes pieces as long as the client listens. */
export async function write(
  socket: Socket,
  next: (n: number) => Buffer | string | undefined,
  waitMs = 0,
): Promise<void> {
  for (let n = 0; !socket.destroyed; n++) {
    const piece = next(n)
    if (piece === undefined) return
    if (!socket.write(piece)) await drained(socket)
    if (waitMs > 0 || n % 16 === 15) await pause(waitMs)
  }
}
/** Until more can be written, or nobody listens any more. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

/** Enough to see that a client does not stop, and no more than a test machine can take. */
export const endless = 256

export const head = (reply: WireReply, more: string[] = [], firstLine = `HTTP/1.1 ${reply.status} OK`): string =>
  [firstLine, ...reply.headers.map(([name, value]) => `${name}: ${value}`), ...more, '', ''].join('\r\n')

export const chunk = (bytes: Buffer | string): Buffer => {
  const data = Buffer.from(bytes)
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
}
