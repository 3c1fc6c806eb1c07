import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, newUser, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/**
 * Two apps in which the same random acts happen. In one of them, another act happens as well and is undone later: then
 * users have the same time in both.
 */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Step =
  | { act: 'pass'; seconds: number }
  | { act: 'redeem' | 'ban-license' | 'delete-license'; license: number }
  | { act: 'add-time' | 'change-duration'; license: number; days: number }
  | { act: 'move'; license: number; level: number }
  | { act: 'extend'; level: number; days: number }
  | { act: 'pause'; paused: boolean }
  | { act: 'ban-user' | 'delete-user' }
  | { act: 'remove' | 'delete-level'; level: number }

/** Days and levels of the licenses; 0 never ends. */
const kinds = [
  [3, 1],
  [10, 1],
  [5, 1],
  [0, 1],
  [7, 2],
] as const

const username = 'ann'
const license = fc.nat(kinds.length - 1)
const level = fc.integer({ min: 1, max: 2 })
const days = fc.integer({ min: 1, max: 6 })
const step = <A extends Step['act'], R>(act: A, fields: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ act: fc.constant(act), ...fields }) as unknown as fc.Arbitrary<Step>

const redeem = step('redeem', { license })
const addTime = step('add-time', { license, days })
const passTime = step('pass', { seconds: fc.integer({ min: 1, max: 2 * day }) })
const aMoment = step('pass', { seconds: fc.integer({ min: 1, max: 300 }) })
const extend = step('extend', { level, days })
const pause = step('pause', { paused: fc.boolean() })
const before = fc.array(fc.oneof(redeem, redeem, redeem, passTime, extend, addTime, pause), {
  minLength: 3,
  maxLength: 8,
})

/** What is undone with its record, which is kept for 30 minutes. */
const recorded = fc.oneof(
  addTime,
  extend,
  step('move', { license, level: fc.constantFrom(1, 2, 3) }),
  step('change-duration', { license, days: fc.nat(8) }),
  step('remove', { level }),
)
/** What is undone by its opposite, or from the bin. */
const lasting = fc.oneof(
  step('ban-license', { license }),
  step('ban-user', {}),
  step('delete-license', { license }),
  step('delete-user', {}),
  step('delete-level', { level }),
)

interface Done {
  code: string
  undo: () => Promise<string>
}

class SmallApp {
  readonly owner: OwnedApp
  readonly #program: Program
  readonly #keys: string[]

  constructor(owner: OwnedApp, program: Program, keys: string[]) {
    this.owner = owner
    this.#program = program
    this.#keys = keys
  }

  static async create(): Promise<SmallApp> {
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

  /** Acts, if the act says what it changes; an act that changes nothing can't be undone. */
  async act(step: Exclude<Step, { act: 'pass' }>): Promise<Done> {
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
      code: (await send(path, { ...body, banned: true })).code,
      undo: async () => (await send(path, { ...body, banned: false })).code,
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
      case 'extend': {
        const time = { action: 'extend', subscription: step.level, duration: step.days, unit: 'days' }
        return undoable('users/bulk', { usernames: [username], ...time }, 'users/undo')
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
}

/** Whether an act concerns what the other one deletes. */
const concerns = (step: Step, other: Step): boolean =>
  'license' in step && 'license' in other && step.license === other.license

/** Runs the acts in both apps; whether they had the same result in both. */
async function runInBoth(apps: readonly [SmallApp, SmallApp], steps: readonly Step[]): Promise<boolean> {
  for (const each of steps) {
    if (each.act === 'pass') {
      app.advance(each.seconds)
      for (const { owner } of apps) await keepSignedIn(app, owner)
      continue
    }
    const [one, other] = [await apps[0].act(each), await apps[1].act(each)]
    if (one.code !== other.code) return false
  }
  return true
}

async function leavesNoTrace({ before, undone, between }: { before: Step[]; undone: Step; between: Step[] }) {
  const [plain, twin] = [await SmallApp.create(), await SmallApp.create()]
  expect(await runInBoth([plain, twin], before)).toBe(true)
  const { code, undo } = await twin.act(undone as Exclude<Step, { act: 'pass' }>)
  fc.pre(code === 'OK')
  const others = between.filter((each) => !concerns(each, undone))
  // An act in between that depends on what is to be undone.
  fc.pre(await runInBoth([plain, twin], others))
  expect(await undo()).toBe('OK')
  expect(await twin.state()).toEqual(await plain.state())
}

const runs = { numRuns: 12, seed: 1 }

test('what is undone within minutes leaves no trace', { timeout: 300_000 }, async () => {
  const between = fc.array(aMoment, { maxLength: 2 })
  await fc.assert(fc.asyncProperty(fc.record({ before, undone: recorded, between }), leavesNoTrace), runs)
})

test('a ban that is lifted and a deletion that is undone leave no trace after days', { timeout: 300_000 }, async () => {
  const between = fc.array(fc.oneof(passTime, addTime), { maxLength: 3 })
  await fc.assert(fc.asyncProperty(fc.record({ before, undone: lasting, between }), leavesNoTrace), runs)
})
