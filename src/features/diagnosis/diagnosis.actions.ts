import { isIP } from 'node:net'
import { trimPasted } from '#contract/visible-text.ts'
import type { Reader } from '#database/database.ts'
import { type App, findOwnApp } from '#features/apps/apps.reads.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import type { Log } from '#features/logs/logs.reads.ts'
import { isFingerprint } from '#features/logs/logs.rules.ts'
import { findLicense, type License } from '#features/licenses/licenses.reads.ts'
import { machineOf } from '#features/users/machines.ts'
import { findUser, findUserById, type User } from '#features/users/users.reads.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import {
  eventOf,
  actorNames,
  type AuditRow,
  type EntitlementOfUser,
  findMachineByFingerprint,
  listEventsOn,
  listEntitlementStates,
  listLicensesOfUser,
  listLogsOf,
  listUsersOfMachine,
  maxEvents,
} from './diagnosis.reads.ts'
import { eventAreas, type PastEvent, type Decision, decisionOf, type Subject } from './diagnosis.rules.ts'

/** Maximum number of subjects and names looked up; the events of an address may have more. */
const maxSubjects = 40
const maxTargets = 100

type Happening = { at: number } & ({ log: Log; decision: Decision | null } | { row: AuditRow; act: PastEvent })

export interface Diagnosis {
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
  const text = trimPasted(search)
  const license = await findLicense(db, app.id, text)
  const user = (await findUser(db, app.id, text)) ?? (await userOfLicense(db, app.id, license))
  const ip = isIP(text) ? text : ''
  const hash = await machineHash(services, app, text)
  const licenses = user ? await listLicensesOfUser(db, app.id, user.id) : []
  const names = new Set([text, license?.license, user?.username, ...licenses.map((each) => each.license)])
  names.delete(undefined)
  const cases = new Cases(services, app)
  const logs = new Map<number, Log>()
  const events = new Map<number, AuditRow>()
  const add = (rows: readonly Log[]) => rows.forEach((row) => logs.set(Number(row.id), row))
  for (const name of names as Set<string>) {
    add(await listLogsOf(db, app.id, 'username', name))
    add(await listLogsOf(db, app.id, 'license', name))
    for (const row of await cases.eventsOn(name, [eventAreas.license, eventAreas.user])) events.set(Number(row.id), row)
  }
  add(await listLogsOf(db, app.id, 'hwid_hash', hash))
  if (ip !== '') add(await listLogsOf(db, app.id, 'ip', ip))
  const all = [
    ...[...logs.values()].map((log) => ({
      at: Number(log.at),
      rank: log.code === '' ? 0 : 2,
      id: Number(log.id),
      log,
    })),
    ...[...events.values()].map((row) => ({ at: Number(row.at), rank: 1, id: Number(row.id), row })),
    // Within the same second, a sign-in comes before actions on it, and a rejection after them.
  ].toSorted((one, other) => other.at - one.at || other.rank - one.rank || other.id - one.id)
  const shown = all.slice(0, maxEvents)
  const decisions = await cases.decide(
    shown.flatMap((each) => ('log' in each && each.log.code !== '' ? [each.log] : [])),
  )
  const nameOf = await cases.names()
  const knowsMachine = [...logs.values()].some((log) => log.hwid_hash === hash && hash !== '')
  const boundUsers = await listUsersOfMachine(db, app.id, hash)
  return {
    license,
    user,
    entitlements: user ? await listEntitlementStates(db, app.id, user.id) : [],
    hwidHash: knowsMachine || boundUsers.length > 0 ? hash : '',
    ip,
    boundUsers,
    events: shown.map((each) =>
      'log' in each
        ? { at: each.at, log: each.log, decision: decisions.get(Number(each.log.id)) ?? null }
        : { at: each.at, row: each.row, act: eventOf(each.row, nameOf) },
    ),
    hasMore: all.length > maxEvents,
  }
}

/** Hash of a complete hardware ID, or the hash that starts with the text, as shown in the log; empty for empty text. */
async function machineHash(services: Services, app: AppScope, text: string): Promise<string> {
  if (text === '') return ''
  const shown = isFingerprint(text) && (await findMachineByFingerprint(services.db.reports, app.id, text))
  return shown || ((await machineOf(services, app, text))?.hwidHash ?? '')
}

const userOfLicense = async (db: Reader, appId: string, license: License | undefined): Promise<User | undefined> =>
  license?.used_by_user_id ? findUserById(db, appId, license.used_by_user_id) : undefined

