import { describe, expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

describe('the address that a sign-in leads back to', () => {
  test.each([
    '/licenses',
    '/licenses?q=launch&dialog=edit&row=AB-CD#top',
    '/users?q=%2F%2Fevil.example',
    '/reseller/dashboard',
  ])('may be %s', (path) => {
    expect(ownPath(path)).toBe(path)
  })

  test.each([
    undefined,
    '',
    'licenses',
    'https://evil.example/licenses',
    '//evil.example',
    '///evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/licenses/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '//[',
    'http:evil.example',
    '/login?next=//evil.example',
    '/register',
  ])('is never %j', (path) => {
    expect(ownPath(path)).toBeUndefined()
  })
})
