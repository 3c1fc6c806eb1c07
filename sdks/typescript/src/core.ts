import type { Deadline } from './deadline.ts'
import { type FileOffer, fileOfferOf } from './download.ts'
import { RejectedError, SignetError } from './errors.ts'
import { Exchange, sdk } from './exchange.ts'
import type { Heartbeat } from './heartbeat.ts'
import { trimKey } from './license-key.ts'
import type { Settings, Source } from './options.ts'
import { type App, appOf, type Session, sessionOf, tokenOf } from './session.ts'

type Fields = Record<string, unknown>

/** A session that somebody is signed in to. */
export interface SignedIn {
  readonly token: string
  readonly hwid: string | undefined
  session: Session
  /** By `performance.now`, which nobody can turn back. */
  endsAt: number
  /** None without a heartbeat in the background. */
  heartbeat: Heartbeat | undefined
  lost: SignetError | undefined
}

/** Makes the heartbeat of a sign-in. */
type HeartbeatOf = (signedIn: SignedIn) => Heartbeat | undefined

/** Only a new session helps. */
const sessionIsGone = new Set(['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_ENDED', 'SESSION_REPLACED'])
/** Their errors are about what was typed; only the end of the session itself ends it. */
const aboutInput = new Set(['upgrade', 'request-password-reset'])

const isGone = (error: unknown): error is RejectedError =>
  error instanceof RejectedError && sessionIsGone.has(error.code)

/** What a client knows and does. Its calls run one at a time; the rest can be used at any time. */
export class Core {
  readonly exchange: Exchange
  readonly #settings: Settings
  /** Hears of the end of a session, before the call fails. */
  readonly #onLost: (error: SignetError) => void
  /** A session that nobody is signed in to yet. */
  #opened: string | undefined
  /** Of the program as it was started: an update can replace its file meanwhile. */
  #programHash: string | undefined
  signedIn: SignedIn | undefined

  constructor(settings: Settings, onLost: (error: SignetError) => void) {
    this.#settings = settings
    this.#onLost = onLost
    this.exchange = new Exchange(settings)
  }

  isValid(): boolean {
    const { signedIn } = this
    if (!signedIn || signedIn.lost) return false
    return signedIn.heartbeat ? !signedIn.heartbeat.isOverdue : performance.now() < signedIn.endsAt
  }

