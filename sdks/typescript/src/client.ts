import { downloadFile, type DownloadedFile, type FileOffer, fileOfferOf } from './download.ts'
import { isFinalRefusal, RefusedError, SignetError } from './errors.ts'
import { Exchange, type Fetch, sdk, type Wait } from './exchange.ts'
import { Heartbeat } from './heartbeat.ts'
import { publicKeyBytes } from './public-keys.ts'
import {
  type App,
  appOf,
  type Session,
  sessionOf,
  textAt,
  tokenOf,
  type WebhookAnswer,
  webhookAnswerOf,
} from './session.ts'
import { appHeader } from './wire.ts'

export type { DownloadedFile } from './download.ts'
export { RefusedError, SignetError, UnprovenError, type UnprovenCode } from './errors.ts'
export type { App, Session, Subscription, User, WebhookAnswer } from './session.ts'

/** A value, or what finds it when it is needed. */
type Source = string | (() => string | Promise<string>)

export interface ClientOptions {
  /** 10 letters and digits. */
  ownerId: string
  appName: string
  version: string
  /** Scheme, host and port, such as `https://signet.example.com`. */
  serverUrl: string
  /** The app's X25519 public key: protects what goes to the server. */
  clientObfuscationKey: string
  /** The app's Ed25519 public key: checks what comes from the server. */
  serverObfuscationKey: string
  /** What names this machine; `hardwareId` of `@signet/client/node` finds it. Apps with a HWID lock need it. */
  hwid?: Source | undefined
  /** Hex SHA-256 of the program file, for apps with a hash check; `programHash` of `@signet/client/node`. */
  programHash?: Source | undefined
  /** Encrypt request bodies to the app, so that proxies which look into TLS can't read them. */
  sealRequests?: boolean
  /** Between background heartbeats; null for none. 60. */
  heartbeatSeconds?: number | null
  /** How long the background heartbeat goes on while the server can't be heard. 180. */
  graceSeconds?: number
  /** Called once, with the error that ended the session. */
  onLost?: (error: SignetError) => void
  /** A request without an answer fails after this. 15. */
  timeoutSeconds?: number
  /** A call that hears a signed 429 waits as told and asks once more, if it is told to wait no longer than this. 10. */
  maxWaitSeconds?: number
  /** Instead of the global `fetch`, for a proxy of your own. */
  fetch?: Fetch
  /** Unix milliseconds, instead of `Date.now`. */
  clock?: () => number
  /** Instead of timers. */
  wait?: Wait
}

/** Refusals that only a new `init` cures. */
const sessionIsGone = new Set(['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_ENDED'])

/**
 * Asks one Signet app whether this program may run. Making a client does no network. `license`, `login` and `register`
 * call `init` themselves; after any of them a background heartbeat goes on asking and `isValid()` is its verdict. Every
 * method throws `SignetError` and nothing else; calls made at the same time go out one after the other.
 *
 * The two obfuscation keys are the app's *public* keys. They are no secrets.
 */