/** The subjects of an app's rejections, each looked up once. */
class Cases {
  readonly #services: Services
  readonly #app: AppScope
  readonly #rows = new Map<string, AuditRow[]>()

  constructor(services: Services, app: AppScope) {
    this.#services = services
    this.#app = app
  }

  async eventsOn(target: string, areas: readonly string[]): Promise<AuditRow[]> {
    let rows = this.#rows.get(target)
    if (!rows) {
      rows = this.#rows.size < maxTargets ? await listEventsOn(this.#services.db.read, this.#app.id, target) : []
      this.#rows.set(target, rows)
    }
    return rows.filter((row) => areas.some((area) => row.act.startsWith(area)))
  }

  names(): Promise<(row: AuditRow) => string> {
    return actorNames(this.#services.db.read, this.#app, [...this.#rows.values()].flat())
  }

  /** By row ID. */
  async decide(rejections: readonly Log[]): Promise<Map<number, Decision>> {
    const { db } = this.#services
    const settings = rejections.length > 0 ? await findOwnApp(db.read, this.#app.ownerId, this.#app.id) : undefined
    if (!settings) return new Map()
    const subjects = new Map<string, Omit<Subject, 'eventsOn'> & { events: Map<string, AuditRow[]> }>()
    for (const { license, username, session } of rejections) {
      const key = JSON.stringify([license, username, session])
      if (!subjects.has(key) && subjects.size < maxSubjects) {
        subjects.set(key, await this.#subject({ license, username, session }, settings))
      }
    }
    const nameOf = await this.names()
    return new Map(
      rejections.map((log) => {
        const { license, username, session } = log
        const found = subjects.get(JSON.stringify([license, username, session]))
        const eventsOn = (target: string) => (found?.events.get(target) ?? []).map((row) => eventOf(row, nameOf))
        const subject = { ...(found ?? this.#nobody(settings)), eventsOn }
        const rejection = { code: log.code, at: Number(log.at), hwidHash: log.hwid_hash, session }
        return [Number(log.id), decisionOf(rejection, subject)]
      }),
    )
  }

  async #subject({ license, username, session }: Pick<Log, 'license' | 'username' | 'session'>, settings: App) {
    const db = this.#services.db.read
    const { id: appId } = this.#app
    const found = license === '' ? undefined : await findLicense(db, appId, license)
    const user =
      (username === '' ? undefined : await findUser(db, appId, username)) ?? (await userOfLicense(db, appId, found))
    const entitlements = user ? await listEntitlementStates(db, appId, user.id) : []
    const licenses = user ? await listLicensesOfUser(db, appId, user.id) : []
    const events = new Map<string, AuditRow[]>()
    const look = async (target: string, area: string) => {
      const rows = target === '' ? [] : await this.eventsOn(target, [area])
      events.set(
        target,
        [...(events.get(target) ?? []), ...rows].toSorted((one, other) => Number(other.id) - Number(one.id)),
      )
    }
    for (const key of new Set([license, ...licenses.map((each) => each.license)])) await look(key, eventAreas.license)
    await look(user?.username ?? username, eventAreas.user)
    for (const { level } of entitlements) await look(String(level), eventAreas.level)
    await look(session, eventAreas.session)
    await look(appId, eventAreas.app)
    const state = this.#nobody(settings)
    return {
      ...state,
      events,
      license: found && licenseState(found),
      user: user && {
        username: user.username,
        banned: user.banned === 1,
        paused: user.paused === 1,
        hwidHash: user.hwid_hash ?? '',
        entitlements: entitlements.map((each) => ({
          level: each.level,
          name: each.name,
          levelActive: each.level_active === 1,
          licenseBanned: each.license_banned === 1,
          expiresAt: each.expires_at,
        })),
      },
      licensesOfUser: licenses.map(licenseState),
    }
  }

  #nobody(settings: App) {
    return {
      license: undefined,
      user: undefined,
      licensesOfUser: [],
      settings: {
        appStatus: settings.app_status === 1,
        version: settings.version,
        hashCheck: settings.hash_check === 1,
        vpnBlock: settings.vpn_block === 1,
        hwidLock: settings.hwid_lock === 1,
        minHwidLength: settings.minimum_hwid_length,
      },
      appId: this.#app.id,
      now: epochSeconds(this.#services),
    }
  }
}

const licenseState = ({ license, banned, used, used_by: usedBy, used_at: usedAt }: License) => ({
  license,
  banned: banned === 1,
  used: used === 1,
  usedBy: usedBy ?? '',
  usedAt,
})
