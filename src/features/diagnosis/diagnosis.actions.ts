import { isIP } from 'node:net'
import { trimPasted } from '#contract/visible-text.ts'
import type { Reader } from '#database/database.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import type { Log } from '#features/logs/logs.reads.ts'
import { findLicense, type License } from '#features/licenses/licenses.reads.ts'
import { machineOf } from '#features/users/machines.ts'
import { findUser, type User } from '#features/users/users.reads.ts'
import { fingerprintIn } from '#features/users/user-list.rules.ts'
import { usernameKey } from '#features/users/users.rules.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { readRequestId } from '#server/http/request-ids.ts'
import type { Services } from '#server/services.ts'
import { Cases, type Customer, userOfLicense } from './cases.ts'
import {
  type AuditRow,
  type EntitlementOfUser,
  eventOf,
  findMachineByFingerprint,
  listEntitlementStates,
  listLicensesOfUser,
  listLogsOf,
  listRejections,
  listUsersOfMachine,
  maxEvents,
} from './diagnosis.reads.ts'
import type { PastEvent } from './causes.rules.ts'
import { type Decision, eventAreas, type Subject } from './diagnosis.rules.ts'
import { keepsOut, type LoggedCall, type Verdict, verdictOf } from './verdict.rules.ts'

export interface LoggedEvent {
  at: number
  log: Log
  decision: Decision | null
}
type Happening = LoggedEvent | { at: number; row: AuditRow; action: PastEvent }

export interface Diagnosis {
  /** The rejection with the request ID that was searched for. */
  rejection: LoggedEvent | undefined
  /** Undefined if no customer is known. */
  verdict: Verdict | undefined
  /** Whom the verdict is about. */
  customer: Customer
  license: License | undefined
  user: User | undefined
  entitlements: readonly EntitlementOfUser[]
  hwidHash: string
  ip: string
  boundUsers: string[]
  /** Newest first. */
  events: Happening[]
  hasMore: boolean
}

/**
 * The history of whatever a text names in an app, and the rule behind each rejection. Every query uses one index and
 * stops after a hundred rows, so that neither a large app nor a busy address makes it slow.
 */
