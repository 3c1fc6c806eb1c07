import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountProblem,
  defaultPasswordPolicy,
  displayNameProblem,
  emailProblem,
  newPasswordProblem,
  passwordProblem,
  type RegistrationForm,
  passwordDemands,
  type PasswordPolicy,
  registrationProblems,
  usernameProblem,
} from './accounts.rules.ts'

const good: RegistrationForm = {
  username: 'ana_1',
  email: 'ana@example.com',
  password: 'Correct7Horse',
  confirmPassword: 'Correct7Horse',
  displayName: 'Ana',
  terms: true,
}

test('a valid form has no problems', () => expect(registrationProblems(good, defaultPasswordPolicy)).toEqual({}))

test('lists every missing field of an empty form', () => {
  const empty = { username: '', email: '', password: '', confirmPassword: '', displayName: '', terms: false }
  expect(registrationProblems(empty, defaultPasswordPolicy)).toEqual({
    username: { code: 'USERNAME_REQUIRED' },
    email: { code: 'EMAIL_REQUIRED' },
    password: { code: 'PASSWORD_REQUIRED' },
    confirmPassword: { code: 'CONFIRMATION_REQUIRED' },
    displayName: { code: 'DISPLAY_NAME_REQUIRED' },
    terms: { code: 'TERMS_NOT_ACCEPTED' },
  })
})

test('a call is rejected for its first problem, which names the field', () => {
  expect(accountProblem(good, defaultPasswordPolicy)).toBeUndefined()
  const problem = accountProblem({ ...good, email: '', displayName: '' }, defaultPasswordPolicy)
  expect(problem).toEqual({ code: 'EMAIL_REQUIRED', field: 'email' })
})

describe('each rule has a code of its own', () => {
  test.each<[Partial<RegistrationForm>, keyof RegistrationForm, object]>([
    [{ username: '   ' }, 'username', { code: 'USERNAME_REQUIRED' }],
    [{ username: 'ab' }, 'username', { code: 'USERNAME_TOO_SHORT', values: { min: 3 } }],
    [{ username: 'a b' }, 'username', { code: 'USERNAME_CHARACTERS' }],
    [{ username: 'ana-maria' }, 'username', { code: 'USERNAME_CHARACTERS' }],
    [{ username: 'joão' }, 'username', { code: 'USERNAME_CHARACTERS' }],
    [{ username: 'ana\n' }, 'username', { code: 'USERNAME_CHARACTERS' }],
    [{ email: ' ' }, 'email', { code: 'EMAIL_REQUIRED' }],
    [{ email: 'ana' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: 'ana@example' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: '@example.com' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: 'ana@@example.com' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: 'a na@example.com' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: 'ana@example.com\nbcc:x@y.z' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: 'ana@example..com' }, 'email', { code: 'EMAIL_INVALID' }],
    [{ email: `${'a'.repeat(250)}@b.cc` }, 'email', { code: 'EMAIL_INVALID' }],
    [{ password: '' }, 'password', { code: 'PASSWORD_REQUIRED' }],
    [{ password: 'Short7A' }, 'password', { code: 'PASSWORD_TOO_SHORT', values: { min: 8 } }],
    [{ password: 'alllower7' }, 'password', { code: 'PASSWORD_TOO_SIMPLE' }],
    [{ password: 'ALLUPPER7' }, 'password', { code: 'PASSWORD_TOO_SIMPLE' }],
    [{ password: 'NoDigitsHere' }, 'password', { code: 'PASSWORD_TOO_SIMPLE' }],
    [{ confirmPassword: '' }, 'confirmPassword', { code: 'CONFIRMATION_REQUIRED' }],
    [{ confirmPassword: 'Correct7horse' }, 'confirmPassword', { code: 'CONFIRMATION_DIFFERS' }],
    [{ displayName: '  ' }, 'displayName', { code: 'DISPLAY_NAME_REQUIRED' }],
    [{ terms: false }, 'terms', { code: 'TERMS_NOT_ACCEPTED' }],
  ])('%j', (change, field, problem) => {
    expect(registrationProblems({ ...good, ...change }, defaultPasswordPolicy)[field]).toEqual(problem)
  })
})

