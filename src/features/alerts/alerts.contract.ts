import { Type } from 'typebox'
import { maxBulkNames, maxNamesKiB } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, beforeField, EpochSeconds, reply, searchCodesField, strict, Text, oneOf } from '#contract/fields.ts'
import { listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { alertsErrors } from './alerts.errors.ts'
import { alertDecisions, alertSeverities, alertStatuses, alertTypes } from './alerts.rules.ts'

/** Alerts of an app. */

const AlertTypeField = oneOf(alertTypes)
const Severity = oneOf(alertSeverities)
const Status = oneOf(alertStatuses)

const Texts = Type.Array(Type.String())
const Count = Type.Integer({ minimum: 0 })

const EventReply = Type.Object({
  at: EpochSeconds,
  username: Type.String(),
  license: Type.String(),
  licenseKey: Type.String(),
  attempt: Type.String({ description: 'Username or key of a rejected attempt' }),
  ip: Type.String(),
  hwid: Type.String(),
  country: Type.String(),
  code: Type.String({
    description: 'Error code of a rejected call, or the action performed; empty for a successful call',
  }),
  app: Type.String({ description: 'Name of the other app' }),
})

const AlertReply = Type.Object({
  alertId: Type.String(),
  type: AlertTypeField,
  severity: Severity,
  status: Status,
  timestamp: EpochSeconds,
  details: Type.Object({
    userCount: Count,
    ip: Type.String(),
    hwid: Type.String({ description: 'Hash of the hardware ID; lists show its first 12 characters' }),
    key: Type.String({
      description: 'Subject of the alert: an IP address, a machine, a license, or the username of a user or reseller',
    }),
    reseller: Type.String({ description: 'Username of the reseller, for alerts about a reseller' }),
    measured: Type.Integer({ description: 'Measured count' }),
    threshold: Type.Integer({ description: 'Count at which the alert is raised' }),
    windowSeconds: Type.Integer({ description: 'Length of the time window in seconds; 0 for a single point in time' }),
    occurrences: Type.Integer({ description: 'Number of detections while the alert was new' }),
    firstAt: EpochSeconds,
    lastAt: EpochSeconds,
    users: Texts,
    usersElsewhere: Type.Array(Type.Object({ app: Type.String(), username: Type.String() }), {
      description: 'Users in other apps of the owner',
    }),
    licenses: Texts,
    attempts: Type.Array(Type.String(), { description: 'Usernames and keys of rejected attempts' }),
    ips: Texts,
    hwids: Texts,
    countries: Texts,
    apps: Texts,
    events: Type.Array(EventReply),
  }),
})

const thresholdFields = { enabled: Type.Boolean(), threshold: Type.Integer(), windowSeconds: Type.Integer() }
const ThresholdReply = Type.Object({ type: AlertTypeField, ...thresholdFields })

const AlertId = strict({ id: Text(40, 1) })
const byId = { params: AlertId, body: strict({ ...appFields }) }

export const alertsContract = {
  listAlerts: appCall('GET /alerts', {
    summary:
      'List the alerts of an app, one page at a time, newest first unless `sort` says otherwise. `-severity` begins with the most severe ones. `search` matches alert IDs, types, users, licenses, resellers, IP addresses and machines.',
    query: strict({
      ...appFields,
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      search: Type.Optional(Type.String({ maxLength: 200 })),
      searchCodes: searchCodesField,
      type: Type.Optional(listField(alertTypes)),
      severity: Type.Optional(listField(alertSeverities)),
      status: Type.Optional(listField(alertStatuses)),
      from: Type.Optional({ ...EpochSeconds, description: 'Raised in this second or later' }),
      until: Type.Optional({ ...EpochSeconds, description: 'Raised in this second or earlier' }),
      sort: sortField(['time', 'severity']),
    }),
    reply: reply({
      data: Type.Array(AlertReply),
      pagination: Type.Object({ page: Type.Integer(), limit: Type.Integer(), total: Count, pages: Type.Integer() }),
      total: Count,
      totalPages: Type.Integer(),
    }),
  }),
  getAlert: appCall('GET /alerts/{id}', {
    summary: 'Get an alert of an app with its evidence.',
    params: AlertId,
    query: strict({ ...appFields }),
    reply: reply({ alert: AlertReply }),
    errors: { ALERT_NOT_FOUND: alertsErrors.ALERT_NOT_FOUND },
  }),
  alertStats: appCall('GET /alerts/stats', {
    summary: 'Get the number of alerts raised in the last `days` days.',
    query: strict({ ...appFields, days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, default: 30 })) }),
    reply: reply({
      total: Count,
      bySeverity: Type.Object({ CRITICAL: Count, HIGH: Count, MEDIUM: Count, LOW: Count }),
      byStatus: Type.Object({ new: Count, reviewed: Count, dismissed: Count }),
      byType: Type.Record(Type.String(), Count, { description: 'Of the types that have alerts' }),
    }),
  }),
  countAlerts: appCall('GET /alerts/count', {
    summary: 'Get the number of new alerts, counted up to 1000.',
    query: strict({ ...appFields }),
    reply: reply({ count: Count }),
  }),
  userActivity: appCall('GET /alerts/user/{username}/activity', {
    summary: "List the last 100 actions of a user's programs.",
    params: strict({ username: Text(200, 1) }),
    query: strict({ ...appFields }),
    reply: reply({
      username: Type.String(),
      activity: Type.Array(
        Type.Object({
          timestamp: EpochSeconds,
          call: Type.String(),
          code: Type.String(),
          ip: Type.String(),
          country: Type.String(),
          hwid: Type.String(),
          license: Type.String(),
          licenseKey: Type.String(),
        }),
      ),
    }),
  }),
  runDetection: appCall('POST /alerts/run-detection', {
    summary: 'Run the alert detection on activity since the last run. The server does this every minute.',
    body: strict({ ...appFields }),
    reply: reply({ raised: Type.Integer({ description: 'Number of new alerts' }) }),
    successes: {
      DETECTION_OK: 'Detection finished: {raised, plural, one {# new alert} other {# new alerts}}',
      DETECTION_NOTHING_NEW: 'Detection finished: nothing new',
    },
    failure: 'Failed to run detection',
  }),
  reviewAlert: appCall('POST /alerts/{id}/review', {
    summary: 'Mark a new alert as reviewed.',
    ...byId,
    reply: reply({}),
    successes: { ALERT_REVIEW_OK: 'Alert marked as reviewed' },
    errors: alertsErrors,
    failure: 'Failed to review alert',
  }),
  dismissAlert: appCall('POST /alerts/{id}/dismiss', {
    summary: 'Dismiss a new alert.',
    ...byId,
    reply: reply({}),
    successes: { ALERT_DISMISS_OK: 'Alert dismissed' },
    errors: alertsErrors,
    failure: 'Failed to dismiss alert',
  }),
  reopenAlert: appCall('POST /alerts/{id}/reopen', {
    summary: 'Reopen a reviewed or dismissed alert.',
    ...byId,
    reply: reply({}),
    successes: { ALERT_REOPEN_OK: 'Alert reopened' },
    errors: alertsErrors,
  }),
  bulkAlerts: appCall('POST /alerts/bulk', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    summary:
      'Review, dismiss or reopen alerts by ID. Each alert has its own result; a failure does not affect the others.',
    body: strict({
      ...appFields,
      action: oneOf(alertDecisions),
      alertIds: Type.Array(Text(40, 1), { minItems: 1, maxItems: maxBulkNames }),
    }),
    reply: reply({
      done: Count,
      failed: Count,
      results: Type.Array(
        Type.Object({
          alertId: Type.String(),
          ok: Type.Boolean(),
          code: Type.Optional(Type.String()),
          message: Type.String(),
        }),
        { description: 'In the order of `alertIds`' },
      ),
    }),
    successes: {
      ALERTS_REVIEW_OK: '{done, plural, one {# alert} other {# alerts}} marked as reviewed',
      ALERTS_DISMISS_OK: '{done, plural, one {# alert} other {# alerts}} dismissed',
      ALERTS_REOPEN_OK: '{done, plural, one {# alert} other {# alerts}} reopened',
    },
    errors: alertsErrors,
    failure: 'Failed to change alerts',
  }),
  alertThresholds: appCall('GET /alerts/thresholds', {
    summary: 'List the thresholds of all alert types in this app.',
    query: strict({ ...appFields }),
    reply: reply({ thresholds: Type.Array(ThresholdReply) }),
  }),
  setAlertThreshold: appCall('POST /alerts/thresholds', {
    summary: 'Change the threshold of an alert type, or turn the alert type off. Omitted fields keep their value.',
    body: strict({
      ...appFields,
      type: AlertTypeField,
      enabled: Type.Optional(thresholdFields.enabled),
      threshold: Type.Optional(thresholdFields.threshold),
      windowSeconds: Type.Optional(thresholdFields.windowSeconds),
      reset: Type.Optional(Type.Boolean({ description: 'Restore the default threshold' })),
      ...beforeField(thresholdFields),
    }),
    reply: reply({}),
    successes: { ALERT_THRESHOLD_OK: 'Alert settings saved' },
    errors: alertsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof alertsContract> {}
  interface Codes extends CodesOf<typeof alertsContract> {}
}
