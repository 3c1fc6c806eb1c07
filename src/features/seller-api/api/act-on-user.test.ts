import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Program } from '#testing/people/program.ts'
import { expectSaleRejected, newShop, type Shop, soldUser } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let shop: Shop
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  shop = await newShop(app)
  program = await Program.of(app, shop.owner)
  await program.init()
})
afterAll(() => app.close())

const actions = ['ban', 'unban', 'pause', 'unpause', 'reset-hwid'] as const
const addresses = {
  ban: (username: string) => `/users/${username}/ban`,
  unban: (username: string) => `/users/${username}/unban`,
  pause: (username: string) => `/users/${username}/pause`,
  unpause: (username: string) => `/users/${username}/unpause`,
  'reset-hwid': (username: string) => `/users/${username}/reset-hwid`,
}
const perform = (username: string, name: (typeof actions)[number]) =>
  shop.seller.send<{
    user: { banned: boolean; paused: boolean; hwid: string; subscriptions: Record<string, { time_left: number }> }
  }>('POST', addresses[name](username))

async function signedIn() {
  const username = await soldUser(shop.seller, { days: 10 })
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
  return username
}

test('a ban rejects the program on its next call, and an unban admits the user again', async () => {
  const username = await signedIn()
  const banned = await perform(username, 'ban')
  expect(banned.body).toMatchObject({
    code: 'USER_BAN_OK',
    message: 'User banned successfully',
    user: { banned: true },
  })
  expect((await program.heartbeat()).body.code).toBe('USER_BANNED')
  const unbanned = await perform(username, 'unban')
  expect(unbanned.body).toMatchObject({
    code: 'USER_UNBAN_OK',
    message: 'User unbanned successfully',
    user: { banned: false },
  })
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
})

test('a pause rejects the program and keeps the time left to the second', async () => {
  const username = await signedIn()
  const paused = await perform(username, 'pause')
  expect(paused.body).toMatchObject({
    code: 'USER_PAUSE_OK',
    message: 'User paused successfully',
    user: { paused: true },
  })
  expect((await program.heartbeat()).body.code).toBe('USER_PAUSED')
  const left = paused.body.user.subscriptions['1']?.time_left
  app.advance(300)
  const unpaused = await perform(username, 'unpause')
  expect(unpaused.body).toMatchObject({
    code: 'USER_UNPAUSE_OK',
    message: 'User unpaused successfully',
    user: { paused: false },
  })
  expect(unpaused.body.user.subscriptions['1']?.time_left).toBe(left)
})

test('a reset allows binding another machine', async () => {
  const username = await signedIn()
  program.hwid = 'another-machine-of-mine'
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.code).toBe('HWID_MISMATCH')
  const reset = await perform(username, 'reset-hwid')
  expect(reset.body).toMatchObject({
    code: 'USER_HWID_RESET_OK',
    message: 'HWID reset successfully',
    user: { hwid: '' },
  })
  await program.init()
  expect((await program.login(username, 'Correct7Horse')).body.success).toBe(true)
})

test('each sets a state: repeating it changes nothing', async () => {
  const username = await soldUser(shop.seller, { days: 10 })
  for (const name of actions) {
    const first = await perform(username, name)
    const second = await perform(username, name)
    expect(second.status).toBe(200)
    expect({ banned: second.body.user.banned, paused: second.body.user.paused }).toEqual({
      banned: first.body.user.banned,
      paused: first.body.user.paused,
    })
  }
})

describe.each(actions)('%s', (name) => {
  test('accepts only an empty body', async () => {
    const username = await soldUser(shop.seller)
    const bodies = [{ banned: true }, { username: 'x' }, { appId: 'x' }, [], 'x', 'null']
    await expectSaleRejected(app, shop.seller, `POST /users/${username}/${name}`, bodies)
  })
})
