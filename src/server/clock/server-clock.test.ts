import { beforeEach, expect, test } from 'vitest'
import { type ClockChange, ServerClock } from './server-clock.ts'

const start = 1_800_000_000_000
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let passed: number
let wrong: number
let changes: string[]
let clock: ServerClock

const source = { monotonic: () => passed, wall: () => start + passed + wrong }
const report = ({ kind, aheadSeconds }: ClockChange) => void changes.push(`${kind} ${aheadSeconds}`)
const since = () => clock.now() - start

beforeEach(() => {
  passed = 1234.5
  wrong = -1234.5
  changes = []
  clock = new ServerClock(source, report)
})
const pass = (ms: number) => void (passed += ms)

test('a step of a second, either way, is followed at once and not reported', () => {
  for (const step of [1000, -1000, 9000, -9000]) {
    wrong += step
    expect(clock.now()).toBe(Math.round(source.wall()))
  }
  expect(changes).toEqual([])
})

test.each([hour, -hour, 31 * day, -31 * day])('a jump of %i ms that is reversed changes nothing', (jump) => {
  wrong += jump
  expect(since()).toBe(0)
  expect(clock.rejectedSeconds).toBe(jump / 1000)
  pass(9 * minute)
  expect(since()).toBe(9 * minute)
  wrong -= jump
  expect(since()).toBe(9 * minute)
  expect(clock.rejectedSeconds).toBeUndefined()
  expect(changes).toEqual([`rejected ${jump / 1000}`, 'right again 0'])
})

test('a clock that runs steadily for ten minutes after a jump is trusted', () => {
  wrong += hour
  clock.now()
  pass(10 * minute - 1)
  expect(since()).toBe(10 * minute - 1)
  pass(1)
  clock.now()
  expect(since()).toBe(hour + 10 * minute)
  expect(clock.rejectedSeconds).toBeUndefined()
  expect(changes).toEqual(['rejected 3600', 'accepted 3600'])
})

test('a clock that keeps jumping is never trusted', () => {
  for (let jumps = 0; jumps < 20; jumps++) {
    wrong += jumps % 2 === 0 ? hour : -2 * hour
    clock.now()
    pass(9 * minute)
  }
  expect(since()).toBe(20 * 9 * minute)
})

test('time never goes back by more than a small step while the clock jumps', () => {
  let last = clock.now()
  for (const jump of [day, -2 * day, hour, 5000, -8000, 31 * day, -31 * day]) {
    wrong += jump
    pass(minute)
    expect(clock.now()).toBeGreaterThan(last - 10_000)
    last = clock.now()
  }
})

test('a start continues from the recorded time when the clock is behind it, or a month ahead', () => {
  for (const [ahead, resumed] of [
    [-hour, start + hour],
    [31 * day, start - 31 * day],
    [-5000, start],
    [29 * day, start],
  ] as const) {
    clock = new ServerClock(source, report)
    clock.resume(start - ahead)
    expect(clock.now()).toBe(resumed)
    expect(clock.rejectedSeconds !== undefined).toBe(resumed !== start)
  }
})

test("a clock without a valid time isn't followed", () => {
  wrong = Infinity
  expect(since()).toBe(0)
  expect(changes).toEqual(['rejected Infinity'])
})
