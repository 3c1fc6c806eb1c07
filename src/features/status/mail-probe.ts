import { mailIsOn } from '#server/mail/mail.ts'
import { tryMailServer } from '#server/mail/mail-connection.ts'
import { perServer } from '#server/per-server.ts'
import { epochSeconds, type Services } from '#server/services.ts'

/** How often a mail server that works is tried, in seconds; one that doesn't is tried at each tick. */
const wellSeconds = 300
const tickMs = 60_000

/** Whether mail could be sent now: tried by the way, so that whoever asks for the status never waits for a mail server. */
export class MailProbe {
  readonly #services: Services
  #trying: Promise<void> | undefined
  /** The settings that were tried. */
  #tried = ''
  #triedAt = -Infinity
  #failures = 0

  constructor(services: Services) {
    this.#services = services
  }

  /** How often in a row the mail server failed; undefined while nobody tried it with the settings in force. */
  get failures(): number | undefined {
    return this.#tried === this.#settings() ? this.#failures : undefined
  }

  /** Gives how to stop. */
  start(): () => Promise<void> {
    const timer = setInterval(() => void this.tick(), tickMs).unref()
    return async () => {
      clearInterval(timer)
      await this.#trying
    }
  }

  /** Tries the mail server if it is time to. Never throws. */
  tick(): Promise<void> {
    this.#trying ??= this.#try().finally(() => (this.#trying = undefined))
    return this.#trying
  }

  async #try(): Promise<void> {
    const services = this.#services
    if (!mailIsOn(services)) return
    const isWell = this.failures === 0
    if (isWell && epochSeconds(services) - this.#triedAt < wellSeconds) return
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
