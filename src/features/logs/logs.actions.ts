import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import { type AppContext, countedTarget, recordAudit } from '#server/audit/audit.ts'
import { changeOf } from '#server/audit/changes.ts'
import { expectedRows } from '#server/bulk/expected-rows.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { choiceOf } from './log-choice.ts'
import {
  findExcess,
  listAppsWithLogs,
  listExpired,
  listNaming,
  type LogFilter,
  type RowPosition,
  scanLogIds,
  findRetention,
} from './logs.reads.ts'
import { logsErrors } from './logs.errors.ts'
import { activeCalls, messageCall, messageProblem, retentionProblem } from './logs.rules.ts'
import { redactLogs, deleteLogs, deleteOldest, insertLogs, type NewLog, upsertRetention } from './logs.writes.ts'

/** A program's call and its outcome. Unknown fields are omitted. */
export interface Activity {
  appId: string
  /** Epoch seconds. */
  at: number
  call: string
  /** Error code of a rejected call. */
  code?: string
  /** Text written by the program, or the error message of a rejected call. */
  message?: string
  username?: string
  license?: string
  hwidHash?: string
  machineHash?: string
  ip: string
  session?: string
  /** Request ID of a rejected call. */
  request?: string
}

const lastSignInCalls: ReadonlySet<string> = new Set(activeCalls)
/** Changes the last login of a user. Announced once per batch, so that a sign-in itself publishes nothing. */
const isSignIn = ({ call, code }: NewLog) => code === '' && lastSignInCalls.has(call)

const flushMs = 1000
const rowsPerTransaction = 500
const maxPending = 20_000

const rowOf = ({ appId, at, ip, call, ...known }: Activity, country: string): NewLog => ({
  app_id: appId,
  at,
  call,
  code: known.code ?? '',
  message: known.message ?? '',
  username: known.username ?? '',
  license: known.license ?? '',
  hwid_hash: known.hwidHash ?? '',
  machine_hash: known.machineHash ?? '',
  ip,
  country,
  session: known.session ?? '',
  request: known.request ?? '',
})

/**
 * Logs program activity in batches after the reply, so that sign-ins do not wait for it. A killed process loses its
 * last second of activity. Messages written by programs are stored by `addMessage` instead.
 */
