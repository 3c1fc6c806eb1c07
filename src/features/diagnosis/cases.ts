import type { Reader } from '#database/database.ts'
import { type App, findOwnApp } from '#features/apps/apps.reads.ts'
import { findLevel } from '#features/levels/levels.reads.ts'
import type { Log } from '#features/logs/logs.reads.ts'
import { findLicense, type License } from '#features/licenses/licenses.reads.ts'
import { findUser, findUserById, type User } from '#features/users/users.reads.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import {
  actorNames,
  type AuditRow,
  eventOf,
  listEntitlementStates,
  listEventsOn,
  listLicensesOfUser,
} from './diagnosis.reads.ts'
import { type Decision, decisionOf, eventAreas, type Subject } from './diagnosis.rules.ts'

/** Maximum number of subjects and names looked up; the events of an address may have more. */
const maxSubjects = 40
const maxTargets = 100

/** A license key and a username, as a program sent them or as the app has them; empty if unknown. */
export type Customer = Pick<Log, 'license' | 'username'>

export const userOfLicense = async (
  db: Reader,
  appId: string,
  license: License | undefined,
): Promise<User | undefined> =>
  license?.used_by_user_id ? findUserById(db, appId, license.used_by_user_id) : undefined

/** The subjects of an app's rejections, each looked up once. */
export class Cases {
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

  /** The current state of a customer; undefined if the app is gone. */
  async subjectOf({ license, username }: Customer): Promise<Subject | undefined> {
    const settings = await findOwnApp(this.#services.db.read, this.#app.ownerId, this.#app.id)
    if (!settings) return undefined
    const { events, ...state } = await this.#subject({ license, username, session: '' }, settings)
    const nameOf = await this.names()
    return { ...state, eventsOn: (target) => (events.get(target) ?? []).map((row) => eventOf(row, nameOf)) }
  }

  async #subject({ license, username, session }: Customer & Pick<Log, 'session'>, settings: App) {
    const db = this.#services.db.read
    const { id: appId } = this.#app
    const found = license === '' ? undefined : await findLicense(db, appId, license)
    const user =
      (username === '' ? undefined : await findUser(db, appId, username)) ?? (await userOfLicense(db, appId, found))
    const entitlements = user ? await listEntitlementStates(db, appId, user.id) : []
    const licenses = user ? await listLicensesOfUser(db, appId, user.id) : []
    const level = found && !user && found.used === 0 ? await findLevel(db, appId, found.level) : undefined
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
    for (const each of [...entitlements, ...(level ? [level] : [])]) await look(String(each.level), eventAreas.level)
    await look(session, eventAreas.session)
    await look(appId, eventAreas.app)
    const state = this.#nobody(settings)
    return {
      ...state,
      events,
      license: found && licenseState(found),
      levelOfUnused: level && { level: level.level, name: level.name, active: level.active === 1 },
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
      levelOfUnused: undefined,
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
