import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '#testing/people/end-users.ts'
import { kinds, SmallApp, type Step } from '#testing/people/small-app.ts'
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
const extendEnded = step('extend-ended', { level, days })
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
  const [plain, twin] = [await SmallApp.create(app), await SmallApp.create(app)]
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
  const between = fc.array(fc.oneof(passTime, passTime, addTime, redeem, extendEnded), { maxLength: 4 })
  await fc.assert(fc.asyncProperty(fc.record({ before, undone: lasting, between }), leavesNoTrace), runs)
})
