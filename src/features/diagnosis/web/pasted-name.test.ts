import { expect, test } from 'vitest'
import { namedKey, pastedName } from './pasted-name.ts'

test('spaces and quotes around a pasted name are not part of it, those inside are', () => {
  for (const text of ['ab', ' ab\n', '"ab"', "'ab'", '`ab`', '“ab”', '„ab“', '«ab»', ' " ab " ', '\u200Bab'])
    expect(pastedName(text), text).toBe('ab')
  for (const text of ['a b', 'a"b', '"ab', 'ab"', '""', '"', '']) expect(pastedName(text)).toBe(text)
})

test('a key in other letter case is meant if no other key differs only in case', () => {
  expect(namedKey('ab-1', ['AB-1', 'AB-12'])).toBe('AB-1')
  expect(namedKey('ab-1', ['AB-1', 'Ab-1'])).toBeUndefined()
  expect(namedKey('Ab-1', ['AB-1', 'Ab-1'])).toBe('Ab-1')
  expect(namedKey('ab', ['AB-1'])).toBeUndefined()
})
