import { expect, test } from 'vitest'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { replaceUser } from '#testing/people/replaced-user.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

const write = (name: string, value: string, from = given.program) => from.send('set-user-variable', { name, value })
const read = async (name: string) => (await given.program.send('user-variable', { name })).body['value']
const rows = () =>
  given.app.db.read
    .selectFrom('audit')
    .selectAll()
    .where('app_id', '=', given.owner.appId)
    .where('target', '=', given.key)
    .where('act', 'like', 'user.%')
    .execute()

test('creates and changes a variable of the user; the owner sees it, and each change is an audit event', async () => {
  await given.program.license(given.key)
  expect((await write('theme', 'dark')).body).toMatchObject({ success: true, name: 'theme', value: 'dark' })
  expect(await read('theme')).toBe('dark')
  await write('theme', 'light 🌞')
  expect(await read('theme')).toBe('light 🌞')
  const { body } = await given.owner.visitor.call('GET /user_variables', { query: { username: given.key } })
  expect(body.variables).toMatchObject([{ name: 'theme', data: 'light 🌞' }])
  expect((await rows()).map(({ act, actor_type, owner_id }) => [act, actor_type, owner_id])).toEqual([
    ['user.create-variable', 'user', given.owner.id],
    ['user.update-variable', 'user', given.owner.id],
  ])
})

test("changes only the user's own variable, not one of the same name of another user", async () => {
  await given.program.license(given.key)
  await write('theme', 'dark')
  const [otherKey = ''] = await newLicenses(given.owner, 1)
  const other = await Program.of(given.app, given.owner)
  await other.init()
  await other.license(otherKey)
  await write('theme', 'pink', other)
  expect(await read('theme')).toBe('dark')
})

test('changes no variable of a later user of the same name', async () => {
  await given.program.license(given.key)
  await replaceUser(given)
  expect(await write('theme', 'dark')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
  expect(await rows()).toEqual([])
})

test('20 programs that set one name concurrently all succeed, and one value stays', async () => {
  await given.program.license(given.key)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => write('raced', String(n))))
  expect(answers.every(({ body }) => body.success)).toBe(true)
  expect(Number(await read('raced'))).toBeLessThan(20)
})

test('rejects programs without sign-in or access, and writes nothing', async () => {
  expect((await write('theme', 'dark')).body.code).toBe('NOT_SIGNED_IN')
  await given.program.license(given.key)
  await given.asOwner('toggle_pause_user', { username: given.key })
  expect((await write('theme', 'dark')).body.code).toBe('USER_PAUSED')
  await given.asOwner('toggle_pause_user', { username: given.key })
  await given.program.init()
  await given.program.license(given.key)
  expect(await read('theme')).toBeUndefined()
})

test.each<[string, object]>([
  ['no value', { name: 'x' }],
  ['a number', { name: 'x', value: 5 }],
  ['an empty value', { name: 'x', value: '' }],
  ['an empty name', { name: '', value: 'x' }],
  ['a name that is no field', { name: '__proto__', value: 'x' }],
  ['an invisible name', { name: 'a\u202Eb', value: 'x' }],
  ['a name that is too long', { name: 'n'.repeat(101), value: 'x' }],
  ['a value that is too long', { name: 'x', value: 'v'.repeat(10_001) }],
  ['a NUL', { name: 'x', value: 'a\0b' }],
])('rejects %s', async (_, body) => {
  await given.program.license(given.key)
  expect((await given.program.send('set-user-variable', body)).status).toBe(400)
})
