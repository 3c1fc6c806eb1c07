import type { Generated } from 'kysely'
import type { AlertSeverity, AlertStatus, AlertType } from './alerts.rules.ts'

export interface AlertsTable {
  app_id: string
  id: string
  type: AlertType
  severity: AlertSeverity
  status: Generated<AlertStatus>
  /** The type and what it is about: while an alert is new, there is no other of its fingerprint. */
  fingerprint: string
  /** How many times it was found. */
  occurrences: Generated<number>
  /** What was counted, to be compared with the threshold. */
  measured: number
  user_count: number
  ip: Generated<string>
  hwid_hash: Generated<string>
  /** `Evidence` as JSON. */
  evidence: string
  /** Epoch seconds of the activity: its first and its last. */
  first_at: number
  last_at: number
  created_at: number
  /** Since when it is reviewed or dismissed; null while it is new. */
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
