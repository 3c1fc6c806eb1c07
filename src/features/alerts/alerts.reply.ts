import type { Alert } from './alerts.reads.ts'
import type { Evidence } from './incidents.rules.ts'

/** Defaults for fields that older alerts lack. */
const notThen = { reseller: '', usersElsewhere: [], attempts: [] }

export function alertReply(alert: Alert) {
  const { strongest: _strongest, ...evidence } = JSON.parse(alert.evidence) as Evidence
  return {
    alertId: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    timestamp: Number(alert.created_at),
    details: {
      ...notThen,
      ...evidence,
      events: evidence.events.map((event) => ({ ...event, attempt: event.attempt ?? '', licenseKey: event.license })),
      userCount: alert.user_count,
      ip: alert.ip,
      hwid: alert.hwid_hash,
      measured: alert.measured,
      occurrences: alert.occurrences,
      firstAt: Number(alert.first_at),
      lastAt: Number(alert.last_at),
    },
  }
}
