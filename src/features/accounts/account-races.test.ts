import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#database/database.ts'
import { replaceResets } from '#server/auth/reset-tokens.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { newOwnerWithTwoFactor } from '#testing/people/two-factor.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { eraseAccount, lockOwner, setOwnerBanned } from './accounts.actions.ts'

let app: TestApp
let owner: Owner
const newPassword = 'Different8Donkey'

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(3600)
  owner = await newOwner(app)
})

const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** The reply to a call that was accepted before `act`, and whose transaction waits for that of `act`. */
async function waitingFor<T>(act: (tx: Tx) => Promise<unknown>, call: () => Promise<T>): Promise<T> {
  const { reply } = await app.db.write(async (tx) => {
    await act(tx)
    const sent = call()
    // On SQLite, transactions run one after the other.
    if (app.db.engine === 'postgres')
      await expect.poll(async () => (await waiting.execute(app.db.read)).rows.length).toBeGreaterThan(0)
    return { reply: sent }
  })
  return reply
}

describe('a call that waits while its account', () => {
  test('is banned starts no session with a new password', async () => {
    const body = { currentPassword: owner.password, newPassword }
    const { status } = await waitingFor(
      async (tx) => setOwnerBanned(tx, await lockOwner(tx, owner.id), true),
      () => owner.visitor.call('POST /profile/change-password', { body }),
    )
    expect(status).toBe(401)
    await setAccountBanned(app, owner.id, false)
    expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
  })

  test('is banned gives it no address, and its resellers none', async () => {
    const { body } = await owner.visitor.call('POST /resellers/create', { body: { username: `${owner.username}_r` } })
    const email = `moved${app.now()}@example.com`
    const ban = async (tx: Tx) => setOwnerBanned(tx, await lockOwner(tx, owner.id), true)
    const own = await waitingFor(ban, () => owner.visitor.call('POST /profile/update', { body: { email } }))
    expect(own.status).toBe(401)
    await setAccountBanned(app, owner.id, false)
    await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
    const params = { id: body.reseller.id }
    const theirs = await waitingFor(ban, () => owner.visitor.call('PUT /resellers/{id}', { params, body: { email } }))
    expect(theirs.status).toBe(401)
    const [account, reseller] = await Promise.all([
      app.db.read.selectFrom('accounts').select('email').where('id', '=', owner.id).executeTakeFirstOrThrow(),
      app.db.read.selectFrom('resellers').select('email').where('id', '=', params.id).executeTakeFirstOrThrow(),
    ])
    expect([account.email, reseller.email]).toEqual([`${owner.username}@example.com`, null])
  })

  test('is deleted gives it no address again', async () => {
    const email = `moved${app.now()}@example.com`
    const { status } = await waitingFor(
      (tx) => eraseAccount(tx, owner.id),
      () => owner.visitor.call('POST /profile/update', { body: { email } }),
    )
    expect(status).toBe(401)
    const rows = app.db.read.selectFrom('accounts').select('id').where('email', '=', email)
    expect(await rows.execute()).toEqual([])
  })
})

test('sign-ins and changes with the old password leave no session after a reset at that time', async () => {
  const token = await app.db.write(async (tx) => {
    await lockOwner(tx, owner.id)
    return (await replaceResets(tx, { kind: 'account', id: owner.id }, app.now())).token
  })
  const visitors = Array.from({ length: 4 }, () => app.visitor())
  const { username, password } = owner
  const change = { currentPassword: password, newPassword: 'Third9Zebra' }
  const [{ status }, ...others] = await Promise.all([
    app.visitor().call('POST /reset-password', { body: { token, newPassword } }),
    ...visitors.map((each) => each.call('POST /login', { body: { username, password } })),
    owner.visitor.call('POST /profile/change-password', { body: change }),
  ])
  expect(others.filter((each) => each.status >= 500)).toEqual([])
  // A change of the password first invalidates the link.
  const current = status === 200 ? newPassword : change.newPassword
  for (const each of visitors) expect((await each.call('GET /check-auth')).status).toBe(401)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(status === 200 ? 401 : 200)
  const login = await app.visitor().call('POST /login', { body: { username, password: current } })
  expect(login.status).toBe(200)
})

test.each(['recoveryCode', 'code'] as const)('of four sign-ins that wait for a %s, one takes it', async (kind) => {
  const { username, password, recoveryCodes, authenticator } = await newOwnerWithTwoFactor(app)
  const signIns = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const visitor = app.visitor()
      const { body } = await visitor.call('POST /login', { body: { username, password } })
      return { visitor, pendingToken: String(body.pendingToken) }
    }),
  )
  const proof = kind === 'code' ? { code: authenticator.code() } : { recoveryCode: String(recoveryCodes[0]) }
  const answers = await Promise.all(
    signIns.map(({ visitor, pendingToken }) =>
      visitor.call('POST /login/two-factor', { body: { pendingToken, ...proof } }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const states = await Promise.all(signIns.map(({ visitor }) => visitor.call('GET /check-auth')))
  expect(states.filter(({ status }) => status === 200)).toHaveLength(1)
})