test('accepts the shortest and longest allowed values and rejects longer ones', () => {
  expect(usernameProblem('abc')).toBeUndefined()
  expect(usernameProblem('a'.repeat(64))).toBeUndefined()
  expect(usernameProblem('a'.repeat(65))).toEqual({ code: 'USERNAME_TOO_LONG', values: { max: 64 } })
  expect(displayNameProblem('a'.repeat(64))).toBeUndefined()
  expect(displayNameProblem('a'.repeat(65))).toEqual({ code: 'DISPLAY_NAME_TOO_LONG', values: { max: 64 } })
  expect(passwordProblem('Abcdefg7')).toBeUndefined()
  expect(passwordProblem(`Aa7${'x'.repeat(253)}`)).toBeUndefined()
  expect(passwordProblem(`Aa7${'x'.repeat(254)}`)).toEqual({ code: 'PASSWORD_TOO_LONG', values: { max: 256 } })
})

test('an administrator can require more than 8 characters but never fewer', () => {
  expect(passwordProblem('Abcdefg7', { minLength: 12, complex: true })).toEqual({
    code: 'PASSWORD_TOO_SHORT',
    values: { min: 12 },
  })
  expect(passwordProblem('Abcde7', { minLength: 1, complex: true })).toEqual({
    code: 'PASSWORD_TOO_SHORT',
    values: { min: 8 },
  })
  expect(passwordProblem('alllowercase', { minLength: 8, complex: false })).toBeUndefined()
})

test('the registration form requires exactly what the platform requires', () => {
  const of = (password: string, policy: PasswordPolicy) =>
    registrationProblems({ ...good, password, confirmPassword: password }, policy).password
  expect(of('thirteen signs', { minLength: 8, complex: false })).toBeUndefined()
  expect(of('thirteen signs', { minLength: 8, complex: true })).toEqual({ code: 'PASSWORD_TOO_SIMPLE' })
  expect(of('Abcdefg7', { minLength: 9, complex: true })).toEqual({ code: 'PASSWORD_TOO_SHORT', values: { min: 9 } })
  expect(passwordDemands('abcdefgh', { minLength: 9, complex: false })).toEqual({ length: false })
  expect(Object.keys(passwordDemands('', defaultPasswordPolicy))).toEqual([
    'length',
    'uppercase',
    'lowercase',
    'number',
  ])
})

test('letters of any script count as letters (R-AUTH-08)', () =>
  expect(passwordProblem('Ünïcödé٣Пароль')).toBeUndefined())

test('the Change Password dialog has its own text for a short password', () => {
  expect(newPasswordProblem('Short7')).toEqual({ code: 'NEW_PASSWORD_TOO_SHORT', values: { min: 8 } })
  expect(newPasswordProblem('')).toEqual({ code: 'NEW_PASSWORD_TOO_SHORT', values: { min: 8 } })
  expect(newPasswordProblem('alllower7')).toEqual({ code: 'PASSWORD_TOO_SIMPLE' })
  expect(newPasswordProblem('Abcdefg7')).toBeUndefined()
})

test('rejects any username with other characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(usernameProblem(name) === undefined).toBe(/^\w{3,64}$/.test(name) && !name.includes('\n'))
    }),
  )
})

test('a valid address has one @, a dot in its domain, and no character that could end it in a mail header', () => {
  const batch = fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '.', '@', '+', ' ', '\n', '<', ',', ';', '"', 'é'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(
      fc.tuple(batch, batch, batch).map((parts) => parts.join('@')),
      (address) => {
        if (emailProblem(address) !== undefined) return
        const trimmed = address.trim()
        expect(trimmed.split('@')).toHaveLength(2)
        expect(trimmed.split('@')[1]).toMatch(/^[^.]+(\.[^.]+)+$/)
        expect(trimmed).not.toMatch(/[\s<>,;"]/)
      },
    ),
    { numRuns: 2000 },
  )
})
