import { beforeEach, expect, test } from 'vitest'
import { withoutTable } from '#testing/faults/without-table.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const old = 'Password-of-user'
const fresh = 'Another-password'
let named = 0
let username: string

beforeEach(async () => {
  username = `customer ${++named}`
  await given.program.register(username, old, given.key)
})

const change = (password: string, newPassword: string) =>
  given.program.send('change-password', { password, newPassword })
const signsIn = async (password: string) => {
  const other = await Program.of(given.app, given.owner)
  await other.init()
  return (await other.login(username, password)).body.success
}

test('only the new password signs in; this session continues, and the others end', async () => {
  await given.asOwner('update_app', { settings: { oneSessionPerCredential: false } })
  const other = await Program.of(given.app, given.owner)
  await other.init()
  await other.login(username, old)
  expect(await change(old, fresh)).toMatchObject({ status: 200, body: { success: true, message: 'Password changed' } })
  expect((await given.program.heartbeat()).body.success).toBe(true)
  expect((await other.heartbeat()).body.code).toBe('SESSION_ENDED')
  expect(await signsIn(old)).toBe(false)
  expect(await signsIn(fresh)).toBe(true)
  const rows = await given.app.db.read.selectFrom('audit').selectAll().where('target', '=', username).execute()
  expect(rows.map(({ act, actor_type }) => [act, actor_type])).toContainEqual(['user.change-password', 'user'])
  expect(JSON.stringify(rows)).not.toMatch(/Another-password|Password-of-user/)
})

test('requires the current password, and wrong ones count as failed sign-ins', async () => {
  expect((await change('wrong', fresh)).body.code).toBe('INVALID_CREDENTIALS')
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => change(`guess ${n}`, fresh)))
  const codes = answers.map(({ body }) => body.code)
  expect(codes).toContain('LOGIN_COOLDOWN')
  expect(codes.filter((code) => code === 'INVALID_CREDENTIALS').length).toBeLessThan(10)
  given.app.advance(86_400)
})

test('a right current password counts as no failure when the server fails', async () => {
  // From now on, the server has the session in memory.
  await given.program.heartbeat()
  await withoutTable(given.app.db, 'client_sessions', async () => {
    for (let n = 0; n < 6; n++) expect((await change(old, fresh)).body.code).toBe('INTERNAL_ERROR')
  })
  expect((await change(old, fresh)).body.success).toBe(true)
})

test('rejects a short password, a session without sign-in, and a user without a password', async () => {
  expect((await change(old, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
  expect(await signsIn(old)).toBe(true)
  const [other = ''] = await newLicenses(given.owner, 1)
  await given.program.init()
  expect((await change(old, fresh)).body.code).toBe('NOT_SIGNED_IN')
  await given.program.license(other)
  expect((await change(other, fresh)).body.code).toBe('INVALID_CREDENTIALS')
})

test('one of two concurrent changes succeeds', async () => {
  const answers = await Promise.all([change(old, 'First-password'), change(old, 'Second-password')])
  const codes = answers.map(({ body }) => body.code ?? 'OK').toSorted()
  expect(codes).toEqual(['INVALID_CREDENTIALS', 'OK'])
})

test('rejects hostile bodies', async () => {
  const valid = { password: old, newPassword: fresh }
  for (const value of [5, true, null, [], {}, 'NUL \0', 'x'.repeat(257)]) {
    for (const name of ['password', 'newPassword'] as const) {
      const { status } = await given.program.send('change-password', { ...valid, [name]: value })
      expect(status, `${name} ${JSON.stringify(value)}`).toBe(400)
    }
  }
  expect(await signsIn(old)).toBe(true)
})
