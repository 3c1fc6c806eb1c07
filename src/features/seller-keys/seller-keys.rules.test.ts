import { expect, test } from 'vitest'
import { ipLines, isFullAccess, keyNameProblem, permissionsProblem, scopes } from './seller-keys.rules.ts'

test('an empty list of permissions is full access, and no other list is', () => {
  expect(isFullAccess([])).toBe(true)
  for (const scope of scopes) expect(isFullAccess([scope])).toBe(false)
  expect(isFullAccess(scopes)).toBe(false)
})

test('recognizes only the exact scopes', () => {
  const unknown = (scope: string) => ({ code: 'SELLER_KEY_SCOPE_UNKNOWN', values: { scope }, field: 'permissions' })
  expect(permissionsProblem(scopes)).toBeUndefined()
  expect(permissionsProblem([])).toBeUndefined()
  expect(permissionsProblem(['users:read', 'users:read ', 'nothing'])).toEqual(unknown('users:read '))
  for (const scope of ['', '*', 'licenses', 'LICENSES:READ', 'toString', '__proto__'])
    expect(permissionsProblem([scope])).toEqual(unknown(scope))
})

test.each([
  ['', { code: 'KEY_NAME_REQUIRED', field: 'keyName' }],
  [' \t ', { code: 'KEY_NAME_REQUIRED', field: 'keyName' }],
  ['x'.repeat(51), { code: 'KEY_NAME_TOO_LONG', values: { max: 50 }, field: 'keyName' }],
  ['a\nb', { code: 'KEY_NAME_CHARACTERS', field: 'keyName' }],
  [`  ${'x'.repeat(50)}  `, undefined],
  ['Loja nº 1 🦊', undefined],
])('the name %j: %j', (name, problem) => expect(keyNameProblem(name)).toEqual(problem))

test('trims lines and drops empty ones, in a text or a list', () => {
  expect(ipLines(' a \r\n\n\tb\r  \nc')).toEqual(['a', 'b', 'c'])
  expect(ipLines(['a', ' ', 'b\nc '])).toEqual(['a', 'b', 'c'])
  expect(ipLines('')).toEqual([])
})