export class Client {
  readonly #options: ClientOptions
  readonly #exchange: Exchange
  readonly #wait: Wait
  #last: Promise<unknown> = Promise.resolve()
  #token: string | undefined
  #session: Session | undefined
  /** By `performance.now`, which nobody can turn back. */
  #endsAt = 0
  #lost: SignetError | undefined
  #heartbeat: Heartbeat | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    const { ownerId, heartbeatSeconds = 60, graceSeconds = 180, timeoutSeconds = 15, maxWaitSeconds = 10 } = options
    if (!/^[A-Za-z0-9]{10}$/.test(ownerId)) throw invalid('ownerId is 10 letters and digits.')
    const root = keyBytes('serverObfuscationKey', 'ed25519', options.serverObfuscationKey)
    const recipient = keyBytes('clientObfuscationKey', 'x25519', options.clientObfuscationKey)
    checkSeconds({ timeoutSeconds, graceSeconds, ...(heartbeatSeconds !== null && { heartbeatSeconds }) })
    this.#wait = options.wait ?? wait
    this.#exchange = new Exchange({
      serverUrl: originOf(options.serverUrl),
      app: headerOf(ownerId, options.appName),
      rootPublicKey: root,
      sealTo: options.sealRequests ? recipient : undefined,
      timeoutSeconds,
      maxWaitSeconds,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      clock: options.clock ?? Date.now,
      wait: this.#wait,
    })
  }

  /** Opens a session: the server checks app, version and program hash. */
  init(): Promise<App> {
    return this.#inTurn(() => this.#init())
  }

  /** Signs in with a license key alone. */
  license(key: string): Promise<Session> {
    return this.#signIn('license', { key })
  }

  /** Signs in with a user's name and password. */
  login(username: string, password: string): Promise<Session> {
    return this.#signIn('login', { username, password })
  }

  /** Makes a user from an unused license key, and signs in. */
  register(username: string, password: string, licenseKey: string, email?: string): Promise<Session> {
    return this.#signIn('register', { username, password, licenseKey, ...(email !== undefined && { email }) })
  }

  /** Asks now whether the session still stands. The background heartbeat does this by itself. */
  heartbeat(): Promise<Session> {
    return this.#inTurn(async () => {
      try {
        return await this.#askHeartbeat()
      } catch (error) {
        if (isFinalRefusal(error)) this.#end(error)
        throw error
      }
    })
  }

  /** A variable of the app. The owner decides which ones can be read before anybody signs in. */
  variable(name: string): Promise<string> {
    return this.#inTurn(async () => {
      if (this.#token === undefined) await this.#init()
      return textAt(await this.#ask('variable', { name }), 'value')
    })
  }

  /** A variable of the user who is signed in. */
  userVariable(name: string): Promise<string> {
    return this.#inTurn(async () => textAt(await this.#askSignedIn('user-variable', { name }), 'value'))
  }

  /** Makes or changes a variable of the user who is signed in. */
  setUserVariable(name: string, value: string): Promise<void> {
    return this.#inTurn(async () => void (await this.#askSignedIn('set-user-variable', { name, value })))
  }

  /** Writes a line into the log that the owner sees, signed in or not. At most 30 a minute. */
  log(message: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#token === undefined) await this.#init()
      await this.#ask('log', { message })
    })
  }

  /**
   * Writes a file of the app to `path`; the owner decides which ones need a user who is signed in. The bytes go to a new
   * file beside it, which takes its name once they are whole and their SHA-256 is the signed one; otherwise nothing is
   * left of them and what stood at `path` stays. What was cut off goes on where it broke. Other calls go on meanwhile.
   */
  async download(id: string, path: string): Promise<DownloadedFile> {
    const ask = (): Promise<FileOffer> =>
      this.#inTurn(async () => {
        if (this.#token === undefined) await this.#init()
        return fileOfferOf(await this.#ask('download', { id }))
      })
    return downloadFile({ ask, open: (offer, start) => this.#exchange.openFile(offer, start) }, path)
  }

  /** Has the server call a webhook of the app, with these as its JSON body; its URL stays off this machine. */
  callWebhook(id: string, params: Readonly<Record<string, unknown>> = {}): Promise<WebhookAnswer> {
    return this.#inTurn(async () => {
      if (this.#token === undefined) await this.#init()
      return webhookAnswerOf(await this.#ask('call-webhook', { id, params }))
    })
  }

  /** Redeems another license for the user who is signed in. */
  upgrade(licenseKey: string): Promise<Session> {
    return this.#inTurn(async () => this.#keep(sessionOf(await this.#askSignedIn('upgrade', { licenseKey }))))
  }

  /** Other sessions of the user end. */
  changePassword(password: string, newPassword: string): Promise<void> {
    return this.#inTurn(async () => void (await this.#askSignedIn('change-password', { password, newPassword })))
  }

  /** Has a link to set a new password mailed to the user, if an address is stored. Three an hour of a session. */
  requestPasswordReset(username: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#token === undefined) await this.#init()
      await this.#ask('request-password-reset', { username })
    })
  }

  /** Ends the session on the server and here. Here it ends even if the server can't be reached. */
  logout(): Promise<void> {
    return this.#inTurn(() => this.#logout())
  }

  /** Whether the program may go on: signed in, not refused since, heard from the server in time. Does no network. */
  isValid(): boolean {
    if (!this.#session || this.#lost || this.#heartbeat?.isOverdue) return false
    return performance.now() < this.#endsAt
  }

  /** The latest the server said about the customer; undefined before sign-in. */
  get session(): Session | undefined {
    return this.#session
  }

  /** Why the session ended, once it has. */
  get lost(): SignetError | undefined {
    return this.#lost
  }

  /** Logs out quietly. The client can still be used afterwards. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#leave())
  }

  /** One after the other: the answer to one call decides what the next may do. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act, act)
    this.#last = turn
    return turn
  }

  async #init(): Promise<App> {
    await this.#leave()
    const hash = await valueOf(this.#options.programHash)
    const fields = { version: this.#options.version, sdk, ...(hash !== undefined && { hash }) }
    const answer = await this.#exchange.call('init', fields, undefined)
    const app = appOf(answer)
    this.#token = tokenOf(answer)
    return app
  }

  #signIn(name: string, fields: object): Promise<Session> {
    return this.#inTurn(async () => {
      const hwid = await valueOf(this.#options.hwid)
      const complete = { ...fields, ...(hwid !== undefined && { hwid }) }
      const isFresh = this.#token === undefined || this.#session !== undefined
      if (isFresh) await this.#init()
      const ask = () => this.#ask(name, complete)
      const answer = await ask().catch(async (error: unknown) => {
        // An init() of an hour ago may have run out while the customer looked for the key.
        if (isFresh || !(error instanceof RefusedError) || !sessionIsGone.has(error.code)) throw error
        this.#token = undefined
        await this.#init()
        return ask()
      })
      const session = this.#keep(sessionOf(answer))
      this.#startHeartbeat()
      return session
    })
  }

  #keep(session: Session): Session {
    this.#endsAt = performance.now() + (session.expiresAt.getTime() - this.#exchange.now())
    this.#session = session
    this.#heartbeat?.recordSuccess()
    return session
  }

  #startHeartbeat(): void {
    const { heartbeatSeconds = 60, graceSeconds = 180 } = this.#options
    if (heartbeatSeconds === null) return
    const isOurs = (heartbeat: Heartbeat) => heartbeat === this.#heartbeat
    this.#heartbeat = new Heartbeat({
      beat: (heartbeat) =>
        this.#inTurn(async () => {
          if (isOurs(heartbeat)) await this.#askHeartbeat()
        }),
      lose: (heartbeat, error) => {
        if (!isOurs(heartbeat)) return
        this.#end(error)
        this.#options.onLost?.(error)
      },
      intervalSeconds: heartbeatSeconds,
      graceSeconds,
      wait: this.#options.wait ?? ((seconds, signal) => wait(seconds, signal, { isBackground: true })),
    })
    this.#heartbeat.start()
  }

  async #askHeartbeat(): Promise<Session> {
    return this.#keep(sessionOf(await this.#askSignedIn('heartbeat', {})))
  }

  async #askSignedIn(name: string, fields: object): Promise<Record<string, unknown>> {
    if (this.#lost) throw this.#lost
    if (this.#token !== undefined && this.#session) return this.#ask(name, fields)
    throw new SignetError('SESSION_REQUIRED', 'Sign in first: license(), login() or register().')
  }

  #ask(name: string, fields: object): Promise<Record<string, unknown>> {
    return this.#exchange.call(name, fields, this.#token)
  }

  #end(error: SignetError): void {
    this.#lost = error
    this.#token = undefined
    this.#stopHeartbeat()
  }

  async #logout(): Promise<void> {
    const token = this.#token
    this.#stopHeartbeat()
    this.#token = this.#session = this.#lost = undefined
    if (token !== undefined) await this.#exchange.call('logout', {}, token)
  }

  /** Forgets the current session, telling the server if it can be told. */
  async #leave(): Promise<void> {
    await this.#logout().catch((error: unknown) => {
      if (!(error instanceof SignetError)) throw error
    })
  }

  #stopHeartbeat(): void {
    this.#heartbeat?.stop()
    this.#heartbeat = undefined
  }
}

