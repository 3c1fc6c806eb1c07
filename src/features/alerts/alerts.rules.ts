import type { Problem } from '#contract/errors.ts'
import type { alertsErrors } from './alerts.errors.ts'

/** Alerts as the server and the dashboard know them. docs/alerts.md describes each type. */

export const alertSeverities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

export const alertStatuses = ['new', 'reviewed', 'dismissed'] as const
export type AlertStatus = (typeof alertStatuses)[number]

export type AlertScope = 'user' | 'reseller' | 'cross-app' | 'license'

export interface Threshold {
  enabled: boolean
  /** Count at which the alert is raised. */
  threshold: number
  /** Time window in seconds; 0 for a single point in time. */
  windowSeconds: number
}

interface AlertKind {
  scope: AlertScope
  severity: AlertSeverity
  threshold: number
  windowSeconds: number
  /** A single occurrence means nothing. */
  minThreshold: number
  /**
   * What the key of the alert identifies: addresses and machines are redacted together with other addresses.
   */
  keyIs: 'place' | 'name'
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const kind = (
  scope: AlertScope,
  severity: AlertSeverity,
  keyIs: AlertKind['keyIs'],
  threshold: number,
  windowSeconds: number,
  minThreshold = 2,
) => ({ scope, severity, keyIs, threshold, windowSeconds, minThreshold }) satisfies AlertKind

/** All types in the order of the specification, with their default thresholds. */
export const alertKinds = {
  IP_MULTI_KEY: kind('user', 'MEDIUM', 'place', 5, day),
  HWID_MULTI_KEY: kind('user', 'HIGH', 'place', 3, day),
  LOADER_HASH_MISMATCH: kind('user', 'CRITICAL', 'place', 3, day, 1),
  HWID_CHANGED: kind('user', 'MEDIUM', 'name', 2, day),
  IP_CHANGED_COUNTRY: kind('user', 'HIGH', 'name', 2, 2 * hour),
  RAPID_IP_CHANGE: kind('user', 'MEDIUM', 'name', 4, hour),
  SIMULTANEOUS_SESSIONS: kind('user', 'HIGH', 'name', 3, 0),
  EXPIRED_STILL_TRYING: kind('user', 'LOW', 'name', 5, day, 1),
  RESELLER_MASS_RESET_HWID: kind('reseller', 'HIGH', 'name', 10, hour),
  RESELLER_SAME_IP_LICENSES: kind('reseller', 'HIGH', 'name', 5, 7 * day),
  RESELLER_LICENSE_PATTERN: kind('reseller', 'MEDIUM', 'name', 100, hour),
  RESELLER_CHARGEBACK_PATTERN: kind('reseller', 'CRITICAL', 'name', 5, 30 * day),
  RESELLER_CREDIT_ABUSE: kind('reseller', 'HIGH', 'name', 10, day),
  CROSS_APP_NO_LICENSE: kind('cross-app', 'MEDIUM', 'place', 3, day, 1),
  CROSS_APP_SAME_HWID: kind('cross-app', 'LOW', 'place', 3, 7 * day),
  CROSS_APP_SAME_IP: kind('cross-app', 'LOW', 'place', 3, day),
  LICENSE_TRANSFER: kind('license', 'HIGH', 'name', 2, 7 * day),
  LICENSE_RAPID_ACTIVATION: kind('license', 'MEDIUM', 'place', 10, 10 * minute),
} as const satisfies Record<string, AlertKind>

export type AlertType = keyof typeof alertKinds
export const alertTypes = Object.keys(alertKinds) as AlertType[]

/** Types whose fingerprint contains an address or a machine; of a reseller's licenses from one IP, it has both. */
export const typesOfPlaces = alertTypes.filter(
  (type) => alertKinds[type].keyIs === 'place' || type === 'RESELLER_SAME_IP_LICENSES',
)

/** In English, for chat messages; the dashboard has translations. */
export const alertTitles: Readonly<Record<AlertType, string>> = {
  IP_MULTI_KEY: 'Many keys from one IP',
  HWID_MULTI_KEY: 'Many keys on one machine',
  LOADER_HASH_MISMATCH: 'Changed program file',
  HWID_CHANGED: 'Hardware ID changed',
  IP_CHANGED_COUNTRY: 'Another country',
  RAPID_IP_CHANGE: 'Rapid IP changes',
  SIMULTANEOUS_SESSIONS: 'Simultaneous sessions',
  EXPIRED_STILL_TRYING: 'Expired, still trying',
  RESELLER_MASS_RESET_HWID: 'Mass reset of hardware IDs',
  RESELLER_SAME_IP_LICENSES: "Reseller's licenses from one IP",
  RESELLER_LICENSE_PATTERN: 'Burst of licenses',
  RESELLER_CHARGEBACK_PATTERN: 'Chargeback pattern',
  RESELLER_CREDIT_ABUSE: 'Credit abuse',
  CROSS_APP_NO_LICENSE: 'No license for this app',
  CROSS_APP_SAME_HWID: 'One machine in many apps',
  CROSS_APP_SAME_IP: 'One IP in many apps',
  LICENSE_TRANSFER: 'License shared',
  LICENSE_RAPID_ACTIVATION: 'Rapid activations',
}

export const alertScopes = ['user', 'reseller', 'cross-app', 'license'] as const

export const standardThreshold = (type: AlertType): Threshold => {
  const { threshold, windowSeconds } = alertKinds[type]
  return { enabled: true, threshold, windowSeconds }
}

export const maxThreshold = 100_000
export const minWindowSeconds = minute
export const maxWindowSeconds = 30 * day

export function thresholdProblem(
  type: AlertType,
  { threshold, windowSeconds }: Omit<Threshold, 'enabled'>,
): Problem<keyof typeof alertsErrors> | undefined {
  const { minThreshold, windowSeconds: standard } = alertKinds[type]
  if (!Number.isInteger(threshold) || threshold < minThreshold || threshold > maxThreshold) {
    return { code: 'ALERT_THRESHOLD_INVALID', values: { min: minThreshold, max: maxThreshold }, field: 'threshold' }
  }
  const isMoment = standard === 0
  const fits = isMoment ? windowSeconds === 0 : windowSeconds >= minWindowSeconds && windowSeconds <= maxWindowSeconds
  if (!Number.isInteger(windowSeconds) || !fits) {
    return { code: 'ALERT_WINDOW_INVALID', values: { minutes: 1, days: 30 }, field: 'windowSeconds' }
  }
  return undefined
}

/** How far back detection looks on the first run and after a threshold changed. */
export const lookBackSeconds = 30 * day

/**
 * Reviewed and dismissed alerts are kept as long as the log of the app, and at least until their activity is too old to
 * be detected again, which would raise a new alert for a decided case.
 */
export const minResolvedDays = (lookBackSeconds + maxWindowSeconds) / day
/** For undecided alerts: time since the last detection; longer if the log of the app is kept longer. */
export const minUnreviewedDays = 365

/** Each tripling of the threshold raises the severity by one step. */
export function severityOf(type: AlertType, measured: number, threshold: number): AlertSeverity {
  const at = alertSeverities.indexOf(alertKinds[type].severity)
  return alertSeverities[measured >= 3 * threshold ? Math.max(0, at - 1) : at] as AlertSeverity
}

/** Bulk actions on alerts. */
export const alertDecisions = ['review', 'dismiss', 'reopen'] as const
export type AlertDecision = (typeof alertDecisions)[number]

export const statusAfter = { review: 'reviewed', dismiss: 'dismissed', reopen: 'new' } as const

/** Only new alerts can be reviewed or dismissed; others can be reopened. */
export const canResolve = ({ status }: { status: AlertStatus }): boolean => status === 'new'
