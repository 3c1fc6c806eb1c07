import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** EICAR's test file, split so that no scanner finds it in this repository. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/**
 * A server with clamd's protocol according to its manual: `zINSTREAM`, chunks prefixed with their length, an empty
 * chunk, and the verdict. It detects one virus, by its bytes.
 */
export class ClamdServer {
  /** The content of each completely received file. */
  readonly scanned: Buffer[] = []
  /** `silent` accepts everything and never replies; `full` has too many connections; `small` accepts 1,000 bytes. */
  mode: 'scans' | 'silent' | 'full' | 'small' | 'away' = 'scans'
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => {})
      if (this.mode === 'away') return socket.destroy()
      void this.#converse(socket).catch(() => socket.destroy())
    })
  }

  /** Listens on a local port, or at a socket path. */
  static async start(path?: string): Promise<ClamdServer> {
    const created = new ClamdServer()
    await new Promise<void>((resolve) => created.#server.listen(path ?? { port: 0, host: '127.0.0.1' }, resolve))
    if (path === undefined) created.#port = (created.#server.address() as AddressInfo).port
    return created
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  async #converse(socket: Socket): Promise<void> {
    const answer = (text: string) => socket.end(`${text}\0`)
    if (this.mode === 'full') return void answer('COMMAND READ TIMED OUT ERROR')
    let bytes = Buffer.alloc(0)
    let file = Buffer.alloc(0)
    let isBegun = false
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, chunk])
      const command = Buffer.from('zINSTREAM\0')
      if (!isBegun) {
        if (bytes.length < command.length) continue
        if (!bytes.subarray(0, command.length).equals(command)) return void answer('UNKNOWN COMMAND')
        bytes = bytes.subarray(command.length)
        isBegun = true
      }
      while (bytes.length >= 4) {
        const length = bytes.readUInt32BE()
        if (length === 0) {
          if (this.mode === 'silent') return
          this.scanned.push(file)
          return void answer(file.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
        }
        if (bytes.length < 4 + length) break
        file = Buffer.concat([file, bytes.subarray(4, 4 + length)])
        if (this.mode === 'small' && file.length > 1000) return void answer('INSTREAM size limit exceeded. ERROR')
        bytes = bytes.subarray(4 + length)
      }
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
