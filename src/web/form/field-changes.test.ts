import { describe, expect, test } from 'vitest'
import { CallFailed } from '../api/call-failed.ts'
import { changedFields, conflictingValues, mergeStored, mergeUndecided, pickFields } from './field-changes.ts'

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

describe('what somebody else stores while a form is open', () => {
  const stored = { name: 'Basic', version: '1.0', active: true }

  test('is shown in the fields that nobody edited', () => {
    const typed = { ...stored, name: 'Mine' }
    const now = { ...stored, version: '2.0' }
    expect(mergeStored({ stored, typed }, stored, now)).toEqual({ taken: { version: '2.0' }, agreed: {}, theirs: {} })
  })

  test('must be decided in a field that was edited, unless both want the same', () => {
    const typed = { name: 'Mine', version: '2.0', active: true }
    const now = { name: 'Theirs', version: '2.0', active: true }
    const expected = { taken: {}, agreed: { version: '2.0' }, theirs: { name: 'Theirs' } }
    expect(mergeStored({ stored, typed }, stored, now)).toEqual(expected)
  })

  test('is no news where the form sent it, or has decided about it', () => {
    const none = { taken: {}, agreed: {}, theirs: {} }
    const sent = { ...stored, name: 'Mine' }
    expect(mergeStored({ stored: sent, typed: { ...sent, name: 'Later' } }, stored, sent)).toEqual(none)
    expect(mergeStored({ stored: sent, typed: { ...sent, name: 'Later' } }, sent, sent)).toEqual(none)
  })
})

test('what was open to decide stays open, but where something else is stored by now', () => {
  const known = { name: 'Basic', version: '1.0', active: true }
  const now = { name: 'Theirs', version: '2.0', active: true }
  const open = { name: 'Before', active: false }
  expect(mergeUndecided(open, { version: '2.0' }, { known, now })).toEqual({ active: false, version: '2.0' })
  expect(mergeUndecided(open, { name: 'Theirs' }, { known, now })).toEqual({ active: false, name: 'Theirs' })
  expect(mergeUndecided(open, {}, { known, now: known })).toEqual(open)
})

describe('conflicting values', () => {
  const rejection = { success: false, code: 'FIELD_CHANGED', message: '', current: { name: 'Studio' } }

  test('are what the server has now in the fields that somebody else changed', () => {
    expect(conflictingValues(new CallFailed(409, rejection))).toEqual({ name: 'Studio' })
  })

  test.each([
    ['another rejection', new CallFailed(409, { ...rejection, code: 'SUBSCRIPTION_LEVEL_TAKEN' })],
    ['a reply without them', new CallFailed(409, { code: 'FIELD_CHANGED' })],
    ['a call that never arrived', new CallFailed(0, {})],
    ['anything else', new Error('FIELD_CHANGED')],
    ['no failure', null],
  ])('there are none in %s', (_, error) => {
    expect(conflictingValues(error)).toEqual({})
  })
})
