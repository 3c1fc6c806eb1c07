import { commonErrors } from '#contract/common-errors.ts'
import { type CallError, callError } from '#contract/errors.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { notAdmittedCode, notAdmittedMessage, rejectedCall } from '#features/logs/logs.rules.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { LiveSession } from './live-sessions.ts'

/** Limit for all networks together relative to one, so that a distributed flood is bounded, too. */
export const appFactor = 10
const countMs = 60_000

interface Rejected {
  appId: string
  ip: string
  session: LiveSession | undefined
  /** Epoch milliseconds. */
  now: number
}

interface NotAdmitted {
  count: number
  /** Empty if they came from several networks. */
  ip: string
}

/**
 * Decides which rejected requests get a signature and a log entry. The others are counted in memory and logged as one
 * entry per app and minute.
 */
export class RejectedRequests {
  readonly #services: Services
  readonly #notAdmitted = new Map<string, NotAdmitted>()
  #timer: NodeJS.Timeout | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /**
   * Undefined if the rejection is to be signed; otherwise the reply to send instead. The limit per network is checked
   * first, so that one flood does not affect other networks; rejections of signed-in users do not count towards the
   * limit of the app.
   */
  admit({ appId, ip, session, now }: Rejected): CallError | undefined {
    const { rateLimits, config } = this.#services
    const max = config.limits.rejectedRequestsPerMinute
    const ofNetwork = { purpose: 'rejected requests', subject: `${appId} ${networkOf(ip)}`, max, seconds: 60 }
    let retryAfterSeconds = rateLimits.count(ofNetwork, now)
    if (retryAfterSeconds === undefined && !session?.user) {
      const ofApp = { purpose: 'rejected requests of an app', subject: appId, max: max * appFactor, seconds: 60 }
      retryAfterSeconds = rateLimits.count(ofApp, now)
    }
    if (retryAfterSeconds === undefined) return undefined
    this.#count(appId, ip)
    return callError(commonErrors, 'RATE_LIMITED', { details: { retryAfterSeconds } })
  }

  /** Writes the counts to the log. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const at = epochSeconds(this.#services)
    for (const [appId, { count, ip }] of this.#notAdmitted) {
      const message = notAdmittedMessage(count)
      activityLog(this.#services).record({ appId, at, call: rejectedCall, code: notAdmittedCode, message, ip })
    }
    this.#notAdmitted.clear()
  }

  #count(appId: string, ip: string): void {
    const counted = this.#notAdmitted.get(appId)
    if (!counted) this.#notAdmitted.set(appId, { count: 1, ip })
    else {
      counted.count += 1
      if (counted.ip !== ip) counted.ip = ''
    }
    this.#timer ??= setTimeout(() => this.flush(), countMs).unref()
  }
}

export const rejectedRequests = perServer((services) => new RejectedRequests(services))
