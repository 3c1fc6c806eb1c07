import { day, newUser, userPassword } from './end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from './people.ts'
import { Program } from './program.ts'
import type { TestApp } from '../start-test-app.ts'

export type Step =
  | { act: 'pass'; seconds: number }
  | { act: 'redeem' | 'ban-license' | 'delete-license'; license: number }
  | { act: 'add-time' | 'change-duration'; license: number; days: number }
  | { act: 'move'; license: number; level: number }
  | { act: 'extend' | 'extend-ended' | 'subtract'; level: number; days: number }
  | { act: 'pause'; paused: boolean }
  | { act: 'ban-user' | 'delete-user' }
  | { act: 'remove' | 'delete-level'; level: number }

/** Days and levels of the licenses; 0 never ends. */
export const kinds = [
  [3, 1],
  [10, 1],
  [5, 1],
  [0, 1],
  [7, 2],
] as const

const username = 'ann'
interface Done {
  code: string
  undo: () => Promise<string>
}

/** An app with a user and a license of each kind, of which nothing is redeemed yet. */
export class SmallApp {
  readonly owner: OwnedApp
  readonly #program: Program
  readonly #keys: string[]

  constructor(owner: OwnedApp, program: Program, keys: string[]) {
    this.owner = owner
    this.#program = program
    this.#keys = keys
  }

  static async create(app: TestApp): Promise<SmallApp> {
    const owner = await newOwnerWithApp(app)
    for (const name of ['Pro', 'Expert']) await owner.visitor.call('POST /create_subscription', { body: { name } })
    await newUser(owner, username)
    const keys: string[] = []
    for (const [duration, subscription] of kinds) {
      const length = duration === 0 ? { expiryUnit: 'lifetime' } : { duration }
      keys.push(...(await newLicenses(owner, 1, { subscription, ...length })))
    }
    return new SmallApp(owner, await Program.of(app, owner), keys)
  }

  async #redeem(licenseKey: string): Promise<string> {
    const program = this.#program
    program.session = undefined
    await program.init()
    const fields = { username, password: userPassword, hwid: program.hwid, licenseKey }
    return (await program.send('login', fields)).body.code ?? 'OK'
  }

  /** Acts, or acts against a ban; an act that changes nothing can't be undone. */
  async act(step: Exclude<Step, { act: 'pass' }>, isLifted = false): Promise<Done> {
    const { visitor } = this.owner
    const key = 'license' in step ? (this.#keys[step.license] as string) : ''
    const send = async (path: string, body: object, method = 'POST') => {
      const answer = await visitor.send<{ undoId?: string; failed?: number }>(method, `/api/1.0/website/${path}`, {
        body,
      })
      const { success, code = '', failed = 0, undoId } = answer.body
      return { code: success ? (failed > 0 ? 'FAILED' : 'OK') : code, undoId: undoId ?? '' }
    }
    const undoable = async (path: string, body: object, undoPath: string): Promise<Done> => {
      const { code, undoId } = await send(path, body)
      return {
        code: undoId === '' && code === 'OK' ? 'UNCHANGED' : code,
        undo: async () => (await send(undoPath, { undoId })).code,
      }
    }
    const toggle = async (path: string, body: object): Promise<Done> => ({
      code: (await send(path, { ...body, banned: !isLifted })).code,
      undo: async () => (await send(path, { ...body, banned: isLifted })).code,
    })
    switch (step.act) {
      case 'redeem':
        return { code: await this.#redeem(key), undo: async () => '' }
      case 'ban-license':
        return toggle('toggle_ban_license', { licenseKey: key })
      case 'ban-user':
        return toggle('toggle_ban_user', { username })
      case 'pause':
        return undoable('toggle_pause_user', { username, paused: step.paused }, 'users/undo')
      case 'extend':
      case 'extend-ended':
      case 'subtract': {
        const [action] = step.act.split('-')
        const time = { action, subscription: step.level, duration: step.days, unit: 'days' }
        const ended = step.act === 'extend-ended' && { extendExpired: true }
        return undoable('users/bulk', { usernames: [username], ...time, ...ended }, 'users/undo')
      }
      case 'add-time': {
        const time = { expiryUnit: 'days', duration: step.days }
        return undoable('add_time_licenses', { licenses: [key], ...time }, 'licenses/undo')
      }
      case 'change-duration':
        return undoable('update_license', { licenseKey: key, expiry: step.days * day }, 'licenses/undo')
      case 'move':
        return undoable('update_license', { licenseKey: key, subscription: step.level }, 'licenses/undo')
      case 'delete-license':
        return undoable('delete_license', { licenseKey: key }, 'bin/restore')
      case 'delete-user':
        return undoable('delete_user', { username }, 'bin/restore')
      case 'delete-level':
        return undoable('delete_subscription', { level: step.level, forceDelete: true }, 'bin/restore')
      case 'remove': {
        const params = { username, id: step.level }
        const { body } = await visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })
        const undo = async () => (await send('users/undo', { undoId: body.undoId })).code
        return { code: body.success ? 'OK' : String(body.code), undo }
      }
    }
  }

  /** Seconds left of each level, and the state of each license. */
  async state() {
    const { visitor } = this.owner
    const [{ body }, { body: list }] = [
      await visitor.call('GET /user/{username}', { params: { username } }),
      await visitor.call('GET /licenses', { query: { limit: 100 } }),
    ]
    const { banned, paused, subscriptions } = body.user
    const left = Object.values(subscriptions).map((each) => [each.level, each.time_left])
    const licenses = list.licenses.map((each) => [
      this.#keys.indexOf(each.license),
      [each.level, each.expiry, each.usedBy, each.banned],
    ])
    return { banned, paused, left: Object.fromEntries(left), licenses: Object.fromEntries(licenses) }
  }

  /** Whose the seconds are that are left of a level: of licenses by their number, and `byHand`. */
  async sources(level: number): Promise<Record<string, number | null>> {
    const { body } = await this.owner.visitor.call('GET /user/{username}/time_sources', { params: { username } })
    const found = body.levels?.find((each) => each.level === level)
    const parts = found?.licenses.map(({ key, left }) => [this.#keys.indexOf(key ?? ''), left] as const) ?? []
    return Object.fromEntries([...parts, ['byHand', found?.byHand?.left ?? 0] as const])
  }

  /** Seconds that the user has left of a level; 0 without it. */
  async left(level: number): Promise<number> {
    const { body } = await this.owner.visitor.call('GET /user/{username}', { params: { username } })
    const found = body.user.subscriptions[level]
    return found ? (found.time_left ?? Infinity) : 0
  }
}
