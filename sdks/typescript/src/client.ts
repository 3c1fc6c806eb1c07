import { Core, type SignedIn } from './core.ts'
import { cancelled, Deadline, Turns } from './deadline.ts'
import { downloadFile, type DownloadedFile, type FileSource } from './download.ts'
import { SignetError } from './errors.ts'
import { Heartbeat } from './heartbeat.ts'
import { type ClientOptions, readOptions, type Settings } from './options.ts'
import { type App, type Session, textAt, type WebhookAnswer, webhookAnswerOf } from './session.ts'

export type { MessageLanguage, SignetCode } from './codes.ts'
export type { DownloadedFile } from './download.ts'
export { type MessageSource, RejectedError, SignetError, type UnverifiedCode, UnverifiedError } from './errors.ts'
export { hardwareIdOf } from './hardware-id.ts'
export { trimKey } from './license-key.ts'
export type { ClientOptions, Fetch, Source } from './options.ts'
export type { App, Session, Subscription, User, WebhookAnswer } from './session.ts'
export type { Wait } from './wait.ts'

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export interface LoginOptions extends CallOptions {
  /** A license key, which is redeemed for the user before the sign-in: renews a user whose time has ended. */
  licenseKey?: string | undefined
}

/** `close()` returns within 2 s, whatever hangs. */
const closeSeconds = 1.5

type Act<T> = (deadline: Deadline) => Promise<T>

/**
 * Asks one Signet app whether this program may run. Creating a client makes no network calls. `license`, `login`, and
 * `register` call `init` themselves; after any of them a heartbeat in the background keeps asking, and `isValid()` is
 * its result. Every method throws `SignetError` and nothing else, except the reason of your own `signal`; calls made at
 * the same time go out one after the other.
 *
 * The two keys are the app's *public* keys; they are no secrets.
 */
export class Client {
  readonly #options: ClientOptions
  readonly #settings: Settings
  readonly #core: Core
  readonly #turns = new Turns()
  readonly #farewells = new Set<Promise<void>>()
  #closing = new AbortController()

  constructor(options: ClientOptions) {
    this.#options = options
    this.#settings = readOptions(options)
    this.#core = new Core(this.#settings, (error) => this.#notify(() => this.#options.onLost?.(error), error))
  }

  /** Opens a session: the server checks app, version, and program hash. Optional. */
  init(options?: CallOptions): Promise<App> {
    return this.#call(options, (deadline) => this.#core.init(deadline))
  }

  /** Signs in with a license key only. */
  license(key: string, options?: CallOptions): Promise<Session> {
    return this.#signIn('license', { key }, options)
  }

  /** Signs in with a user's name and password. */
  login(username: string, password: string, options?: LoginOptions): Promise<Session> {
    const licenseKey = options?.licenseKey
    return this.#signIn('login', { username, password, ...(licenseKey !== undefined && { licenseKey }) }, options)
  }

  /** Creates a user with an unused license key, and signs in. */
  register(
    username: string,
    password: string,
    licenseKey: string,
    email?: string,
    options?: CallOptions,
  ): Promise<Session> {
    return this.#signIn('register', { username, password, licenseKey, ...(email !== undefined && { email }) }, options)
  }

  /** Asks now whether the session still stands. The heartbeat in the background does it automatically. */
  heartbeat(options?: CallOptions): Promise<Session> {
    return this.#call(options, (deadline) => this.#core.heartbeat(deadline))
  }