  /** Forgets all sessions; returns the tokens to sign out. */
  leave(): string[] {
    const { signedIn } = this
    const tokens = [signedIn?.lost ? undefined : signedIn?.token, this.#opened]
    this.signedIn = this.#opened = undefined
    signedIn?.heartbeat?.stop()
    return tokens.filter((token) => token !== undefined)
  }

  /** The session of the signed-in user goes on; the new one is for the next sign-in. */
  async init(deadline: Deadline): Promise<App> {
    const answer = await this.exchange.call('init', { ...(await this.#program(deadline)), sdk }, undefined, deadline)
    const app = appOf(answer)
    this.#opened = tokenOf(answer)
    return app
  }

  /** In a new session. Whatever goes wrong, the current one stays; returns its token if it must be logged out. */
  async signIn(
    name: string,
    fields: Fields,
    heartbeatOf: HeartbeatOf,
    deadline: Deadline,
  ): Promise<string | undefined> {
    const hwid = await valueOf(this.#settings.hwid, deadline)
    const { token, answer } = await this.#askOpened(name, { ...trimmed(fields), ...(hwid && { hwid }) }, deadline)
    this.#opened = undefined
    const before = this.signedIn
    this.#enter({ token, hwid, session: sessionOf(answer) }, heartbeatOf)
    return before?.lost ? undefined : before?.token
  }

  async heartbeat(deadline: Deadline): Promise<Session> {
    return this.#askForSession('heartbeat', {}, deadline)
  }

  /** Also after the time has ended: the server still knows the session, which starts anew. */
  async upgrade(licenseKey: string, heartbeatOf: HeartbeatOf, deadline: Deadline): Promise<Session> {
    const fields = trimmed({ licenseKey })
    const { signedIn } = this
    if (signedIn?.lost?.code !== 'SUBSCRIPTION_EXPIRED') return this.#askForSession('upgrade', fields, deadline)
    const session = sessionOf(await this.#askIn(signedIn, 'upgrade', fields, deadline))
    // Somebody may have logged out meanwhile.
    if (this.signedIn === signedIn) this.#enter({ token: signedIn.token, hwid: signedIn.hwid, session }, heartbeatOf)
    return session
  }

  /** In the signed-in session if there is one, else in one that nobody is signed in to. */
  async ask(name: string, fields: Fields, deadline: Deadline): Promise<Fields> {
    const { signedIn } = this
    if (signedIn && !signedIn.lost) return this.#askIn(signedIn, name, fields, deadline)
    return (await this.#askOpened(name, fields, deadline)).answer
  }

  async askSignedIn(name: string, fields: Fields, deadline: Deadline): Promise<Fields> {
    return this.#askIn(this.#requireSignedIn(), name, fields, deadline)
  }

  async fileOffer(id: string, deadline: Deadline): Promise<FileOffer> {
    return fileOfferOf(await this.ask('download', { id }, deadline))
  }

  /** `tokens` are what `leave` returned. */
  async logOut(tokens: readonly string[], deadline: Deadline): Promise<void> {
    // A sign-in under way has used a session that was only opened before.
    if (this.signedIn && tokens.includes(this.signedIn.token)) this.leave()
    for (const token of tokens) {
      await this.exchange.call('logout', {}, token, deadline).catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
    }
  }

  /** A heartbeat in the background. */
  async beat(signedIn: SignedIn, deadline: Deadline): Promise<void> {
    if (this.#isCurrent(signedIn)) await this.#askAndKeep(signedIn, 'heartbeat', {}, deadline)
  }

  #enter(entered: Pick<SignedIn, 'token' | 'hwid' | 'session'>, heartbeatOf: HeartbeatOf): void {
    this.signedIn?.heartbeat?.stop()
    this.signedIn = { ...entered, endsAt: this.#endOf(entered.session), heartbeat: undefined, lost: undefined }
    this.signedIn.heartbeat = heartbeatOf(this.signedIn)
    this.signedIn.heartbeat?.start()
  }

  #isCurrent(signedIn: SignedIn): boolean {
    return this.signedIn === signedIn && !signedIn.lost
  }

  #requireSignedIn(): SignedIn {
    const { signedIn } = this
    if (!signedIn) throw new SignetError('SESSION_REQUIRED', 'Sign in first: license(), login(), or register().')
    if (signedIn.lost) throw signedIn.lost
    return signedIn
  }

  async #askForSession(name: string, fields: Fields, deadline: Deadline): Promise<Session> {
    const signedIn = this.#requireSignedIn()
    await this.#askAndKeep(signedIn, name, fields, deadline)
    return signedIn.session
  }

  async #askAndKeep(signedIn: SignedIn, name: string, fields: Fields, deadline: Deadline): Promise<void> {
    this.#keep(signedIn, await this.#askIn(signedIn, name, fields, deadline))
  }

  /** A call in the signed-in session, which is renewed if it expired meanwhile, as after the computer's sleep. */
  async #askIn(signedIn: SignedIn, name: string, fields: Fields, deadline: Deadline): Promise<Fields> {
    try {
      return await this.#call(name, fields, signedIn.token, deadline)
    } catch (error) {
      if (!isGone(error) || error.code !== 'SESSION_EXPIRED') throw this.#judged(signedIn, name, error)
    }
    await this.#renew(signedIn, deadline)
    try {
      return await this.#call(name, fields, signedIn.token, deadline)
    } catch (error) {
      throw this.#judged(signedIn, name, error)
    }
  }

  async #renew(signedIn: SignedIn, deadline: Deadline): Promise<void> {
    const { token, hwid } = signedIn
    const fields = { ...(await this.#program(deadline)), ...(hwid && { hwid }) }
    try {
      this.#keep(signedIn, await this.#call('renew', fields, token, deadline))
    } catch (error) {
      throw this.#judged(signedIn, 'renew', error)
    }
  }

  /** The same error, after deciding whether it ends the session. */
  #judged(signedIn: SignedIn, name: string, error: unknown): unknown {
    if (!(error instanceof RejectedError) || error.isTemporary) return error
    const isAboutSession = name === 'heartbeat' || name === 'renew'
    const isListed = error.verdict === 'lost' && (!aboutInput.has(name) || sessionIsGone.has(error.code))
    if ((isAboutSession || isListed) && this.#isCurrent(signedIn)) {
      signedIn.lost = error
      signedIn.heartbeat?.stop()
      this.#onLost(error)
    }
    return error
  }

  #keep(signedIn: SignedIn, answer: Fields): void {
    signedIn.session = sessionOf(answer)
    signedIn.endsAt = this.#endOf(signedIn.session)
    signedIn.heartbeat?.recordSuccess()
  }

  #endOf(session: Session): number {
    return performance.now() + (session.expiresAt.getTime() - this.exchange.now())
  }

  /** In a session that nobody is signed in to. One that is gone by now is opened again, once. */
  async #askOpened(name: string, fields: Fields, deadline: Deadline): Promise<{ token: string; answer: Fields }> {
    let wasOpen = this.#opened !== undefined
    for (;;) {
      if (this.#opened === undefined) await this.init(deadline)
      const token = this.#opened as unknown as string
      try {
        return { token, answer: await this.#call(name, fields, token, deadline) }
      } catch (error) {
        // After an answer that can't be verified, nobody knows what became of the session.
        if (isGone(error) || !(error instanceof RejectedError)) this.#opened = undefined
        if (!isGone(error) || !wasOpen) throw error
        wasOpen = false
      }
    }
  }

  /** What a program says about itself. */
  async #program(deadline: Deadline): Promise<Fields> {
    this.#programHash ??= await valueOf(this.#settings.programHash, deadline)
    const hash = this.#programHash
    return { version: this.#settings.version, ...(hash !== undefined && { hash }) }
  }

  #call(name: string, fields: Fields, token: string, deadline: Deadline): Promise<Fields> {
    return this.exchange.call(name, fields, token, deadline)
  }
}

const valueOf = async (source: Source | undefined, deadline: Deadline): Promise<string | undefined> =>
  typeof source === 'function' ? deadline.race((async () => source())()) : source

const keyFields = new Set(['key', 'licenseKey'])

const trimmed = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      keyFields.has(name) && typeof value === 'string' ? [name, trimKey(value)] : [name, value],
    ),
  )
