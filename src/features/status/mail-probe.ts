import { hasPassed } from '#server/clock/has-passed.ts'
import { mailIsOn } from '#server/mail/mail.ts'
import { tryMailServer } from '#server/mail/mail-connection.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'

/** Seconds between probes of a working mail server; a failing one is probed at each tick. */
const wellSeconds = 300
const tickMs = 60_000

/** Probes the mail server in the background, so that status requests never wait for it. */
export class MailProbe {
  readonly #services: Services
  #trying: Promise<void> | undefined
  /** The settings of the last probe. */
  #tried = ''
  #triedAt = -Infinity
  #failures = 0

  constructor(services: Services) {
    this.#services = services
  }

  /** Number of consecutive failures; undefined until the current settings have been probed. */
  get failures(): number | undefined {
    return this.#tried === this.#settings() ? this.#failures : undefined
  }

  /** Returns a function to stop probing. */
  start(): () => Promise<void> {
    const timer = setInterval(() => void this.tick(), tickMs).unref()
    return async () => {
      clearInterval(timer)
      await this.#trying
    }
  }

  /** Probes the mail server if a probe is due. Never throws. */
  tick(): Promise<void> {
    this.#trying ??= this.#try().finally(() => (this.#trying = undefined))
    return this.#trying
  }

  async #try(): Promise<void> {
    const services = this.#services
    if (!mailIsOn(services)) return
    const isWell = this.failures === 0
    if (isWell && !hasPassed(wellSeconds, this.#triedAt, epochSeconds(services))) return
    const settings = this.#settings()
    const before = this.failures ?? 0
    const failure = await tryMailServer(services).catch((error: unknown) => ({ error }))
    if (failure) services.log.warn(failure, 'the mail server cannot be used')
    this.#tried = settings
    this.#triedAt = epochSeconds(services)
    this.#failures = failure ? before + 1 : 0
  }

  #settings(): string {
    return JSON.stringify(this.#services.settings.latest.email)
  }
}

export const mailProbe = perServer((services) => new MailProbe(services))
