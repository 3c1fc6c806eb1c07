import { expect, test } from 'vitest'
import { ipLines, isFullAccess, keyNameProblem, scopes, unknownScope } from './seller-keys.rules.ts'

test('an empty list of permissions is full access, and no other is', () => {
  expect(isFullAccess([])).toBe(true)
  for (const scope of scopes) expect(isFullAccess([scope])).toBe(false)
  expect(isFullAccess(scopes)).toBe(false)
})

test('only the scopes themselves are known', () => {
  expect(unknownScope(scopes)).toBeUndefined()
  expect(unknownScope(['users:read', 'users:read ', 'nothing'])).toBe('users:read ')
  for (const scope of ['', '*', 'licenses', 'LICENSES:READ', 'toString', '__proto__'])
    expect(unknownScope([scope])).toBe(scope)
})

test.each([
  ['', 'Key name is required'],
  [' \t ', 'Key name is required'],
  ['x'.repeat(51), 'The key name can have at most 50 characters'],
  ['a\nb', 'The key name can not hold control characters'],
  [`  ${'x'.repeat(50)}  `, undefined],
  ['Loja nº 1 🦊', undefined],
])('the name %j: %s', (name, problem) => expect(keyNameProblem(name)).toBe(problem))

test('lines are trimmed and empty ones dropped, from a text or from a list', () => {
  expect(ipLines(' a \r\n\n\tb\r  \nc')).toEqual(['a', 'b', 'c'])
  expect(ipLines(['a', ' ', 'b\nc '])).toEqual(['a', 'b', 'c'])
  expect(ipLines('')).toEqual([])
})
