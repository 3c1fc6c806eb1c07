import { expect, test } from 'vitest'
import { userStatus } from './user-list.rules.ts'
import { endUsernameProblem, newUserProblem, userChangeProblem, usernameIsValid } from './users.rules.ts'

test.each([
  [{ banned: true, paused: true, hasActiveSubscription: true }, 'Banned'],
  [{ banned: false, paused: true, hasActiveSubscription: true }, 'Paused'],
  [{ banned: false, paused: false, hasActiveSubscription: true }, 'Active'],
  [{ banned: false, paused: false, hasActiveSubscription: false }, 'Expired'],
] as const)('the status of %o is %s', (user, status) => {
  expect(userStatus(user)).toBe(status)
})

test.each(['bob', 'a/b', '日本語', '100%', 'first last', 'x'.repeat(64), 'Ação'])('%s is a username', (name) => {
  expect(usernameIsValid(name)).toBe(true)
  expect(endUsernameProblem(name)).toBeUndefined()
})

test.each(['ab', ' bob', 'bob ', 'a  b', 'a\tb', 'a\u0000b', 'a\u202Eb', 'x'.repeat(65), '🦊🦊'])(
  '%j is not a username',
  (name) => {
    expect(usernameIsValid(name)).toBe(false)
    expect(endUsernameProblem(name)).toEqual({ code: 'USERNAME_INVALID', values: { min: 3, max: 64 } })
  },
)

test('a user needs a name, and a password of 8 to 256 characters of any kind (R-AUTH-08)', () => {
  const user = { username: 'bob', password: 'eightlow' }
  expect(newUserProblem(user)).toBeUndefined()
  for (const username of ['', '   '])
    expect(newUserProblem({ ...user, username })).toEqual({ code: 'USERNAME_REQUIRED', field: 'username' })
  expect(newUserProblem({ ...user, password: '' })).toEqual({ code: 'PASSWORD_REQUIRED', field: 'password' })
  const short = newUserProblem({ ...user, password: '7 chars' })
  expect(short).toEqual({ code: 'PASSWORD_TOO_SHORT', values: { min: 8 }, field: 'password' })
  const long = newUserProblem({ ...user, password: 'x'.repeat(257) })
  expect(long).toEqual({ code: 'PASSWORD_TOO_LONG', values: { max: 256 }, field: 'password' })
})

test('an email address can be missing, but not invalid', () => {
  const user = { username: 'bob', password: 'eightlow' }
  for (const email of ['', '  ', 'bob@example.com']) expect(newUserProblem({ ...user, email })).toBeUndefined()
  expect(newUserProblem({ ...user, email: 'bob@' })).toEqual({ code: 'EMAIL_INVALID', field: 'email' })
  expect(userChangeProblem({ email: 'bob@' })).toEqual({ code: 'EMAIL_INVALID', field: 'email' })
})

test('an edit checks the password only if there is one', () => {
  expect(userChangeProblem({})).toBeUndefined()
  expect(userChangeProblem({ password: '' })).toEqual({ code: 'PASSWORD_REQUIRED', field: 'password' })
})
