import { describe, expect, test } from 'vitest'
import { CallFailed } from '../call-failed.ts'
import { changedFields, conflictingValues, pickFields } from './field-changes.ts'

describe('changed fields', () => {
  const before = { name: 'Basic', active: true, ips: ['10.0.0.1'], level: 1 }

  test('are those with another value, lists compared by what is in them', () => {
    expect(changedFields(before, { ...before, ips: ['10.0.0.1'] })).toEqual([])
    expect(changedFields(before, { name: 'Pro', active: false, ips: [], level: 1 })).toEqual(['name', 'active', 'ips'])
  })

  test('go out with the values that the form was opened with', () => {
    expect(pickFields(before, ['active', 'ips'])).toEqual({ active: true, ips: ['10.0.0.1'] })
  })
})

describe('conflicting values', () => {
  const refusal = { success: false, code: 'FIELD_CHANGED', message: '', current: { name: 'Studio' } }

  test('are what the server has now in the fields that somebody else changed', () => {
    expect(conflictingValues(new CallFailed(409, refusal))).toEqual({ name: 'Studio' })
  })

  test.each([
    ['another refusal', new CallFailed(409, { ...refusal, code: 'SUBSCRIPTION_LEVEL_TAKEN' })],
    ['a reply without them', new CallFailed(409, { code: 'FIELD_CHANGED' })],
    ['a call that never arrived', new CallFailed(0, {})],
    ['anything else', new Error('FIELD_CHANGED')],
    ['no failure', null],
  ])('there are none in %s', (_, error) => {
    expect(conflictingValues(error)).toEqual({})
  })
})
