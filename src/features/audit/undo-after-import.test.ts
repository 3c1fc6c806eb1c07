import { afterAll, beforeAll, expect, test } from 'vitest'
import { entriesOf, undoEntry } from '#testing/people/audit-entries.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { imported, undoImport } from '#testing/people/imported.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a ban is not taken back by its entry once an import has overwritten its target, or was undone', async () => {
  const owner = await newOwnerWithApp(app)
  const { visitor } = owner
  const [key = ''] = await newLicenses(owner, 1)
  for (const username of ['ann', 'bea', 'cleo']) {
    await newUser(owner, username)
    await visitor.call('POST /toggle_ban_user', { body: { username, banned: true } })
  }
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
  await imported(owner, { licenses: [{ key, level: '1', duration: '30', status: 'banned' }] })
  const overwritten = (username: string) => imported(owner, { users: [{ username, banned: 'yes', subscriptions: [] }] })
  await overwritten('ann')
  await undoImport(owner, await overwritten('bea'))
  const bans = [...(await entriesOf(owner, { act: 'user.ban' })), ...(await entriesOf(owner, { act: 'license.ban' }))]
  expect(bans.map(({ target, undo }) => [target, undo?.kind])).toEqual([
    ['cleo', 'entry'],
    ['bea', undefined],
    ['ann', undefined],
    [key, undefined],
  ])
  for (const { id, target } of bans.slice(1))
    expect((await undoEntry(owner, id)).body, target).toMatchObject({ code: 'UNDO_NOT_FOUND' })
  expect(await userOf(owner, 'ann')).toMatchObject({ banned: true })
})
