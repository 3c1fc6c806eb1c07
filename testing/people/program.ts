import { randomBytes } from 'node:crypto'
import { ReplyChecker } from '#sdk/check-reply.ts'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import type { WebKey } from '#sdk/wire.ts'
import type { TestApp } from '../start-test-app.ts'
import type { OwnedApp } from './people.ts'

export interface ProgramAnswer {
  status: number
  body: Record<string, unknown> & { success: boolean; code?: string; message: string }
  headers: Headers
}

type RunningApp = Pick<TestApp, 'services' | 'url'>

/** A protected program that implements docs/protocol.md and verifies each signature. */
export class Program {
  readonly #app: RunningApp
  /** `X-Signet-App`. */
  readonly header: string
  readonly #rootKey: Promise<WebKey>
  session: string | undefined
  hwid = 'a-machine-of-the-test'

  constructor(app: RunningApp, owner: Pick<OwnedApp, 'id' | 'appName'>, rootKey: string) {
    this.#app = app
    this.header = `${owner.id}/${encodeURIComponent(owner.appName)}`
    this.#rootKey = publicKeyFromRaw('ed25519', rootKey)
  }

  static async of(app: TestApp, owner: OwnedApp): Promise<Program> {
    const { body } = await owner.visitor.call('GET /apps')
    const own = body.apps.find(({ appId }) => appId === owner.appId)
    if (!own) throw new Error('The owner has no such app')
    return new Program(app, owner, own.settings.serverObfuscationKey)
  }

  /** `init`, keeping the session. */
  async init(version = '1.0.0', more: object = {}): Promise<ProgramAnswer> {
    const answer = await this.send('init', { version, ...more })
    if (answer.body.success) this.session = answer.body['session'] as string
    return answer
  }

  license = (key: string) => this.send('license', { key, hwid: this.hwid })
  login = (username: string, password: string) => this.send('login', { username, password, hwid: this.hwid })
  register = (username: string, password: string, licenseKey: string) =>
    this.send('register', { username, password, licenseKey, hwid: this.hwid })
  heartbeat = () => this.send('heartbeat', {})
  logout = () => this.send('logout', {})

  /** Makes a call; throws if the reply is not signed correctly, unless it may be unsigned. */
  async send(
    call: string,
    fields: unknown,
    options: {
      nonce?: string
      time?: string
      unsigned?: boolean
      raw?: string | Uint8Array<ArrayBuffer>
      headers?: Record<string, string>
    } = {},
  ): Promise<ProgramAnswer> {
    const path = `/api/1.0/client/${call}`
    const { session } = this
    const nonce = options.nonce ?? randomBytes(16).toString('base64url')
    const time = options.time ?? String(this.#app.services.clock())
    const body = options.raw ?? JSON.stringify(fields)
    const response = await fetch(this.#app.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signet-app': this.header,
        'x-signet-nonce': nonce,
        'x-signet-time': time,
        ...(session && { 'x-signet-session': session }),
        ...options.headers,
      },
      body,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (!options.unsigned) {
      const request = { path, app: this.header, nonce, time, session, body: Buffer.from(body) }
      const headers = Object.fromEntries(response.headers)
      const checker = new ReplyChecker(await this.#rootKey)
      await checker.check(request, { status: response.status, headers, body: bytes }, this.#app.services.clock())
    }
    return { status: response.status, headers: response.headers, body: JSON.parse(Buffer.from(bytes).toString()) }
  }
}