export async function diagnose(services: Services, app: AppScope, search: string): Promise<Diagnosis> {
  // Makes an entry that was rejected just now visible.
  await activityLog(services).flush()
  const db = services.db.read
  const requestId = readRequestId(search)
  const rejections = requestId === undefined ? [] : await listRejections(db, app.id, requestId)
  const [asked] = rejections
  const text = asked ? '' : trimPasted(search)
  const license = await findLicense(db, app.id, asked?.license ?? text)
  const user = (await findUser(db, app.id, asked?.username ?? text)) ?? (await userOfLicense(db, app.id, license))
  const ip = isIP(text) ? text : ''
  const hash = asked?.hwid_hash ?? (await machineHash(services, app, text))
  const licenses = user ? await listLicensesOfUser(db, app.id, user.id) : []
  const named = [text, asked?.username, asked?.license, license?.license, user?.username]
  const names = new Set([...named, ...licenses.map((each) => each.license)])
  names.delete(undefined)
  names.delete('')
  const cases = new Cases(services, app)
  const logs = new Map<number, Log>()
  const events = new Map<number, AuditRow>()
  const add = (rows: readonly Log[]) => rows.forEach((row) => logs.set(Number(row.id), row))
  for (const name of names as Set<string>) {
    add(await listLogsOf(db, app.id, 'username', name))
    add(await listLogsOf(db, app.id, 'license', name))
    const { license: ofLicense, user: ofUser, bin, import: ofImport } = eventAreas
    for (const row of await cases.eventsOn(name, [ofLicense, ofUser, bin, ofImport])) events.set(Number(row.id), row)
  }
  add(rejections)
  // A rejected program may have shown nothing but its machine.
  if (!asked || names.size === 0) add(await listLogsOf(db, app.id, 'hwid_hash', hash))
  if (ip !== '') add(await listLogsOf(db, app.id, 'ip', ip))
  const acted = new Set([...events.values()].map(({ at }) => Number(at)))
  const all = [
    ...[...logs.values()].map((log) => ({
      at: Number(log.at),
      rank: log.code !== '' && acted.has(Number(log.at)) ? 2 : 0,
      id: Number(log.id),
      log,
    })),
    ...[...events.values()].map((row) => ({ at: Number(row.at), rank: 1, id: Number(row.id), row })),
    // Within the second of an action, a sign-in comes before it, and a rejection after it.
  ].toSorted((one, other) => other.at - one.at || other.rank - one.rank || other.id - one.id)
  const shown = all.slice(0, maxEvents)
  const newest = shown.flatMap((each) => ('log' in each ? [each.log] : [])).toSorted(byTime)
  // With many newer events, it isn't among them.
  const calls = asked && !newest.some(({ id }) => id === asked.id) ? [...newest, asked] : newest
  const rejected = calls.filter(({ code }) => code !== '')
  const decisions = await cases.decide(asked ? [asked, ...rejected] : rejected)
  const eventOfLog = (log: Log): LoggedEvent => ({
    at: Number(log.at),
    log,
    decision: decisions.get(Number(log.id)) ?? null,
  })
  const nameOf = await cases.names()
  const knowsMachine = [...logs.values()].some((log) => log.hwid_hash === hash && hash !== '')
  const boundUsers = await listUsersOfMachine(db, app.id, hash)
  const customer =
    license || user
      ? { license: license?.license ?? '', username: user?.username ?? '' }
      : customerOf(calls, boundUsers)
  const subject = await cases.subjectOf(customer)
  const ownCalls =
    license || user
      ? calls.filter((log) => !isOfAnother(log, user))
      : calls.filter((log) => nameOfCall(log) === nameOfCall(customer))
  const evidence = { subject, calls: ownCalls.map((log) => callOf(eventOfLog(log))) }
  const owner = user ?? (subject?.user && (await findUser(db, app.id, subject.user.username)))
  return {
    rejection: asked && eventOfLog(asked),
    verdict: verdictOf({ ...evidence, asked: asked && callOf(eventOfLog(asked)) }),
    customer,
    license: license ?? (await licenseOf(db, app.id, subject, licenses)),
    user: owner,
    entitlements: owner ? await listEntitlementStates(db, app.id, owner.id) : [],
    hwidHash: knowsMachine || boundUsers.length > 0 ? hash : '',
    ip,
    boundUsers,
    events: shown.map((each) =>
      'log' in each ? eventOfLog(each.log) : { at: each.at, row: each.row, action: eventOf(each.row, nameOf) },
    ),
    hasMore: all.length > maxEvents,
  }
}

/** Hash of a complete hardware ID, or the hash that starts with the text, as shown in the log; empty for empty text. */
async function machineHash(services: Services, app: AppScope, text: string): Promise<string> {
  if (text === '') return ''
  const fingerprint = fingerprintIn(text)
  const shown = fingerprint && (await findMachineByFingerprint(services.db.reports, app.id, fingerprint))
  return shown || ((await machineOf(services, app, text))?.hwidHash ?? '')
}

/** The license that a rejected program sent, else the only one of the user. */
async function licenseOf(db: Reader, appId: string, subject: Subject | undefined, licenses: readonly License[]) {
  if (subject?.license) return findLicense(db, appId, subject.license.license)
  return licenses.length === 1 ? licenses[0] : undefined
}

/** Newest first, in the order in which programs called. */
const byTime = (one: Log, other: Log): number => Number(other.at) - Number(one.at) || Number(other.id) - Number(one.id)

const nameOfCall = ({ username, license }: Customer): string => username || license

/** Another user may have tried the user's license (LOG-57). */
const isOfAnother = ({ username }: Log, user: User | undefined): boolean =>
  user !== undefined && username !== '' && usernameKey(username) !== user.username_key

/** Whom the calls from a machine or an address are about: the last one kept out, else the user bound to the machine. */
function customerOf(calls: readonly Log[], boundUsers: readonly string[]): Customer {
  const rejected = calls.find(({ code }) => keepsOut.has(code))
  if (rejected) return { license: rejected.license, username: rejected.username }
  const [username = ''] = boundUsers.length === 1 ? boundUsers : []
  return { license: '', username }
}

const callOf = ({ at, log, decision }: LoggedEvent): LoggedCall => ({
  id: Number(log.id),
  at,
  call: log.call,
  code: log.code,
  decision,
})
