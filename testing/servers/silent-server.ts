import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A server that accepts connections and never sends anything. */
export interface SilentServer {
  port: number
  /** Number of open connections. */
  open(): number
  /** Resolves once `count` connections are open. */
  opened(count: number): Promise<void>
  /** Closes the open connections. */
  hangUp(): void
  /** Closes each new connection immediately. */
  isGone: boolean
  close(): Promise<void>
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const server = createServer((socket) => {
    if (silent.isGone) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
    for (const check of waiting) check()
  })
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const silent: SilentServer = {
    isGone: false,
    port: 0,
    open: () => sockets.size,
    opened: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (sockets.size < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    hangUp,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  silent.port = (server.address() as AddressInfo).port
  return silent
}
