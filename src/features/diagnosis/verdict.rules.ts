import { type Decision, decisionOf, type Subject } from './diagnosis.rules.ts'

/** Decides whether a customer can start now, from the current state and what their programs were last told. Pure. */

export interface Verdict {
  /** `uncertain` if it depends on what the program sends next. */
  state: 'rejected' | 'uncertain' | 'allowed'
  /** Error code of the rule that decides; empty if nothing keeps the customer out. */
  code: string
  /** Epoch seconds; null if unknown. */
  since: number | null
  /** The logged rejection by that rule. */
  logId: number | undefined
  decision: Decision | null
}

/** A call of a program, in the order of the timeline. */
export interface LoggedCall {
  id: number
  at: number
  call: string
  /** Error code of a rejected call; otherwise empty. */
  code: string
  decision: Decision | null
}

/** Codes that keep a customer out; others concern one request of a program that runs. */
export const keepsOut: ReadonlySet<string> = new Set([
  'APP_DISABLED',
  'OWNER_BANNED',
  'VERSION_OUTDATED',
  'HASH_MISMATCH',
  'VPN_BLOCKED',
  'CANNOT_OPEN_SEALED_BODY',
  'CLOCK_SKEW',
  'LICENSE_NOT_FOUND',
  'LICENSE_BANNED',
  'LICENSE_ALREADY_USED',
  'SUBSCRIPTION_EXPIRED',
  'SUBSCRIPTION_PAUSED',
  'INVALID_CREDENTIALS',
  'LOGIN_COOLDOWN',
  'USER_BANNED',
  'USER_LIMIT_REACHED',
  'USER_PAUSED',
  'HWID_REQUIRED',
  'HWID_TOO_SHORT',
  'HWID_MISMATCH',
])

const signIns: ReadonlySet<string> = new Set(['license', 'login', 'register', 'renew'])

/** The error that the state alone causes, in the order in which sign-ins check it; undefined if there is none. */
export function blockingCode({ settings, user, now, ...subject }: Subject): string | undefined {
  if (!settings.appStatus) return 'APP_DISABLED'
  if (!user) return codeOfLicense(subject)
  // Users with a password sign in without a license, and may have several.
  if (user.byKey?.code) return user.byKey.code
  if (user.banned) return 'USER_BANNED'
  if (user.paused) return 'USER_PAUSED'
  const allowed = user.entitlements.filter((each) => !each.licenseBanned)
  const active = allowed.filter((each) => each.levelActive)
  if (active.some(({ expiresAt }) => expiresAt === null || expiresAt > now)) return undefined
  if (user.entitlements.length > 0 && allowed.length === 0) return 'LICENSE_BANNED'
  return allowed.length > 0 && active.length === 0 ? 'SUBSCRIPTION_PAUSED' : 'SUBSCRIPTION_EXPIRED'
}

/** The error of a first sign-in with a license. */
function codeOfLicense({ license, isByKey, levelOfUnused, isFull }: Omit<Subject, 'settings' | 'user' | 'now'>) {
  if (!license) return isByKey ? 'LICENSE_NOT_FOUND' : undefined
  if (license.banned) return 'LICENSE_BANNED'
  // Only its user can sign in with a redeemed license, and that user was deleted.
  if (license.used) return 'LICENSE_ALREADY_USED'
  if (isFull) return 'USER_LIMIT_REACHED'
  return levelOfUnused?.active === false ? 'SUBSCRIPTION_PAUSED' : undefined
}

interface Evidence {
  /** Undefined if nobody is known, e.g. for an address. */
  subject: Subject | undefined
  /** Newest first. */
  calls: readonly LoggedCall[]
  /** The rejection that was asked for by its request ID. */
  asked: LoggedCall | undefined
}

/**
 * Undefined if no customer is known. The state decides first; without a reason there, the last rejection does, unless a sign-in has succeeded since.
 */
export function verdictOf({ subject, calls, asked }: Evidence): Verdict | undefined {
  const code = subject && blockingCode(subject)
  const isKnown = calls.length > 0 || subject?.license !== undefined || subject?.user !== undefined
  if (subject && code !== undefined && isKnown) return ofState(subject, code, calls)
  if (asked?.decision?.stillApplies && keepsOut.has(asked.code)) return ofCall('rejected', asked, calls)
  const last = calls.find((each) => (each.code === '' ? signIns.has(each.call) : keepsOut.has(each.code)))
  if (!last || last.code === '' || last.decision?.stillApplies === false) {
    return subject?.license || subject?.user ? nothing : undefined
  }
  return ofCall(last.decision?.stillApplies ? 'rejected' : 'uncertain', last, calls)
}

const nothing: Verdict = { state: 'allowed', code: '', since: null, logId: undefined, decision: null }

function ofState(subject: Subject, code: string, calls: readonly LoggedCall[]): Verdict {
  const decision = decisionOf({ call: '', code, at: subject.now, hwidHash: '', session: '' }, subject)
  const logged = calls.find((each) => each.code === code)
  const since = decision.until ?? decision.cause?.at ?? firstInRow(code, calls)
  return { state: 'rejected', code, since, logId: logged?.id, decision }
}

const ofCall = (state: Verdict['state'], call: LoggedCall, calls: readonly LoggedCall[]): Verdict => ({
  state,
  code: call.code,
  since: firstInRow(call.code, calls) ?? call.at,
  logId: call.id,
  decision: call.decision,
})

/** The first rejection with the code since the last sign-in. */
function firstInRow(code: string, calls: readonly LoggedCall[]): number | null {
  const end = calls.findIndex((each) => each.code === '' && signIns.has(each.call))
  const since = end === -1 ? calls : calls.slice(0, end)
  return since.findLast((each) => each.code === code)?.at ?? null
}
