import { expect, test } from 'vitest'
import { isEasyToGuess } from './common-passwords.ts'

const ana = { username: 'ana_maria', email: 'AnaSouza@example.com', platformName: 'Prisma Locks' }

test.each([
  'Password1',
  'P@ssw0rd123!',
  'Passw0rd!!',
  'Qwerty123',
  '123Qwertz',
  'Welcome2026!',
  'Letmein1!',
  'Senha123',
  '1Signet1',
  'aaaaaaaa',
  '11111111',
  'ANA_MARIA',
  'anasouza',
  'Ana_maria2026!',
  'AnaSouza99',
  'Prisma Locks',
  'prisma locks1',
  '1Prisma Locks!',
])('%s is too easy to guess (R-AUTH-09)', async (password) => expect(await isEasyToGuess(password, ana)).toBe(true))

test.each([
  'Correct7Horse',
  'Passwordless-is-fine7',
  'xK9#mQ2vL',
  'Ana_maria_and_Bo7',
  'AnaSouza99x',
  'пароль-На-4-слова',
])('%s is allowed', async (password) => expect(await isEasyToGuess(password, ana)).toBe(false))

test.each(['Anna99!!', '1anna99', 'ANNA99', 'anna99-anna99', '__x1__2026', '7-Zip2026'])(
  '%s is too easy to guess with a name that has digits or signs at its ends (R-AUTH-09)',
  async (password) => {
    const names = { username: 'anna99', email: '__x1__@example.com', platformName: '7-Zip' }
    expect(await isEasyToGuess(password, names)).toBe(true)
  },
)

test('a short mailbox name rules out no passwords', async () => {
  const person = { username: 'someone', email: 'a7@example.com', platformName: '' }
  expect(await isEasyToGuess('a7Nothing-like-it', person)).toBe(false)
})

test('rejects the 10,000 passwords that leak most often, in any case (R-AUTH-09)', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const listed = dictionary['passwords-common'].slice(0, 10_000).filter(({ length }) => length >= 8)
  expect(listed.length).toBeGreaterThan(1000)
  for (const password of listed) {
    const typed = password[0]?.toUpperCase() + password.slice(1)
    expect(await isEasyToGuess(typed, ana), typed).toBe(true)
  }
})
