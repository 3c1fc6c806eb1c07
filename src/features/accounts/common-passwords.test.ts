import { expect, test } from 'vitest'
import { isEasyToGuess } from './common-passwords.ts'

const ana = { username: 'ana_maria', email: 'AnaSouza@example.com' }

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
])('%s is too easy to guess (R-AUTH-09)', (password) => expect(isEasyToGuess(password, ana)).toBe(true))

test.each(['Correct7Horse', 'Passwordless-is-fine7', 'xK9#mQ2vL', 'Ana_maria_and_Bo7', 'пароль-На-4-слова'])(
  '%s may be used',
  (password) => expect(isEasyToGuess(password, ana)).toBe(false),
)

test('an address with a short name before the @ forbids nothing', () => {
  expect(isEasyToGuess('a7', { username: 'someone', email: 'a7@example.com' })).toBe(false)
})
