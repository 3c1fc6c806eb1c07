import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '#testing/people/end-users.ts'
import { ReferenceTime } from '#testing/people/reference-time.ts'
import { kinds, SmallApp, type Step } from '#testing/people/small-app.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Random acts on a user's time: after each of them, every license has what a simple model says. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Act = Exclude<Step, { act: 'pass' }>
type ModelStep =
  | { act: 'pass'; seconds: number }
  | { act: 'undo' | 'restore-user' | 'delete-user' }
  | { act: 'pause'; paused: boolean }
  | { act: 'redeem' | 'ban-license' | 'unban-license' | 'delete-license' | 'restore-license'; license: number }
  | { act: 'add-time' | 'change-duration'; license: number; days: number }
  | { act: 'extend' | 'extend-ended' | 'subtract' | 'delete-level'; days: number }

const level = 1
const licenses = kinds.flatMap(([, of], number) => (of === level ? [number] : []))
/** The lifetime, while which the time of all others stands still, is rare. */
const license = fc.constantFrom(...licenses.flatMap((each) => (kinds[each]?.[0] === 0 ? [each] : [each, each, each])))
const days = fc.integer({ min: 1, max: 6 })
const step = <R>(act: ModelStep['act'], fields: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ act: fc.constant(act), ...fields }) as unknown as fc.Arbitrary<ModelStep>
const redeem = step('redeem', { license })
const pass = step('pass', { seconds: fc.integer({ min: 1, max: 3 * day }) })
const ofLicense = (...acts: ModelStep['act'][]) => acts.map((act) => step(act, { license }))
const ofDays = (...acts: ModelStep['act'][]) => acts.map((act) => step(act, { days }))
const ofUser = (...acts: ModelStep['act'][]) => acts.map((act) => step(act, {}))
const someSteps = fc.array(
  fc.oneof(
    redeem,
    redeem,
    redeem,
    pass,
    pass,
    pass,
    ...ofLicense('ban-license', 'ban-license', 'unban-license', 'unban-license'),
    ...ofLicense('delete-license', 'delete-license', 'restore-license', 'restore-license', 'restore-license'),
    ...ofDays('extend', 'extend-ended', 'extend-ended', 'subtract', 'delete-level'),
    ...(['add-time', 'change-duration'] as const).map((act) => step(act, { license, days })),
    ...ofUser('undo', 'delete-user', 'restore-user', 'restore-user', 'restore-user', 'restore-user'),
    step('pause', { paused: fc.boolean() }),
    step('pause', { paused: fc.constant(false) }),
  ),
  { minLength: 8, maxLength: 30 },
)
const steps = fc.tuple(redeem, redeem, someSteps).map(([one, other, others]) => [one, other, ...others])

type Undo = () => Promise<string>

function expectDone(code: string): void {
  expect(code).toBe('OK')
}

function expectSame(actual: object, expected: object): void {
  expect(actual).toEqual(expected)
}

class Comparison {
  readonly #app: SmallApp
  readonly #model = new ReferenceTime()
  readonly #durations: number[] = kinds.map(([length]) => length)
  readonly #deletions = new Map<number | 'user', Undo>()

  constructor(small: SmallApp) {
    this.#app = small
  }

  async run(each: ModelStep): Promise<void> {
    switch (each.act) {
      case 'pass':
        return this.#pass(each.seconds)
      case 'restore-license':
        if (await this.#restore(each.license)) this.#model.restoreLicense(each.license)
        return
      case 'restore-user':
        if (await this.#restore('user')) this.#model.restoreUser()
        return
      case 'undo':
        return this.#undoSomething()
      case 'delete-level':
        return this.#deleteLevel(each.days)
      default:
        return this.#act(each)
    }
  }

  async #pass(seconds: number): Promise<void> {
    app.advance(seconds)
    await keepSignedIn(app, this.#app.owner)
    this.#model.pass(seconds)
  }

  async #restore(what: number | 'user'): Promise<boolean> {
    const undo = this.#deletions.get(what)
    if (!undo) return false
    expectDone(await undo())
    return this.#deletions.delete(what)
  }

  /** Time that is given, or taken, and undone minutes later. */
  async #undoSomething(): Promise<void> {
    const acts: Act[] = [
      { act: 'extend-ended', level, days: 2 },
      { act: 'subtract', level, days: 2 },
      { act: 'pause', paused: true },
      ...licenses.map((each): Act => ({ act: 'add-time', license: each, days: 2 })),
      ...licenses.map((each): Act => ({ act: 'change-duration', license: each, days: 2 })),
    ]
    for (const each of acts) {
      const { code, undo } = await this.#app.act(each)
      if (code !== 'OK') continue
      if (each.act !== 'pause') await this.#pass(100)
      expectDone(await undo())
      await this.compare()
    }
  }

  /** Nothing happens to users and licenses in the bin, but time passes. */
  async #deleteLevel(length: number): Promise<void> {
    const { code, undo } = await this.#app.act({ act: 'delete-level', level })
    expectDone(code)
    await this.#pass(length * day)
    expectDone(await undo())
  }

  async #act(each: Exclude<ModelStep, { act: 'pass' | 'undo' | 'restore-user' | 'restore-license' | 'delete-level' }>) {
    const model = this.#model
    // What has ended is counted from its end, which the model doesn't know.
    if (each.act === 'add-time' || each.act === 'change-duration') {
      const left = model.leftOfLicense(each.license)
      if (left === 0 || (left === undefined && model.left === 0)) return
      if (this.#durations[each.license] === 0) return
    }
    const act = each.act === 'unban-license' ? { ...each, act: 'ban-license' as const } : { ...each, level }
    const { code, undo } = await this.#app.act(act as Act, each.act === 'unban-license')
    if (code !== 'OK') return
    switch (each.act) {
      case 'redeem':
        return model.redeem(each.license, (this.#durations[each.license] ?? 0) * day)
      case 'ban-license':
      case 'unban-license':
        return model.setBanned(each.license, each.act === 'ban-license')
      case 'delete-license':
        this.#deletions.set(each.license, undo)
        return model.deleteLicense(each.license)
      case 'delete-user':
        this.#deletions.set('user', undo)
        return model.deleteUser()
      case 'add-time':
        this.#durations[each.license] = (this.#durations[each.license] ?? 0) + each.days
        return model.addTo(each.license, each.days * day)
      case 'change-duration': {
        const former = this.#durations[each.license] ?? 0
        this.#durations[each.license] = each.days
        return model.changeDuration(each.license, { from: former * day, to: each.days * day })
      }
      case 'extend':
      case 'extend-ended':
        return model.extend(each.days * day)
      case 'subtract':
        return model.subtract(each.days * day)
      case 'pause':
        return model.setPaused(each.paused)
    }
  }

  async compare(): Promise<void> {
    if (this.#deletions.has('user')) return
    const sources = await this.#app.sources(level)
    const used = Object.entries(sources).filter(([, left]) => left !== 0)
    const actual = { sources: Object.fromEntries(used), left: await this.#app.left(level) }
    expectSame(actual, { sources: this.#model.sources, left: this.#model.left })
  }
}

// Seeds that have found something.
test.each([
  [5, 3],
  [9, 7],
  [31, 3],
  [42, 2],
  [448, 1],
  [526, 3],
])(
  'no time is created and none is lost, whatever happens, from %i, %i times',
  { timeout: 300_000 },
  async (seed, numRuns) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const comparison = new Comparison(await SmallApp.create(app))
        for (const each of all) {
          await comparison.run(each)
          await comparison.compare()
        }
      }),
      { numRuns, seed },
    )
  },
)
