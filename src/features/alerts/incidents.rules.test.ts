import { describe, expect, test } from 'vitest'
import { severityOf } from './alerts.rules.ts'
import { evidenceOf, findIncidents, classifyIncident, type Observation } from './incidents.rules.ts'

const observation = (at: number, ...values: string[]): Observation => ({
  key: 'k',
  at,
  values,
  username: values[0] ?? '',
  license: '',
  ip: '',
  hwid: '',
  country: '',
  code: '',
  app: '',
})
const limit = { threshold: 3, windowSeconds: 100 }
const times = (observations: readonly Observation[], also?: (within: readonly Observation[]) => boolean) =>
  findIncidents(observations, limit, also).map(({ firstAt, lastAt, measured }) => [firstAt, lastAt, measured])

describe('an incident', () => {
  test('needs as many different values as the threshold', () => {
    expect(times([observation(0, 'a'), observation(1, 'b'), observation(2, 'b')])).toEqual([])
    expect(times([observation(0, 'a'), observation(1, 'b'), observation(2, 'c')])).toEqual([[0, 2, 3]])
    expect(times([observation(0, 'a', 'b'), observation(2, 'c')])).toEqual([[0, 2, 3]])
  })

  test('lies within the window, including its last second', () => {
    expect(times([observation(0, 'a'), observation(50, 'b'), observation(100, 'c')])).toEqual([[0, 100, 3]])
    expect(times([observation(0, 'a'), observation(50, 'b'), observation(101, 'c')])).toEqual([])
    // Observations that leave the window make room for later ones.
    expect(times([observation(0, 'a'), observation(50, 'b'), observation(101, 'c'), observation(120, 'd')])).toEqual([
      [50, 120, 3],
    ])
  })

  test('contains everything in the window, and shares nothing with the next one', () => {
    const all = [0, 10, 20, 30, 200, 210, 220].map((at) => observation(at, `v${at}`))
    expect(times(all)).toEqual([
      [0, 30, 4],
      [200, 220, 3],
    ])
  })

  test('can need a further condition, and then begins later', () => {
    const all = [observation(0, 'a'), observation(10, 'b'), observation(20, 'c'), observation(30, 'd')]
    expect(times(all, () => false)).toEqual([])
    expect(times(all, ([first]) => first?.at === 10)).toEqual([[10, 30, 3]])
  })

  test('at one moment has no window', () => {
    const all = [observation(0, 'a'), observation(1e6, 'b'), observation(2e6, 'c')]
    expect(findIncidents(all, { threshold: 3, windowSeconds: 0 })).toHaveLength(1)
  })
})

describe('the same finding', () => {
  const known = { status: 'new' as const, measured: 5, strongest: 9, lastAt: 100 }
  const resolved = { ...known, status: 'dismissed' as const }

  test.each([
    [{ firstAt: 0, lastAt: 100, measured: 5 }, undefined, 'raise'],
    [{ firstAt: 0, lastAt: 100, measured: 5 }, known, 'known'],
    [{ firstAt: 0, lastAt: 101, measured: 5 }, known, 'more'],
    [{ firstAt: 0, lastAt: 100, measured: 6 }, known, 'more'],
    [{ firstAt: 0, lastAt: 99, measured: 9 }, known, 'known'],
    [{ firstAt: 0, lastAt: 99, measured: 10 }, known, 'more'],
    [{ firstAt: 0, lastAt: 99, measured: 11 }, resolved, 'known'],
    [{ firstAt: 0, lastAt: 99, measured: 12 }, resolved, 'raise'],
    [{ firstAt: 101, lastAt: 150, measured: 3 }, known, 'again'],
    [{ firstAt: 100, lastAt: 150, measured: 7 }, resolved, 'known'],
    [{ firstAt: 101, lastAt: 150, measured: 3 }, resolved, 'raise'],
    [{ firstAt: 0, lastAt: 150, measured: 8 }, resolved, 'raise'],
  ])('%j after %j: %s', (incident, before, judged) => {
    expect(classifyIncident(incident, before, 3)).toBe(judged)
  })
})

test('evidence is limited, and includes the total number of users', () => {
  const observations = Array.from({ length: 500 }, (_, n) => observation(n, `user-${n}`))
  const [incident] = findIncidents(observations, { threshold: 3, windowSeconds: 0 })
  const { evidence, userCount } = evidenceOf(incident as NonNullable<typeof incident>, { enabled: true, ...limit })
  expect(userCount).toBe(500)
  expect(evidence.users).toHaveLength(20)
  expect(evidence.events).toHaveLength(50)
  expect(evidence.events.at(-1)).toMatchObject({ at: 499, username: 'user-499' })
})

test('from three times its threshold, an alert is one step more severe, up to critical', () => {
  const severities = (type: Parameters<typeof severityOf>[0]) =>
    [3, 8, 9, 1000].map((measured) => severityOf(type, measured, 3))
  expect(severities('IP_MULTI_KEY')).toEqual(['MEDIUM', 'MEDIUM', 'HIGH', 'HIGH'])
  expect(severities('LOADER_HASH_MISMATCH')).toEqual(['CRITICAL', 'CRITICAL', 'CRITICAL', 'CRITICAL'])
})
