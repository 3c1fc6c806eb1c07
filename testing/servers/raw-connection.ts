import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** A connection that sends raw bytes, also ones no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket
  #received = ''
  readonly #ended: Promise<void>

  constructor(url: string, tls?: ConnectionOptions) {
    const { port, hostname: host } = new URL(url)
    this.socket = tls ? connectTls({ ...tls, host, port: Number(port) }) : connect(Number(port), host)
    this.socket.on('data', (batch: Buffer) => (this.#received += batch.toString('latin1')))
    // A client that is disconnected while sending gets an error; data received before counts.
    this.socket.on('error', () => {})
    this.#ended = new Promise((resolve) => this.socket.once('close', () => resolve()))
  }

  send(text: string | Uint8Array): this {
    this.socket.write(text)
    return this
  }

  /** The received data once it contains `text`; throws if the server closes the connection before. */
  async until(text: string | RegExp): Promise<string> {
    const found = () => (typeof text === 'string' ? this.#received.includes(text) : text.test(this.#received))
    while (!found()) {
      const next = new Promise<void>((resolve) => this.socket.once('data', () => resolve()))
      await Promise.race([next, this.#ended])
      if (!found() && this.socket.destroyed) throw new Error(`Hung up after ${JSON.stringify(this.#received)}`)
    }
    return this.#received
  }

  /** All data until the server closes the connection. */
  async untilClosed(): Promise<string> {
    await this.#ended
    return this.#received
  }

  close(): void {
    this.socket.destroy()
  }
}