export class ActivityLog {
  readonly #services: Services
  #pending: NewLog[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  record(activity: Activity): void {
    // A flood loses rows instead of using up memory; the server log has their number.
    if (this.#pending.length >= maxPending) {
      this.#dropped += 1
      return
    }
    this.#pending.push(rowOf(activity, this.#services.ipData.countryOf(activity.ip)))
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Stores everything recorded before; it can then be read. Never throws: rows that fail are retried later. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { db, log } = this.#services
    if (this.#dropped > 0)
      log.warn({ rows: this.#dropped }, 'some activity was not logged: there is more than can be stored')
    this.#dropped = 0
    while (this.#pending.length > 0) {
      const rows = this.#pending.splice(0, rowsPerTransaction)
      try {
        await db.write(async (tx) => {
          await insertLogs(tx.db, rows)
          const appsOf = (some: readonly NewLog[]) => new Set(some.map((row) => row.app_id))
          for (const appId of appsOf(rows)) tx.publish(`logs:${appId}`)
          for (const appId of appsOf(rows.filter(isSignIn))) tx.publish(`sign-ins:${appId}`)
        })
      } catch (error) {
        log.error({ err: error, rows: rows.length }, 'could not store activity')
        this.#pending = [...rows, ...this.#pending].slice(0, maxPending)
        this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
        return
      }
    }
  }
}

export const activityLog = perServer((services) => new ActivityLog(services))

/** Stores a message written by a program, as part of the transaction. */
export async function addMessage(
  tx: Tx,
  { country, ...activity }: Omit<Activity, 'call'> & { message: string; country: string },
): Promise<void> {
  rejectProblem(logsErrors, messageProblem(activity.message))
  await insertLogs(tx.db, [rowOf({ ...activity, call: messageCall }, country)])
  tx.publish(`logs:${activity.appId}`)
}

export async function deleteLog(tx: Tx, context: AppContext, logId: number): Promise<void> {
  if ((await deleteLogs(tx.db, context.app.id, [logId])) === 0) reject(logsErrors, 'LOG_NOT_FOUND')
  await recordAudit(tx, context, { act: 'log.delete', target: String(logId) })
}

/** Deletes the given rows that exist and returns their number. */
export async function deleteManyLogs(tx: Tx, context: AppContext, logIds: readonly number[]): Promise<number> {
  const deleted = await deleteLogs(tx.db, context.app.id, logIds)
  await recordAudit(tx, context, { act: 'log.bulk-delete', target: countedTarget(deleted, 'logs') })
  return deleted
}

interface MatchingLogs {
  filter: LogFilter
  expectedCount?: number | undefined
  newestId?: number | undefined
}

/** Deletes all matching rows in transactions small enough for heartbeats to run in between. */
export async function deleteMatchingLogs(
  context: AppContext & { services: Services; app: AppScope },
  { filter, expectedCount, newestId }: MatchingLogs,
): Promise<number> {
  const { services, app } = context
  // Includes activity that has not been stored yet.
  await activityLog(services).flush()
  const choice = { ...(await choiceOf(services, app, filter)), newestId }
  const matching = scanLogIds(services.db, choice, rowsPerTransaction)
  let deleted = 0
  for await (const ids of expectedRows(matching, { count: expectedCount, mayBeFewer: true })) {
    deleted += await services.db.write((tx) => deleteManyLogs(tx, context, ids))
  }
  return deleted
}

export async function setLogRetention(
  tx: Tx,
  context: AppContext,
  { days, before }: { days: number; before?: object | undefined },
): Promise<void> {
  rejectProblem(logsErrors, retentionProblem(days))
  const { id, name: target } = context.app
  // An app with the default has no row of its own to lock.
  await lockApp(tx, id)
  const current = await findRetention(tx.db, id)
  rejectFieldConflict({ before, change: { days } }, { days: current })
  const changes = changeOf('days', current, days)
  await upsertRetention(tx.db, id, days)
  await recordAudit(tx, context, { act: 'app.set-log-retention', target, details: { days }, changes })
}

const appsPerRead = 200

/** Deletes rows past each app's retention period, in batches. Not audited: only changes of the setting are. */
export async function deleteExpiredLogs(services: Services): Promise<void> {
  const { db } = services
  const now = epochSeconds(services)
  for (let after = ''; ;) {
    const apps = await listExpired(db.reports, { after, limit: appsPerRead, now })
    for (const { appId, before } of apps) await deleteBefore(services, { appId, at: before, id: 0 })
    if (apps.length < appsPerRead) return
    after = apps.at(-1)?.appId ?? ''
  }
}

/** Deletes the oldest rows of apps that exceed the server's limit per app, in batches. */
export async function deleteExcessLogs(services: Services): Promise<void> {
  const { db, config } = services
  for (let after = ''; ;) {
    const apps = await listAppsWithLogs(db.reports, { after, limit: appsPerRead })
    for (const appId of apps) {
      const newest = await findExcess(db.reports, appId, config.logEntriesPerApp)
      if (newest) await deleteBefore(services, { ...newest, id: newest.id + 1 })
    }
    if (apps.length < appsPerRead) return
    after = apps.at(-1) ?? ''
  }
}

async function deleteBefore({ db }: Services, place: RowPosition): Promise<void> {
  while ((await db.write((tx) => deleteOldest(tx.db, place, rowsPerTransaction))) === rowsPerTransaction);
}

export const redactLogAddresses = addressRetention(async ({ db }, before) => {
  for (let after = ''; ;) {
    const apps = await listAppsWithLogs(db.reports, { after, before, limit: appsPerRead })
    for (const appId of apps) {
      let place: RowPosition | undefined = { appId, at: 0, id: 0 }
      while (place) {
        const rows = await listNaming(db.reports, place, { before, limit: rowsPerTransaction })
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) await db.write((tx) => redactLogs(tx.db, appId, ids))
        place = rows.at(-1)
      }
    }
    if (apps.length < appsPerRead) return
    after = apps.at(-1) ?? ''
  }
})
