import type { Reader } from '#database/database.ts'
import { findPlanRoom } from '#features/apps/apps.actions.ts'
import { type App, findOwnApp } from '#features/apps/apps.reads.ts'
import { isKey } from '#features/imports/imported-rows.rules.ts'
import { findLevel } from '#features/levels/levels.reads.ts'
import type { Log } from '#features/logs/logs.reads.ts'
import { findLicense, type License } from '#features/licenses/licenses.reads.ts'
import { countUsersOfApps, findUser, findUserById, type User } from '#features/users/users.reads.ts'
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
import { type Decision, decisionOf, eventAreas, type KeyCode, type Subject, type UserState } from './diagnosis.rules.ts'

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
    const state = rejections.length > 0 ? await this.#stateOfApp() : undefined
    if (!state) return new Map()
    const subjects = new Map<string, Omit<Subject, 'eventsOn'> & { events: Map<string, AuditRow[]> }>()
    for (const rejection of rejections) {
      const key = subjectKey(rejection)
      if (!subjects.has(key) && subjects.size < maxSubjects) subjects.set(key, await this.#subject(rejection, state))
    }
    const nameOf = await this.names()
    return new Map(
      rejections.map((log) => {
        const { call, code, session } = log
        const found = subjects.get(subjectKey(log))
        const eventsOn = (target: string) => (found?.events.get(target) ?? []).map((row) => eventOf(row, nameOf))
        const subject = { ...(found ?? nobodyIn(state)), eventsOn }
        const rejection = { call, code, at: Number(log.at), hwidHash: log.hwid_hash, session }
        return [Number(log.id), decisionOf(rejection, subject)]
      }),
    )
  }

  /** The current state of a customer; undefined if the app is gone. */
  async subjectOf({ license, username }: Customer): Promise<Subject | undefined> {
    const state = await this.#stateOfApp()
    if (!state) return undefined
    const { events, ...subject } = await this.#subject({ license, username, code: '', session: '' }, state)
    const nameOf = await this.names()
    return { ...subject, eventsOn: (target) => (events.get(target) ?? []).map((row) => eventOf(row, nameOf)) }
  }

  async #subject({ license, username, code, session }: SubjectOfLog, ofApp: StateOfApp) {
    const db = this.#services.db.read
    const { id: appId } = this.#app
    const found = license === '' ? undefined : await findLicense(db, appId, license)
    const user =
      (username === '' ? undefined : await findUser(db, appId, username)) ?? (await userOfLicense(db, appId, found))
    const entitlements = user ? await listEntitlementStates(db, appId, user.id) : []
    const licenses = user ? await listLicensesOfUser(db, appId, user.id) : []
    const level = found?.used === 0 ? await findLevel(db, appId, found.level) : undefined
    const events = new Map<string, AuditRow[]>()
    const look = async (target: string, ...areas: string[]) => {
      const rows = target === '' ? [] : await this.eventsOn(target, areas)
      // A user without a password has the name of the license.
      const known = new Set([...(events.get(target) ?? []), ...rows])
      events.set(
        target,
        [...known].toSorted((one, other) => Number(other.id) - Number(one.id)),
      )
    }
    const byKey = user && (await this.#byKey(user))
    const keys = [license, ...(user && byKey ? [user.username] : []), ...licenses.map((each) => each.license)]
    for (const key of new Set(keys)) await look(key, eventAreas.license, eventAreas.bin, eventAreas.import)
    await look(user?.username ?? username, eventAreas.user, eventAreas.import)
    const levels = new Set([...entitlements, ...(level ? [level] : [])].map((each) => each.level))
    for (const each of levels) await look(String(each), eventAreas.level)
    if (isOfSession(code)) await look(session, eventAreas.session)
    await look(appId, eventAreas.app)
    return {
      ...nobodyIn(ofApp),
      events,
      key: license,
      isByKey: license !== '' && (username === '' || username === license),
      license: found && licenseState(found),
      levelOfUnused: level && { level: level.level, name: level.name, active: level.active === 1 },
      user: user && {
        username: user.username,
        banned: user.banned === 1,
        paused: user.paused === 1,
        hwidHash: user.hwid_hash ?? '',
        byKey,
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

  async #byKey({ username, password_hash: password, id }: User): Promise<UserState['byKey']> {
    if (password !== null || !isKey(username)) return undefined
    const found = await findLicense(this.#services.db.read, this.#app.id, username)
    return { code: codeOfKey(found, id) }
  }

  async #stateOfApp(): Promise<StateOfApp | undefined> {
    const { ownerId, id: appId } = this.#app
    const db = this.#services.db.read
    const app = await findOwnApp(db, ownerId, appId)
    if (!app) return undefined
    const now = epochSeconds(this.#services)
    const count = async () => (await countUsersOfApps(db, [appId])).get(appId) ?? 0
    const room = await findPlanRoom(db, { appId, kind: 'usersPerApp', now, count })
    return { app, now, isFull: room !== null && room < 1 }
  }
}

interface StateOfApp {
  app: App
  now: number
  isFull: boolean
}

type SubjectOfLog = Customer & Pick<Log, 'code' | 'session'>

const isOfSession = (code: string): boolean => code === 'SESSION_ENDED'

/** Each start of a program has another session, which explains only its own end. */
const subjectKey = ({ license, username, code, session }: SubjectOfLog): string =>
  JSON.stringify([license, username, isOfSession(code) ? session : ''])

/** The error of a sign-in with only this key, for the user of its name. */
function codeOfKey(license: License | undefined, userId: number): KeyCode | undefined {
  if (!license) return 'LICENSE_NOT_FOUND'
  if (license.banned === 1) return 'LICENSE_BANNED'
  return license.used_by_user_id === userId ? undefined : 'LICENSE_ALREADY_USED'
}

const nobodyIn = ({ app, now, isFull }: StateOfApp) => ({
  key: '',
  isByKey: false,
  license: undefined,
  user: undefined,
  levelOfUnused: undefined,
  licensesOfUser: [],
  settings: {
    appStatus: app.app_status === 1,
    version: app.version,
    hashCheck: app.hash_check === 1,
    vpnBlock: app.vpn_block === 1,
    hwidLock: app.hwid_lock === 1,
    minHwidLength: app.minimum_hwid_length,
  },
  isFull,
  appId: app.id,
  now,
})

const licenseState = ({ license, banned, used, used_by: usedBy, used_at: usedAt }: License) => ({
  license,
  banned: banned === 1,
  used: used === 1,
  usedBy: usedBy ?? '',
  usedAt,
})