const invalid = (message: string, cause?: unknown) => new SignetError('INVALID_CONFIGURATION', message, { cause })

function keyBytes(name: string, curve: Parameters<typeof publicKeyBytes>[0], text: string) {
  try {
    return publicKeyBytes(curve, text)
  } catch (cause) {
    throw invalid(`${name} is damaged: ${(cause as Error).message}`, cause)
  }
}

function headerOf(ownerId: string, appName: string): string {
  try {
    if (appName !== '') return appHeader(ownerId, appName)
  } catch (cause) {
    throw invalid("appName is the app's name, as text.", cause)
  }
  throw invalid("appName is the app's name, as text.")
}

function originOf(serverUrl: string): string {
  const url = URL.canParse(serverUrl) ? new URL(serverUrl) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) throw invalid('serverUrl is like https://signet.example.com, without a path.')
  return url.origin
}

function checkSeconds(named: Record<string, number>): void {
  for (const [name, seconds] of Object.entries(named)) {
    if (!(seconds > 0 && seconds <= 86_400)) throw invalid(`${name} is a number of seconds above 0, at most a day.`)
  }
}

const valueOf = async (source: Source | undefined): Promise<string | undefined> =>
  typeof source === 'function' ? source() : source

/** A wait in the background does not keep a program running that has nothing else to do. */
function wait(seconds: number, signal?: AbortSignal, { isBackground = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, seconds * 1000)
    if (isBackground) (timer as { unref?: () => void }).unref?.()
    const end = () => {
      clearTimeout(timer as number)
      resolve()
    }
    signal?.addEventListener('abort', end, { once: true })
  })
}
