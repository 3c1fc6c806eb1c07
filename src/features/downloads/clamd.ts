import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ClamdAddress } from '#server/config/config.ts'

/** The scanner is unreachable, timed out or did not understand; a retry may succeed. */
export class ScannerUnavailable extends Error {}

export type ScanVerdict = { isClean: true } | { isClean: false; virus: string }

const maxReplyBytes = 1000

/**
 * Scans a file with clamd (clamd(8), INSTREAM). Times out after `idleMs` milliseconds without progress. Throws
 * `ScannerUnavailable`.
 */
export async function scanBytes(address: ClamdAddress, bytes: Readable, idleMs: number): Promise<ScanVerdict> {
  const socket = connect(address)
  const reply = replyOf(socket, idleMs)
  // The bytes may come from a store that has fallen silent.
  socket.once('close', () => bytes.destroy())
  // The reply may arrive before everything has been sent, or never.
  reply.catch(() => {})
  try {
    await send(socket, bytes)
    return verdictOf(await reply)
  } catch (error) {
    // clamd replies and closes the connection early if a file is too large for it.
    const early = await reply.catch(() => '')
    if (early !== '') return verdictOf(early)
    throw error instanceof ScannerUnavailable ? error : new ScannerUnavailable('clamd broke off', { cause: error })
  } finally {
    socket.destroy()
    bytes.destroy()
  }
}

/** The reply of clamd, without its terminating zero byte. */
function replyOf(socket: Socket, idleMs: number): Promise<string> {
  let reply = ''
  return new Promise((resolve, reject) => {
    socket.setTimeout(idleMs, () => socket.destroy(new ScannerUnavailable('clamd says nothing')))
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1')
      if (reply.includes('\0')) resolve(reply.slice(0, reply.indexOf('\0')))
      else if (reply.length > maxReplyBytes) socket.destroy()
    })
    socket.on('error', (cause) =>
      reject(
        cause instanceof ScannerUnavailable ? cause : new ScannerUnavailable('clamd can not be reached', { cause }),
      ),
    )
    socket.on('close', () => reject(new ScannerUnavailable('clamd closed the connection')))
  })
}

async function send(socket: Socket, bytes: Readable): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'))
  for await (const chunk of bytes as AsyncIterable<Buffer>) await write(socket, withLength(chunk))
  await write(socket, Buffer.alloc(4))
}

function withLength(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}

const write = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))

function verdictOf(reply: string): ScanVerdict {
  if (reply === 'stream: OK') return { isClean: true }
  const [, virus] = /^stream: (.{1,200}) FOUND$/.exec(reply) ?? []
  if (virus !== undefined) return { isClean: false, virus }
  throw new ScannerUnavailable(`clamd says ${JSON.stringify(reply.slice(0, 200))}`)
}
