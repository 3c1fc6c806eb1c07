import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueReset } from '#server/auth/reset-tokens.ts'
import { newUser, signedIn, subscribe, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { findUser } from '../users.reads.ts'

/** The flow with an email and a program is tested in `client-api/api/request-password-reset.test.ts`. */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const reset = (token: string, newPassword = 'Another-password') =>
  app.visitor().call('POST /reset-user-password', { body: { token, newPassword } })

async function tokenOf(username: string): Promise<string> {
  const user = await findUser(app.db.read, owner.appId, username)
  const subject = { kind: 'user' as const, id: `${owner.appId}/${user?.id}` }
  return (await app.db.write((tx) => issueReset(tx, subject, app.now()))) ?? ''
}

test('a link of a user who was deleted meanwhile opens nothing', async () => {
  const username = await newUser(owner, 'soon-gone')
  const token = await tokenOf(username)
  await owner.visitor.call('POST /delete_user', { body: { username } })
  expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
})

test('what was never sent is rejected, and so are bodies of other shapes', async () => {
  for (const token of ['x', 'x'.repeat(100), '../', "' or 1=1 --"])
    expect((await reset(token)).body).toMatchObject({ code: 'RESET_LINK_INVALID' })
  const bodies = hostileBodies({ token: 'x', newPassword: 'x' }, { token: [...notTexts, ''], newPassword: notTexts })
  await expectAllRejected(app, app.visitor(), '/reset-user-password', bodies)
})

test('the link names its user alone: nobody else gets the password', async () => {
  const [one, other] = [await newUser(owner, 'first-user'), await newUser(owner, 'second-user')]
  const before = (await findUser(app.db.read, owner.appId, other))?.password_hash
  const token = await tokenOf(one)
  expect((await reset(token, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
  expect((await reset(token)).body.code).toBe('USER_PASSWORD_RESET_OK')
  expect((await findUser(app.db.read, owner.appId, other))?.password_hash).toBe(before)
  expect((await userOf(owner, one))?.username).toBe(one)
})

describe('a link that was sent before', () => {
  const edit = (username: string, change: object) =>
    owner.visitor.call('POST /edit_user', { body: { username, ...change } })
  const importRow = async (username: string) => {
    const file = { kind: 'users', source: 'csv', fileName: 'users.csv', fingerprint: 'ab' } as const
    const start = { body: { ...file, rows: 1, levels: [], onConflict: 'overwrite' as const } }
    const { importId } = (await owner.visitor.call('POST /imports/start', start)).body.import
    const users = [{ row: 1, username, email: 'imported@example.com', subscriptions: [] }]
    await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, users } })
  }

  test.each<[after: string, username: string, change: (username: string) => Promise<unknown>]>([
    ['the owner enters another email address', 'moved', (name) => edit(name, { email: 'other@example.com' })],
    ['the owner sets a password', 'locked-out', (name) => edit(name, { password: 'Set-by-the-owner' })],
    ['an import overwrites the email address', 'imported', importRow],
    [
      'the user changes the password in the program',
      'careful',
      async (name) => {
        await subscribe(owner, name, { days: 1 })
        const program = await signedIn(app, owner, name)
        await program.send('change-password', { password: userPassword, newPassword: 'Changed-by-the-user' })
      },
    ],
  ])('opens nothing once %s', async (_after, name, change) => {
    const username = await newUser(owner, name)
    const token = await tokenOf(username)
    await change(username)
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
  })

  test('opens nothing once an email address that was mistaken is taken back', async () => {
    const username = await newUser(owner, 'mistaken')
    const { undoId } = (await edit(username, { email: 'mistake@example.com' })).body
    const token = await tokenOf(username)
    const { body } = await owner.visitor.call('POST /users/undo', { body: { undoId: undoId ?? '' } })
    expect(body).toMatchObject({ restored: 1 })
    expect((await reset(token)).body.code).toBe('RESET_LINK_INVALID')
  })

  test('still works after an edit that leaves the address and the password as they are', async () => {
    const username = await newUser(owner, 'unmoved')
    const token = await tokenOf(username)
    await edit(username, { email: (await userOf(owner, username))?.email })
    await owner.visitor.call('POST /reset_user_hwid', { body: { username } })
    expect((await reset(token)).body.code).toBe('USER_PASSWORD_RESET_OK')
  })
})
