/* oxlint-disable no-restricted-imports -- for the tests */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { Client, type ClientOptions } from './src/client.ts'
import { signedBytes } from './src/merkle-path.ts'
import { bytesOf, encodeBase64url, lengthPrefixed, newNonce, replyMessage, requestHash } from './src/wire.ts'

/** A server behind a client's `fetch`: honest unless a test tells it otherwise, and quick to lie. */

type Fields = Record<string, unknown>
/** What to answer instead; 'hang' never answers, 'drop' closes the connection. */
export type Script = { status: number; code?: string; fields?: Fields } | 'hang' | 'drop'
interface ReceivedCall {
  name: string
  fields: Fields
  headers: Record<string, string>
}

const rawOf = (key: KeyObject): string => key.export({ format: 'jwk' }).x as string
const user = { username: 'alice', email: null, subscriptions: [{ level: 2, name: 'Pro', expiresAt: null }] }

export class ScriptedServer {
  readonly #root = generateKeyPairSync('ed25519')
  readonly #key = generateKeyPairSync('ed25519')
  readonly #box = generateKeyPairSync('x25519').publicKey
  readonly #certificate: string
  readonly #expired = new Set<string>()
  readonly #nonces = new Set<string>()
  readonly sessions = new Set<string>()
  readonly received: ReceivedCall[] = []
  /** By call. */
  readonly scripts = new Map<string, Script>()
  /** For the next of a call only, in this order. */
  readonly next = new Map<string, Script[]>()
  sessionSeconds = 3600
  /** Unsigned answers from now on. */
  isFake = false

  constructor() {
    const terms = { v: 1, kid: 'k1', key: rawOf(this.#key.publicKey), serial: 1, notBefore: 0, notAfter: 4_102_444_800 }
    const payload = Buffer.from(JSON.stringify(terms))
    const signature = sign(null, lengthPrefixed('signet/v1/key', payload), this.#root.privateKey)
    this.#certificate = `${payload.toString('base64url')}.${signature.toString('base64url')}`
  }

  get keys(): Pick<ClientOptions, 'verificationKey' | 'sealingKey'> {
    return { verificationKey: rawOf(this.#root.publicKey), sealingKey: rawOf(this.#box) }
  }

  /** Without a heartbeat in the background. */
  client(changes: Partial<ClientOptions> = {}): Client {
    return new Client({
      ownerId: 'Ab3dE6gH1j',
      appName: 'My App',
      version: '1.0',
      serverUrl: 'https://signet.test',
      ...this.keys,
      hwid: 'a-machine-of-the-test',
      heartbeatSeconds: null,
      fetch: (url, init) => this.fetch(url, init),
      ...changes,
    })
  }

  get calls(): string[] {
    return this.received.map(({ name }) => name)
  }

  /** As after a night of sleep. */
  expireSessions(): void {
    for (const token of this.sessions) this.#expired.add(token)
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = init.headers as Record<string, string>
    const { pathname: path } = new URL(url)
    const name = path.split('/').at(-1) ?? ''
    const body = bytesOf(init.body as Uint8Array)
    const call = { name, fields: JSON.parse(Buffer.from(body).toString()) as Fields, headers }
    this.received.push(call)
    const nonce = headers['x-signet-nonce'] ?? ''
    const isRepeated = this.#nonces.has(nonce)
    this.#nonces.add(nonce)
    const script = this.next.get(name)?.shift() ?? this.scripts.get(name)
    // It doesn't even listen to the signal.
    if (script === 'hang') return new Promise(() => undefined)
    if (script === 'drop') throw new TypeError('fetch failed')
    const answer = isRepeated ? { status: 409, code: 'NONCE_REUSED' } : (script ?? this.#honest(call))
    return this.#signed(path, headers, body, answer)
  }

  #honest({ name, fields, headers }: ReceivedCall): Exclude<Script, string> {
    const session = headers['x-signet-session'] ?? ''
    const expiresAt = Math.floor(Date.now() / 1000) + this.sessionSeconds
    if (name === 'init') {
      const token = newNonce()
      this.sessions.add(token)
      return { status: 200, fields: { session: token, expiresAt, app: { name: 'My App', version: '1.0' } } }
    }
    if (!this.sessions.has(session)) return { status: 401, code: 'SESSION_ENDED' }
    if (this.#expired.has(session) && name !== 'renew') return { status: 401, code: 'SESSION_EXPIRED' }
    if (name === 'renew') this.#expired.delete(session)
    if (name === 'logout') this.sessions.delete(session)
    const value = { name: fields['name'], value: 'of the app', status: 202, body: '{}' }
    return { status: 200, fields: { user, expiresAt, ...value } }
  }

  async #signed(
    path: string,
    sent: Record<string, string>,
    sentBody: Uint8Array,
    { status, code, fields }: Exclude<Script, string>,
  ): Promise<Response> {
    const success = code === undefined
    const body = JSON.stringify({ success, message: success ? '' : `No: ${code}`, ...(code && { code }), ...fields })
    if (this.isFake) return new Response(body, { status })
    const [app = '', nonce = '', time = ''] = ['app', 'nonce', 'time'].map((name) => sent[`x-signet-${name}`])
    const request = { path, app, nonce, time, session: sent['x-signet-session'], body: sentBody }
    const serverTime = String(Date.now())
    const parts = { app, kid: 'k1', requestHash: await requestHash(request), serverTime, status, body }
    const signed = (await signedBytes(await replyMessage(parts), '')) as Uint8Array
    const signature = encodeBase64url(sign(null, signed, this.#key.privateKey))
    const named = { key: 'k1', time: serverTime, signature, certificate: this.#certificate }
    const headers = Object.entries(named).map(([name, value]): [string, string] => [`x-signet-${name}`, value])
    return new Response(body, { status, headers })
  }
}
