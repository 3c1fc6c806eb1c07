import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What to do with a chunk sent to the server. 'lose answer' cuts the connection when the server replies; 'mute' holds
 * its replies until `restore`.
 */
export type Verdict = 'forward' | 'cut' | 'lose answer' | 'mute'

/** `met` hears of each connection that is cut, or stalls. */
interface AnswerCut {
  bytes: number
  times: number
  stalls: boolean
  met: () => void
}

const neverCut: AnswerCut = { bytes: Infinity, times: 0, stalls: false, met: () => undefined }

/**
 * A TCP proxy between a browser and the real server that can delay, stall or cut connections, without any other
 * difference.
 */
export class FlakyProxy {
  readonly #target: { host: string; port: number }
  readonly #server: Server
  readonly #pairs = new Set<[Socket, Socket]>()
  #port = 0
  #delayMs = 0
  #isStalled = false
  readonly #newWatch: () => (chunk: Buffer) => Verdict
  #answerCut: AnswerCut = neverCut
  #cutAt: { request: string; after: number } | undefined
  #bodies: { request: string; fate: 'hold' | 'cut'; met: number; rest: (() => void)[] } | undefined

  private constructor(targetUrl: string, newWatch: () => (chunk: Buffer) => Verdict) {
    this.#newWatch = newWatch
    const { hostname, port } = new URL(targetUrl)
    this.#target = { host: hostname, port: Number(port) }
    this.#server = createServer((client) => this.#join(client))
  }

  /**
   * `targetUrl` is the URL of a running server, such as `http://127.0.0.1:8080`; `newWatch` creates a watcher for each
   * connection.
   */
  static async start(
    targetUrl: string,
    newWatch: () => (chunk: Buffer) => Verdict = () => () => 'forward',
  ): Promise<FlakyProxy> {
    const proxy = new FlakyProxy(targetUrl, newWatch)
    await proxy.#listen()
    return proxy
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `http://${this.#target.host}:${this.#port}`
  }

  /** Delays everything the server sends. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Requests arrive; their replies wait until `restore`. */
  stall(): void {
    this.#isStalled = true
    this.muteOpen()
  }

  /** The same for the currently open connections only, as long as they last. */
  muteOpen(): void {
    for (const [, upstream] of this.#pairs) upstream.pause()
  }

  /** Makes the server unreachable: open connections are cut, new ones rejected. */
  async reject(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined
    this.#server.close()
    this.#cut()
    await closed
  }

  /** Like `reject`, when the `nth` request from now on starts with this text, such as `POST /api/1.0/website/users`. */
  rejectAt(request: string, nth: number): void {
    this.#cutAt = { request, after: nth }
  }

  /** Cuts the next `times` connections once they have transferred this many bytes of replies. */
  cutAnswersAfter(bytes: number, times: number, met = neverCut.met): void {
    this.#answerCut = { bytes, times, stalls: false, met }
  }

  /** The same, but nothing more arrives on them, as long as they last. */
  stallAnswersAfter(bytes: number, times: number, met = neverCut.met): void {
    this.#answerCut = { bytes, times, stalls: true, met }
  }

  /**
   * Of replies to requests that start with this text, only the head and the first byte of the body arrive: the rest waits
   * until `restore`, or the connection is cut. Returns the number of such replies until now.
   */
  breakBodies(request: string, fate: 'hold' | 'cut'): () => number {
    const bodies = { request, fate, met: 0, rest: [] }
    this.#bodies = bodies
    return () => bodies.met
  }

  /** Removes all faults; stalled replies continue. */
  async restore(): Promise<void> {
    this.#delayMs = 0
    this.#isStalled = false
    this.#cutAt = undefined
    this.#answerCut = neverCut
    for (const release of this.#bodies?.rest ?? []) release()
    this.#bodies = undefined
    for (const [, upstream] of this.#pairs) upstream.resume()
    if (!this.#server.listening) await this.#listen()
  }

  async close(): Promise<void> {
    await this.reject()
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, this.#target.host)
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as { port: number }).port
  }

  #join(client: Socket): void {
    const upstream = connect(this.#target)
    const pair: [Socket, Socket] = [client, upstream]
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    const watch = this.#newWatch()
    let asked = ''
    let losesAnswer = false
    let losesRest = false
    let answered = 0
    client.on('data', (chunk) => {
      if (this.#isCut(chunk)) return void this.reject()
      asked = chunk.subarray(0, 200).toString('latin1')
      const verdict = watch(chunk)
      if (verdict === 'cut') return end()
      losesAnswer ||= verdict === 'lose answer'
      if (verdict === 'mute') upstream.pause()
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (losesAnswer) return end()
      if (losesRest) return
      if (client.writableEnded || this.#isBroken(asked, chunk, client, end)) return
      answered += chunk.length
      if (answered > this.#answerCut.bytes && this.#answerCut.times > 0) {
        this.#answerCut.times -= 1
        const { bytes, stalls, met } = this.#answerCut
        const last = chunk.subarray(0, chunk.length - (answered - bytes))
        losesRest = stalls
        if (stalls) client.write(last, met)
        else client.end(last, () => (end(), met()))
        return
      }
      if (this.#delayMs === 0) client.write(chunk)
      else setTimeout(() => client.writable && client.write(chunk), this.#delayMs)
    })
    for (const socket of pair) socket.on('error', end).on('close', end)
    if (this.#isStalled) upstream.pause()
  }

  /** A server writes the head of a reply and the beginning of its body in one chunk. */
  #isBroken(asked: string, chunk: Buffer, client: Socket, end: () => void): boolean {
    const bodies = this.#bodies
    if (!bodies || !asked.startsWith(`${bodies.request} `)) return false
    const bodyAt = chunk.indexOf('\r\n\r\n') + 5
    client.write(chunk.subarray(0, bodyAt), () => bodies.fate === 'cut' && end())
    bodies.rest.push(() => client.writable && client.write(chunk.subarray(bodyAt)))
    bodies.met += 1
    return true
  }

  /** A browser writes the head of a request in one chunk. */
  #isCut(chunk: Buffer): boolean {
    if (!this.#cutAt || !chunk.subarray(0, 200).toString('latin1').startsWith(`${this.#cutAt.request} `)) return false
    this.#cutAt.after -= 1
    return this.#cutAt.after === 0
  }

  #cut(): void {
    for (const [client, upstream] of this.#pairs) {
      client.destroy()
      upstream.destroy()
    }
  }
}
