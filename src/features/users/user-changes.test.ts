import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { day, newSubscriber, passTime, signedIn, timeLeft, userOf, userPassword } from '#testing/people/end-users.ts'
import { ownerOfFiveUsers, userStatesOf } from '#testing/people/five-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const undo = (owner: OwnedApp, undoId: string | null) =>
  owner.visitor.call('POST /users/undo', { body: { undoId: undoId as string } })

const statesOf = (owner: OwnedApp) => userStatesOf(app, owner)
const ownerOfFive = () => ownerOfFiveUsers(app)

describe('a change of one user', () => {
  type Edit = Calls['POST /edit_user']['body']
  const edit = async (owner: OwnedApp, body: Edit) =>
    (await owner.visitor.call('POST /edit_user', { body })).body.undoId
  const end = async (owner: OwnedApp, username: string, body: { duration?: number; expiry?: number | null }) =>
    (await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params: { username, id: 1 }, body })).body
      .undoId
  const grant = async (owner: OwnedApp, username: string, body: { level: number; duration: number }) =>
    (await owner.visitor.call('POST /user/{username}/subscriptions', { params: { username }, body })).body.undoId

  test('time, a subscription, a machine, and an email address come back once, whoever of two calls is first', async () => {
    const { owner, names } = await ownerOfFive()
    const { bound, paused, without } = names
    const changes = [
      () => end(owner, bound, { duration: 300 }),
      () => end(owner, paused, { expiry: null }),
      () => grant(owner, without, { level: 2, duration: 7 }),
      () => edit(owner, { username: bound, email: 'new@example.com', hwid: 'another-machine-4711' }),
      () => edit(owner, { username: bound, hwid: '' }),
      async () => (await owner.visitor.call('POST /reset_user_hwid', { body: { username: bound } })).body.undoId,
    ]
    for (const change of changes) {
      const before = [await statesOf(owner), await userOf(owner, bound)]
      const undoId = await change()
      expect([await statesOf(owner), await userOf(owner, bound)]).not.toEqual(before)
      const answers = await Promise.all([undo(owner, undoId), undo(owner, undoId)])
      expect(answers.map(({ body }) => body.restored).toSorted()).toEqual([0, 1])
      expect([await statesOf(owner), await userOf(owner, bound)]).toEqual(before)
    }
  })

  test('an expired subscription is expired again, but not one of a license deleted since', async () => {
    const owner = await newOwnerWithApp(app)
    const keys = await newLicenses(owner, 2)
    const granted: (string | null)[] = []
    for (const key of keys) {
      const program = await Program.of(app, owner)
      await program.init()
      expect((await program.license(key)).body['success']).toBe(true)
      await end(owner, key, { expiry: app.now() })
    }
    await passTime(app, owner, 60)
    const before = await statesOf(owner)
    for (const key of keys) granted.push(await grant(owner, key, { level: 1, duration: 5 }))
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: keys[1] as string, deleteUsers: false } })
    expect((await undo(owner, granted[1] ?? null)).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect((await undo(owner, granted[0] ?? null)).body).toMatchObject({ restored: 1, failed: 0 })
    const { entitlements } = await statesOf(owner)
    expect(entitlements[0]).toEqual(before.entitlements[0])
    expect(entitlements[1]).toMatchObject({ license_id: null })
  })

  test('stays when the user was changed or deleted since, and comes back after a change of something else', async () => {
    const { owner, names } = await ownerOfFive()
    const { bound, banned, lifetime, without } = names
    const changed = [
      await end(owner, bound, { duration: 300 }),
      await grant(owner, without, { level: 1, duration: 7 }),
      await edit(owner, { username: banned, email: 'one@example.com' }),
      await edit(owner, { username: lifetime, email: 'gone@example.com' }),
    ]
    await end(owner, bound, { duration: 301 })
    await end(owner, without, { duration: 8 })
    await edit(owner, { username: banned, email: 'two@example.com' })
    await owner.visitor.call('POST /delete_user', { body: { username: lifetime } })
    const before = await statesOf(owner)
    for (const undoId of changed) expect((await undo(owner, undoId)).body).toMatchObject({ restored: 0, failed: 1 })
    expect(await statesOf(owner)).toEqual(before)
    expect((await userOf(owner, banned))?.email).toBe('two@example.com')

    const email = await edit(owner, { username: bound, email: 'three@example.com' })
    await owner.visitor.call('POST /reset_user_hwid', { body: { username: bound } })
    expect((await undo(owner, email)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await userOf(owner, bound)).toMatchObject({ email: '', hwid: '' })
  })

  test('gives no undo for a password, for nothing, to another owner, as one of licenses, or later', async () => {
    const { owner, names } = await ownerOfFive()
    const { bound: username, without } = names
    const password = 'Another-password-4711'
    expect(await edit(owner, { username, email: 'new@example.com', password })).toBeNull()
    expect(await edit(owner, { username, email: 'new@example.com' })).toBeNull()
    const reset = await owner.visitor.call('POST /reset_user_hwid', { body: { username: without } })
    expect(reset.body.undoId).toBeNull()
    const undoId = (await end(owner, username, { duration: 300 })) ?? ''
    const before = await statesOf(owner)
    expect((await undo(await newOwnerWithApp(app), undoId)).body.code).toBe('UNDO_NOT_FOUND')
    expect((await owner.visitor.call('POST /licenses/undo', { body: { undoId } })).body.code).toBe('UNDO_NOT_FOUND')
    app.advance(1801)
    expect((await undo(owner, undoId)).body.code).toBe('UNDO_NOT_FOUND')
    expect(await statesOf(owner)).toEqual(before)
  })

  test('a subscription that was removed in a pause has the time left at the pause, in the same one and after it', async () => {
    const owner = await newOwnerWithApp(app)
    const username = await newSubscriber(owner, { days: 30 })
    const pause = (paused: boolean) => owner.visitor.call('POST /toggle_pause_user', { body: { username, paused } })
    const remove = async () => {
      const params = { username, id: 1 }
      return (await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })).body.undoId
    }
    await passTime(app, owner, 20 * day)
    await pause(true)
    await passTime(app, owner, 20 * day)
    for (const paused of [true, false]) {
      const undoId = await remove()
      await pause(paused)
      app.advance(60)
      expect((await undo(owner, undoId)).body).toMatchObject({ restored: 1 })
      expect(await timeLeft(owner, username)).toBe(10 * day)
    }
    const undoId = await remove()
    app.advance(60)
    await pause(true)
    app.advance(60)
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 1 })
    expect(await timeLeft(owner, username)).toBe(10 * day - 60)
  })

  test('the program of a machine that is taken back ends', async () => {
    const owner = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    await signedIn(app, owner, username)
    const undoId = await edit(owner, { username, hwid: 'another-machine-4711' })
    const program = await Program.of(app, owner)
    program.hwid = 'another-machine-4711'
    await program.init()
    expect((await program.login(username, userPassword)).body.success).toBe(true)
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 1 })
    expect((await program.heartbeat()).body.success).toBe(false)
    expect((await (await signedIn(app, owner, username)).heartbeat()).body.success).toBe(true)
  })

  test('the undo of an email address ends no program if the edit named the bound machine as it is', async () => {
    const owner = await newOwnerWithApp(app)
    const username = await newSubscriber(owner)
    const program = await signedIn(app, owner, username)
    const hwid = (await userOf(owner, username))?.hwid ?? ''
    expect(hwid).not.toBe('')
    const undoId = await edit(owner, { username, email: 'new@example.com', hwid })
    expect((await undo(owner, undoId)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await userOf(owner, username)).toMatchObject({ email: '', hwid })
    expect((await program.heartbeat()).body.success).toBe(true)
    const again = await edit(owner, { username, email: 'new@example.com', hwid })
    await owner.visitor.call('POST /reset_user_hwid', { body: { username } })
    expect((await undo(owner, again)).body).toMatchObject({ restored: 1, failed: 0 })
    expect(await userOf(owner, username)).toMatchObject({ email: '', hwid: '' })
  })

  test('with a seller key comes back from the audit', async () => {
    const { owner, names } = await ownerOfFive()
    const { bound } = names
    const seller = await newSeller(app, owner)
    const time = { subscription: 1, duration: 2, unit: 'days' }
    const calls: [act: string, path: string, body: object, method?: string][] = [
      ['user.extend', 'extend', time],
      ['user.subtract', 'subtract', time],
      ['user.pause', 'pause', {}],
      ['user.reset-hwid', 'reset-hwid', {}],
      ['user.edit', '', { email: 'shop@example.com' }, 'PUT'],
      ['user.add-subscription', `subscriptions`, { level: 1, duration: 2 }],
    ]
    for (const [act, path, body, method = 'POST'] of calls) {
      const username = act === 'user.add-subscription' ? names.without : bound
      const before = [await statesOf(owner), await userOf(owner, bound)]
      const said = await seller.send(method, `/users/${username}${path && `/${path}`}`, { body })
      expect(said.status, act).toBe(200)
      const { entries } = (await owner.visitor.call('GET /audit', { query: { act } })).body
      expect((await undo(owner, entries[0]?.undo?.id ?? null)).body, act).toMatchObject({ restored: 1, failed: 0 })
      expect([await statesOf(owner), await userOf(owner, bound)], act).toEqual(before)
    }
  })
})
