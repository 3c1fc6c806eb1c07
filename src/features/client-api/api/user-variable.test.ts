import { expect, test } from 'vitest'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const read = (name: string, from = given.program) => from.send('user-variable', { name })

test('a user reads the variables that the owner set for this user, and no other user does', async () => {
  await given.program.license(given.key)
  await given.asOwner('user_variables', { username: given.key, variableName: 'tier', variableData: 'gold' })
  expect((await read('tier')).body).toMatchObject({ success: true, name: 'tier', value: 'gold' })
  const [otherKey = ''] = await newLicenses(given.owner, 1)
  const other = await Program.of(given.app, given.owner)
  await other.init()
  await other.license(otherKey)
  expect(await read('tier', other)).toMatchObject({ status: 404, body: { code: 'VARIABLE_NOT_FOUND' } })
})

test('rejects programs without sign-in or access', async () => {
  expect((await read('tier')).body.code).toBe('NOT_SIGNED_IN')
  await given.program.license(given.key)
  await given.asOwner('toggle_ban_user', { username: given.key })
  expect((await read('tier')).body.code).toBe('USER_BANNED')
  given.program.session = undefined
  expect((await read('tier')).body.code).toBe('SESSION_REQUIRED')
})

test('rejects bodies without a name', async () => {
  await given.program.license(given.key)
  for (const body of [{}, [], null, { name: 5 }, { name: null }, { name: { x: 1 } }, { name: 'NUL \0' }]) {
    expect((await given.program.send('user-variable', body)).status, JSON.stringify(body)).toBe(400)
  }
})
