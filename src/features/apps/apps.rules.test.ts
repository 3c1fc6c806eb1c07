import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  appDefaults,
  appNameProblem,
  descriptionProblem,
  hashProblem,
  linkProblem,
  versionProblem,
} from './apps.rules.ts'

test('the defaults are those of part 1 §9', () => {
  expect(appDefaults).toMatchObject({
    version: '1.0',
    sessionExpiryDuration: 3600,
    minimumHwidLength: 8,
    appStatus: true,
    hwidLock: true,
    vpnBlock: false,
    hashCheck: false,
    oneSessionPerCredential: true,
  })
})

test.each([
  ['', 'App name is required'],
  ['   ', 'App name is required'],
  ['ab', 'App name must be at least 3 characters long'],
  [' ab ', 'App name must be at least 3 characters long'],
  ['a'.repeat(51), 'App name must be less than 50 characters'],
  ['Café', 'App name can only contain letters, numbers, spaces, hyphens, and underscores'],
  ['a/b/c', 'App name can only contain letters, numbers, spaces, hyphens, and underscores'],
  ['line\nbreak', 'App name can only contain letters, numbers, spaces, hyphens, and underscores'],
  ['a\tb\tc', 'App name can only contain letters, numbers, spaces, hyphens, and underscores'],
  ['abc', undefined],
  ['a'.repeat(50), undefined],
  ['My App_2 - final', undefined],
])('the name %j: %s (part 2 §5)', (name, problem) => expect(appNameProblem(name)).toBe(problem))

test('a name that passes fits the header that programs send without a change in length but for spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      if (appNameProblem(name) === undefined) expect(encodeURIComponent(name).replaceAll('%20', ' ')).toBe(name)
    }),
  )
})

test('a description has up to 500 characters', () => {
  expect(descriptionProblem('x'.repeat(500))).toBeUndefined()
  expect(descriptionProblem('x'.repeat(501))).toBe('Description must be at most 500 characters')
})

test.each(['', 'https://example.com/a.exe?x=1#y', 'http://10.0.0.1:8080/a', `https://example.com/${'x'.repeat(1900)}`])(
  'the link %j is a plain web address or none',
  (link) => expect(linkProblem(link, 'Auto update link')).toBeUndefined(),
)

test.each([
  'example.com',
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'ftp://example.com',
  'https://user:secret@example.com',
  'https://user@example.com',
  'https://',
  'nonsense',
  `https://example.com/${'x'.repeat(2000)}`,
])('the link %j is refused', (link) =>
  expect(linkProblem(link, 'Auto update link')).toBe('Auto update link must be a valid URL'),
)

test('where a secret is in the link only https passes', () => {
  expect(linkProblem('https://chat.example/x', 'Link', { httpsOnly: true })).toBeUndefined()
  expect(linkProblem('http://chat.example/x', 'Link', { httpsOnly: true })).toBe('Link must be an https:// URL')
})

test('a hash is 64 hexadecimal digits, and needed while the check is on', () => {
  expect(hashProblem('', false)).toBeUndefined()
  expect(hashProblem('', true)).toBe('Hash to check is required while hash check is on')
  expect(hashProblem('aB'.repeat(32), true)).toBeUndefined()
  for (const wrong of ['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `${'a'.repeat(63)}\n`]) {
    expect(hashProblem(wrong, false)).toBe('Hash to check must be a SHA-256 in hexadecimal (64 characters)')
  }
})

test.each(['1.0', '1.0.0-beta+5', 'v2_final', 'x'.repeat(32)])('%j is a version', (version) =>
  expect(versionProblem(version)).toBeUndefined(),
)
test.each(['', ' 1.0', '1 0', 'x'.repeat(33), '1.0\n', '../1', '١.٠'])('%j is no version', (version) =>
  expect(versionProblem(version)).toBeDefined(),
)
