import type { Generated } from 'kysely'
import type { AlertSeverity, AlertStatus, AlertType } from './alerts.rules.ts'

export interface AlertsTable {
  app_id: string
  id: string
  type: AlertType
  severity: AlertSeverity
  status: Generated<AlertStatus>
  /** Type and subject: there is at most one new alert per fingerprint. */
  fingerprint: string
  /** Number of detections. */
  occurrences: Generated<number>
  /** Measured count, compared with the threshold. */
  measured: number
  user_count: number
  ip: Generated<string>
  hwid_hash: Generated<string>
  /** `Evidence` as JSON. */
  evidence: string
  /** First and last activity, in epoch seconds. */
  first_at: number
  last_at: number
  created_at: number
  /** When it was reviewed or dismissed; null while it is new. */
  resolved_at: Generated<number | null>
}

export interface AlertThresholdsTable {
  app_id: string
  type: AlertType
  enabled: number
  threshold: number
  window_seconds: number
}

export interface AlertScansTable {
  app_id: string
  seen_until: number
}

declare module '#database/schema.ts' {
  interface Schema {
    alerts: AlertsTable
    alert_thresholds: AlertThresholdsTable
    alert_scans: AlertScansTable
  }
}
