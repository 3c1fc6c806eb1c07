import { describe, expect, test } from 'vitest'
import { actCount, chosenActs, subjectsIn } from './act-filter.ts'

describe('the filter by event', () => {
  test.each([
    [undefined, 'license', 'license'],
    ['license', 'license,user', 'license,user'],
    ['license', 'license,license.ban', 'license.ban'],
    ['license,user', 'license,user,license.ban', 'user,license.ban'],
    ['license.ban', 'license.ban,license.unban', 'license.ban,license.unban'],
    ['license.ban,license.unban', 'license,license.ban,license.unban', 'license'],
    ['license.ban', undefined, undefined],
    ['license.ban,user', 'user', 'user'],
  ])('%s and then %s is %s', (before, after, chosen) => {
    expect(chosenActs(before, after)).toBe(chosen)
  })

  test('offers the events of chosen subjects', () => {
    expect(subjectsIn(undefined)).toEqual([])
    expect(subjectsIn('user.ban,license,nothing.here')).toEqual(['license', 'user'])
  })

  test('a subject has the entries of all its events', () => {
    const values = [
      { value: 'license.ban', count: 3 },
      { value: 'license.create', count: 2 },
      { value: 'licenses', count: 9 },
    ]
    const facet = { values, isMore: true }
    expect(actCount(facet, 'license')).toEqual({ count: 5, isMore: true })
    expect(actCount(facet, 'license.ban')).toEqual({ count: 3, isMore: true })
    expect(actCount(facet, 'user')).toEqual({ count: 0, isMore: true })
    expect(actCount(undefined, 'user')).toBeUndefined()
  })
})
