import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emailProblem,
  newPasswordProblem,
  passwordProblem,
  type RegistrationForm,
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

test('a good form has no problems', () => expect(registrationProblems(good)).toEqual({}))

test('an empty form is told all that is missing, in the words of part 1 §5', () => {
  const empty = { username: '', email: '', password: '', confirmPassword: '', displayName: '', terms: false }
  expect(registrationProblems(empty)).toEqual({
    username: 'Username is required',
    email: 'Email is required',
    password: 'Password is required',
    confirmPassword: 'Please confirm your password',
    displayName: 'Display name is required',
    terms: 'You must agree to the terms and conditions',
  })
})

describe('each rule in its own words (part 1 §5)', () => {
  test.each<[Partial<RegistrationForm>, keyof RegistrationForm, string]>([
    [{ username: '   ' }, 'username', 'Username is required'],
    [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
    [{ username: 'a b' }, 'username', 'Username can only contain letters, numbers, and underscores'],
    [{ username: 'ana-maria' }, 'username', 'Username can only contain letters, numbers, and underscores'],
    [{ username: 'joão' }, 'username', 'Username can only contain letters, numbers, and underscores'],
    [{ username: 'ana\n' }, 'username', 'Username can only contain letters, numbers, and underscores'],
    [{ email: ' ' }, 'email', 'Email is required'],
    [{ email: 'ana' }, 'email', 'Please enter a valid email address'],
    [{ email: 'ana@example' }, 'email', 'Please enter a valid email address'],
    [{ email: '@example.com' }, 'email', 'Please enter a valid email address'],
    [{ email: 'ana@@example.com' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a na@example.com' }, 'email', 'Please enter a valid email address'],
    [{ email: 'ana@example.com\nbcc:x@y.z' }, 'email', 'Please enter a valid email address'],
    [{ email: 'ana@example..com' }, 'email', 'Please enter a valid email address'],
    [{ email: `${'a'.repeat(250)}@b.cc` }, 'email', 'Please enter a valid email address'],
    [{ password: '' }, 'password', 'Password is required'],
    [{ password: 'Short7A' }, 'password', 'Password must be at least 8 characters'],
    [{ password: 'alllower7' }, 'password', 'Password must contain uppercase, lowercase, and number'],
    [{ password: 'ALLUPPER7' }, 'password', 'Password must contain uppercase, lowercase, and number'],
    [{ password: 'NoDigitsHere' }, 'password', 'Password must contain uppercase, lowercase, and number'],
    [{ confirmPassword: '' }, 'confirmPassword', 'Please confirm your password'],
    [{ confirmPassword: 'Correct7horse' }, 'confirmPassword', 'Passwords do not match'],
    [{ displayName: '  ' }, 'displayName', 'Display name is required'],
    [{ terms: false }, 'terms', 'You must agree to the terms and conditions'],
  ])('%j', (change, field, text) => {
    expect(registrationProblems({ ...good, ...change })[field]).toBe(text)
  })
})

test('the shortest and the longest that are allowed', () => {
  expect(usernameProblem('abc')).toBeUndefined()
  expect(usernameProblem('a'.repeat(64))).toBeUndefined()
  expect(usernameProblem('a'.repeat(65))).toBeDefined()
  expect(passwordProblem('Abcdefg7')).toBeUndefined()
  expect(passwordProblem(`Aa7${'x'.repeat(253)}`)).toBeUndefined()
  expect(passwordProblem(`Aa7${'x'.repeat(254)}`)).toBe('Password must be at most 256 characters')
})

test('an administrator can ask for more than 8 characters but never for fewer (conflicts C16)', () => {
  expect(passwordProblem('Abcdefg7', { minimumLength: 12, complex: true })).toBe(
    'Password must be at least 12 characters',
  )
  expect(passwordProblem('Abcde7', { minimumLength: 1, complex: true })).toBe('Password must be at least 8 characters')
  expect(passwordProblem('alllowercase', { minimumLength: 8, complex: false })).toBeUndefined()
})

test('letters of any script count as letters', () => expect(passwordProblem('Ünïcödé٣Пароль')).toBeUndefined())

test('the Change Password dialog says it with "long" (part 1 §5 Other account rules)', () => {
  expect(newPasswordProblem('Short7')).toBe('Password must be at least 8 characters long')
  expect(newPasswordProblem('')).toBe('Password must be at least 8 characters long')
  expect(newPasswordProblem('alllower7')).toBe('Password must contain uppercase, lowercase, and number')
  expect(newPasswordProblem('Abcdefg7')).toBeUndefined()
})

test('no name of other signs passes, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(usernameProblem(name) === undefined).toBe(/^\w{3,64}$/.test(name) && !name.includes('\n'))
    }),
  )
})

test('an address that passes has one @, a dot in its domain and nothing that a mail header could take for its end', () => {
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