  /** A variable of the app. The owner decides which ones need a sign-in. */
  async variable(name: string, options?: CallOptions): Promise<string> {
    return textAt(await this.#ask('variable', { name }, options), 'value')
  }

  /** A variable of the signed-in user. */
  async userVariable(name: string, options?: CallOptions): Promise<string> {
    return textAt(await this.#askSignedIn('user-variable', { name }, options), 'value')
  }

  /** Creates or changes a variable of the signed-in user. */
  async setUserVariable(name: string, value: string, options?: CallOptions): Promise<void> {
    await this.#askSignedIn('set-user-variable', { name, value }, options)
  }

  /** Adds a line to the log that the owner sees. At most 30 a minute. */
  async log(message: string, options?: CallOptions): Promise<void> {
    await this.#ask('log', { message }, options)
  }

  /**
   * Writes a file of the app to `path`; the owner decides which ones need a sign-in. The bytes go to a new file beside
   * it, which replaces `path` only once it is complete and its SHA-256 is the signed one; otherwise it is deleted, and an
   * existing file stays. An interrupted download is resumed, in up to five attempts. Other calls continue meanwhile.
   */
  async download(id: string, path: string, options?: CallOptions): Promise<DownloadedFile> {
    const { exchange } = this.#core
    const closing = this.#closing.signal
    const source: FileSource = {
      ask: () => this.#call(options, (deadline) => this.#core.fileOffer(id, deadline)),
      open: (offer, start, silence) => exchange.openFile(offer, start, silence),
      newDeadline: () => new Deadline(this.#settings.timeoutSeconds, [options?.signal, closing]),
      timeoutSeconds: this.#settings.timeoutSeconds,
    }
    try {
      return await downloadFile(source, path)
    } catch (error) {
      throw this.#spoken(error)
    }
  }

  /** Lets the server call a webhook of the app, with these as its JSON body. */
  async callWebhook(
    id: string,
    params: Readonly<Record<string, unknown>> = {},
    options?: CallOptions,
  ): Promise<WebhookAnswer> {
    return webhookAnswerOf(await this.#ask('call-webhook', { id, params }, options))
  }

  /** Redeems another license for the signed-in user, also after `SUBSCRIPTION_EXPIRED` in this session. */
  upgrade(licenseKey: string, options?: CallOptions): Promise<Session> {
    const heartbeatOf = (signedIn: SignedIn) => this.#heartbeatOf(signedIn)
    return this.#call(options, (deadline) => this.#core.upgrade(licenseKey, heartbeatOf, deadline))
  }

  /** The user's other sessions end. */
  async changePassword(password: string, newPassword: string, options?: CallOptions): Promise<void> {
    await this.#askSignedIn('change-password', { password, newPassword }, options)
  }

  /** Mails the user a link for a new password, if an address is stored. Three an hour of a session. */
  async requestPasswordReset(username: string, options?: CallOptions): Promise<void> {
    await this.#ask('request-password-reset', { username }, options)
  }

  /** Ends the session, on the server and here. Here it ends even if the server can't be reached. */
  async logout(options?: CallOptions): Promise<void> {
    const tokens = this.#core.leave()
    if (tokens.length > 0) await this.#call(options, (deadline) => this.#core.logOut(tokens, deadline))
  }

  /** Whether the program may go on: signed in, not rejected since, heard from the server in time. No network. */
  isValid(): boolean {
    return this.#core.isValid()
  }

  /** The latest that the server said about the customer; undefined before sign-in. */
  get session(): Session | undefined {
    return this.#core.signedIn?.session
  }

  /** The error that ended the session. */
  get lost(): SignetError | undefined {
    return this.#core.signedIn?.lost
  }

  /**
   * Logs out without throwing errors, within 2 s. Calls under way reject with `CANCELLED`. The client can be used again
   * afterwards.
   */
  async close(): Promise<void> {
    this.#closing.abort(cancelled())
    this.#closing = new AbortController()
    const deadline = new Deadline(closeSeconds)
    const tokens = this.#core.leave()
    try {
      // A sign-in can have come between.
      await this.#turns.take(deadline, () => this.#core.logOut([...tokens, ...this.#core.leave()], deadline))
      await deadline.race(Promise.all(this.#farewells))
    } catch {
      // Nobody waits for more than this.
    } finally {
      deadline.end()
    }
  }

  #ask(name: string, fields: Record<string, unknown>, options: CallOptions | undefined) {
    return this.#call(options, (deadline) => this.#core.ask(name, fields, deadline))
  }

  #askSignedIn(name: string, fields: Record<string, unknown>, options: CallOptions | undefined) {
    return this.#call(options, (deadline) => this.#core.askSignedIn(name, fields, deadline))
  }

  #signIn(name: string, fields: Record<string, unknown>, options: CallOptions | undefined): Promise<Session> {
    return this.#call(options, async (deadline) => {
      const left = await this.#core.signIn(name, fields, (signedIn) => this.#heartbeatOf(signedIn), deadline)
      if (left !== undefined) this.#logOutQuietly(left)
      return (this.#core.signedIn as SignedIn).session
    })
  }

  #heartbeatOf(signedIn: SignedIn): Heartbeat | undefined {
    const { heartbeatSeconds: intervalSeconds, graceSeconds, wait } = this.#settings
    if (intervalSeconds === 0) return undefined
    const heartbeat: Heartbeat = new Heartbeat({
      beat: () => this.#call({ signal: heartbeat.signal }, (deadline) => this.#core.beat(signedIn, deadline)),
      interrupted: (error) => this.#notify(() => this.#options.onInterrupted?.(error), error),
      resumed: () => this.#notify(() => this.#options.onResumed?.()),
      intervalSeconds,
      graceSeconds,
      wait,
    })
    return heartbeat
  }

  /** In the background, and without waiting for other calls. */
  #logOutQuietly(token: string): void {
    const deadline = new Deadline(this.#settings.timeoutSeconds)
    const farewell = this.#core.exchange
      .tell('logout', token, deadline)
      .catch(() => undefined)
      .finally(() => {
        deadline.end()
        this.#farewells.delete(farewell)
      })
    this.#farewells.add(farewell)
  }

  #deadline(options: CallOptions | undefined): Deadline {
    return new Deadline(this.#settings.timeoutSeconds, [options?.signal, this.#closing.signal])
  }

  async #call<T>(options: CallOptions | undefined, act: Act<T>): Promise<T> {
    const deadline = this.#deadline(options)
    try {
      return await this.#turns.take(deadline, () => act(deadline))
    } catch (error) {
      throw this.#spoken(error)
    } finally {
      deadline.end()
    }
  }

  /** The same error, in the language of this client. */
  #spoken(error: unknown): unknown {
    if (error instanceof SignetError) error.speak(this.#settings.messages)
    return error
  }

  /** Later, so that the function can use the client. Nobody could catch what it throws, which would end the program. */
  #notify(tell: () => void, error?: SignetError): void {
    this.#spoken(error)
    void Promise.resolve()
      .then(tell)
      // oxlint-disable-next-line no-console -- the program must be able to hear of it
      .catch((thrown: unknown) => console.error('Signet: a callback failed:', thrown))
  }
}
