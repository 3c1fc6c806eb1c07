import { expect, test } from 'vitest'
import { CallFailed } from '../api/call-failed.ts'
import { conflictsOf, formFailureText, isAtField, rejectedText } from './save-failure.ts'

const stored = { name: 'Basic', level: 1 }
const changed = (current: object) =>
  new CallFailed(409, { success: false, code: 'FIELD_CHANGED', message: '', current })
const rejection = (field: string) =>
  new CallFailed(400, { success: false, code: 'NAME_TAKEN', message: 'Taken', field })
const texts = { failure: 'Failed to save' }

test('only conflicts in the form’s own fields are its conflicts', () => {
  const error = changed({ name: 'Theirs', webhook: 'https://example.com' })
  expect(conflictsOf(error, stored)).toEqual({ name: 'Theirs' })
  expect(conflictsOf(changed({ webhook: '' }), stored)).toEqual({})
  expect([isAtField(error, stored), isAtField(changed({ webhook: '' }), stored)]).toEqual([true, false])
})

test('a rejection is shown at the field that it names, or above the buttons where the form has no such field', () => {
  expect(formFailureText(texts, rejection('name'), stored)).toBeUndefined()
  expect(formFailureText(texts, rejection('owner'), stored)).toEqual(expect.any(String))
  expect(formFailureText(texts, null, stored)).toBeUndefined()
})

test('it stays at the field until that has another value than the rejected one', () => {
  const failed = { error: rejection('name'), rejected: { name: 'Pro', level: 1 } }
  const textAt = (name: 'name' | 'level', typed: typeof stored) => rejectedText(texts, failed, { name, stored, typed })
  expect(textAt('name', { name: 'Pro', level: 2 })).toEqual(expect.any(String))
  expect(textAt('name', { name: 'Pro 2', level: 2 })).toBeUndefined()
  expect(textAt('level', { name: 'Pro', level: 1 })).toBeUndefined()
})
