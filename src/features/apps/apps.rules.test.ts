import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  appDefaults,
  appNameProblem,
  autoUpdateLinkProblem,
  descriptionProblem,
  hashProblem,
  minHwidLengthProblem,
  sessionExpiryProblem,
  versionProblem,
  webhookLinkProblem,
  webloaderLinkProblem,
} from './apps.rules.ts'

test('the defaults are the specified ones', () => {
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
  ['', { code: 'APP_NAME_REQUIRED' }],
  ['   ', { code: 'APP_NAME_REQUIRED' }],
  ['ab', { code: 'APP_NAME_TOO_SHORT', values: { min: 3 } }],
  [' ab ', { code: 'APP_NAME_TOO_SHORT', values: { min: 3 } }],
  ['a'.repeat(51), { code: 'APP_NAME_TOO_LONG', values: { max: 50 } }],
  ['Café', { code: 'APP_NAME_CHARACTERS' }],
  ['a/b/c', { code: 'APP_NAME_CHARACTERS' }],
  ['line\nbreak', { code: 'APP_NAME_CHARACTERS' }],
  ['a\tb\tc', { code: 'APP_NAME_CHARACTERS' }],
  ['abc', undefined],
  ['a'.repeat(50), undefined],
  ['My App_2 - final', undefined],
])('the name %j: %j', (name, problem) => expect(appNameProblem(name)).toEqual(problem))

test('a valid name keeps its length in the header that programs send, except for spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      if (appNameProblem(name) === undefined) expect(encodeURIComponent(name).replaceAll('%20', ' ')).toBe(name)
    }),
  )
})

test('a description has up to 500 characters', () => {
  expect(descriptionProblem('x'.repeat(500))).toBeUndefined()
  expect(descriptionProblem('x'.repeat(501))).toEqual({ code: 'APP_DESCRIPTION_TOO_LONG', values: { max: 500 } })
})

const links = [
  [autoUpdateLinkProblem, 'AUTO_UPDATE_LINK_INVALID'],
  [webloaderLinkProblem, 'WEBLOADER_LINK_INVALID'],
] as const

test.each(['', 'https://example.com/a.exe?x=1#y', 'http://10.0.0.1:8080/a', `https://example.com/${'x'.repeat(1900)}`])(
  'the link %j is a plain web address or none',
  (link) => {
    for (const [problemOf] of links) expect(problemOf(link)).toBeUndefined()
  },
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
  'https://example.com/\r\nX-Header: 1',
  'https://exam\nple.com',
  '\thttps://example.com',
  'https://example.com/\u007f',
  `https://example.com/${'x'.repeat(2000)}`,
])('rejects the link %j', (link) => {
  for (const [problemOf, code] of links) expect(problemOf(link)).toEqual({ code })
})

test('a link that contains a secret must be https', () => {
  for (const link of ['', 'https://chat.example/x']) expect(webhookLinkProblem(link)).toBeUndefined()
  for (const link of ['http://chat.example/x', 'javascript:alert(1)', 'ftp://chat.example']) {
    expect(webhookLinkProblem(link)).toEqual({ code: 'WEBHOOK_LINK_NOT_HTTPS' })
  }
  for (const link of [
    'chat.example',
    'https://user:secret@chat.example',
    'https://a.example/\n',
    `https://a.example/${'x'.repeat(2000)}`,
  ]) {
    expect(webhookLinkProblem(link)).toEqual({ code: 'WEBHOOK_LINK_INVALID' })
  }
})

test('the minimum HWID length is 1 to 64, the session expiry 300 to 86400 seconds', () => {
  for (const length of [1, 64]) expect(minHwidLengthProblem(length)).toBeUndefined()
  for (const length of [0, 65, 1.5, -1, Number.NaN, undefined]) {
    expect(minHwidLengthProblem(length)).toEqual({ code: 'MIN_HWID_LENGTH_INVALID', values: { min: 1, max: 64 } })
  }
  for (const seconds of [300, 86_400]) expect(sessionExpiryProblem(seconds)).toBeUndefined()
  for (const seconds of [299, 86_401, 300.5, undefined]) {
    expect(sessionExpiryProblem(seconds)).toEqual({ code: 'SESSION_EXPIRY_INVALID', values: { min: 300, max: 86_400 } })
  }
})

test('a hash is 64 hexadecimal digits, and required while the check is on', () => {
  expect(hashProblem('', false)).toBeUndefined()
  expect(hashProblem('', true)).toEqual({ code: 'HASH_REQUIRED' })
  expect(hashProblem('aB'.repeat(32), true)).toBeUndefined()
  for (const wrong of ['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), `${'a'.repeat(63)}\n`]) {
    expect(hashProblem(wrong, false)).toEqual({ code: 'HASH_INVALID' })
  }
})

test.each([
  '1.0',
  '1.0.0-beta+5',
  'v2_final',
  'x'.repeat(32),
  '1.0 beta',
  ' 2.0 ',
  '٣.١',
  'β-版 “two”',
  '🦊'.repeat(32),
])('%j is a version', (version) => expect(versionProblem(version)).toBeUndefined())
test.each(['', '  ', 'x'.repeat(33), '1\n0', '1\t0', '1\u00000', '1\u202E0', '1\u200B0', '1\u00A00', '\uD800', '1  0'])(
  '%j is no version',
  (version) => expect(versionProblem(version)).toEqual({ code: 'APP_VERSION_INVALID', values: { max: 32 } }),
)
