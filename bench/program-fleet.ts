import { ReplyChecker } from '#sdk/check-reply.ts'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import type { DataLocation } from './data-place.ts'
import type { Load } from './load.ts'
import type { LoadJob, LoadResult } from './load-job.ts'
import { atLeast } from './measurement.ts'
import { Visitor } from '#testing/people/visitor.ts'
import { remoteApp } from './remote-app.ts'

export const connections = 32
const hwid = 'a-machine-of-the-bench'
const keysPerCall = 1000

interface Address {
  port: number
  url: string
}

/** An app with its owner and many instances of its program, simulated by the load client. */
export class ProgramFleet {
  readonly owner: OwnedApp
  readonly #port: number
  readonly #rootKey: string
  readonly #load: Load

  private constructor(owner: OwnedApp, rootKey: string, port: number, load: Load) {
    this.owner = owner
    this.#rootKey = rootKey
    this.#port = port
    this.#load = load
  }

  /** A new owner with a new app. */
  static async of(server: Address, place: DataLocation, load: Load): Promise<ProgramFleet> {
    const owner = await newOwnerWithApp(remoteApp(server.url, place), 'Bench')
    return ProgramFleet.#with(server, owner, load)
  }

  /** The same owner and app on a restarted server. */
  static async again(server: Address, owner: OwnedApp, load: Load): Promise<ProgramFleet> {
    const visitor = new Visitor(server.url)
    const { username, password, appId } = owner
    const { status, body } = await visitor.call('POST /login', { body: { username, password } })
    if (status !== 200) throw new Error(`Could not sign in: ${body.message}`)
    visitor.appId = appId
    return ProgramFleet.#with(server, { ...owner, visitor }, load)
  }

  static async #with(server: Address, owner: OwnedApp, load: Load): Promise<ProgramFleet> {
    const { body } = await owner.visitor.call('GET /apps')
    const rootKey = body.apps[0]?.settings.serverObfuscationKey
    if (!rootKey) throw new Error('The app has no key')
    return new ProgramFleet(owner, rootKey, server.port, load)
  }

  async keys(amount: number): Promise<string[]> {
    const keys: string[] = []
    while (keys.length < amount) {
      keys.push(...(await newLicenses(this.owner, Math.min(keysPerCall, amount - keys.length))))
    }
    return keys
  }

  /** A job with the headers and bodies that the bare server also gets. */
  job(call: string, change: Partial<LoadJob> = {}): LoadJob {
    return {
      port: this.#port,
      path: `/api/1.0/client/${call}`,
      app: `${this.owner.id}/${encodeURIComponent(this.owner.appName)}`,
      sessions: [''],
      bodies: ['{}'],
      connections,
      maxMs: 60_000,
      maxRequests: 1_000_000,
      pauseMs: 0,
      samples: 50,
      keepReplies: false,
      ...change,
    }
  }

  /** Runs a job and verifies the signatures of its samples, to measure only genuine replies. */
  async run(job: LoadJob): Promise<LoadResult> {
    const result = await this.#load.run(job)
    atLeast(1, result.exchanges.length, 'answers to check')
    const checker = new ReplyChecker(await publicKeyFromRaw('ed25519', this.#rootKey))
    for (const { nonce, time, session, body, status, head, reply } of result.exchanges) {
      const request = { path: job.path, app: job.app, nonce, time, session, body }
      const answer = { status, headers: headersOf(head), body: new Uint8Array(Buffer.from(reply)) }
      await checker.check(request, answer, Number(time))
    }
    return result
  }

  /** Starts this many programs; returns their session tokens and the result. */
  async start(amount: number): Promise<{ sessions: string[]; result: LoadResult }> {
    const body = JSON.stringify({ version: '1.0.0' })
    const result = await this.run(this.job('init', { bodies: [body], maxRequests: amount, keepReplies: true }))
    atLeast(amount, result.answered, 'programs started')
    return { sessions: result.replies.map((reply) => (JSON.parse(reply) as { session: string }).session), result }
  }

  redemption(key: string): string {
    return JSON.stringify({ key, hwid })
  }

  /** Redeems a separate key in each session. */
  activate(sessions: string[], keys: string[], change: Partial<LoadJob> = {}): Promise<LoadResult> {
    const bodies = keys.map((key) => this.redemption(key))
    return this.run(this.job('license', { sessions, bodies, maxRequests: keys.length, ...change }))
  }

  /** Session tokens of signed-in programs. */
  async signedIn(amount: number): Promise<string[]> {
    const { sessions } = await this.start(amount)
    const { answered } = await this.activate(sessions, await this.keys(amount))
    atLeast(amount, answered, 'programs signed in')
    return sessions
  }
}

function headersOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
}
