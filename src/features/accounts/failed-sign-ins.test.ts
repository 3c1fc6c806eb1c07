import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { goodPassword, newOwner } from '#testing/people/people.ts'
import { setAccountBanned, setPlatform } from '#testing/platform.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'

/** Failed authentication is recorded, and the records do not change. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  await setPlatform(app, 'security', { enable2FA: true })
})
beforeEach(() => app.advance(1800))
afterAll(() => app.close())

const auditOf = async (ownerId: string) => {
  const rows = app.db.read.selectFrom('audit').selectAll().where('owner_id', '=', ownerId).orderBy('id')
  return (await rows.execute()).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as object }))
}
const failuresOf = async (ownerId: string) =>
  (await auditOf(ownerId)).filter(({ act }) => act.endsWith('-failed')).map(({ act, details }) => ({ act, ...details }))
const login = (username: string, password: string) =>
  app.visitor().send('POST', '/api/1.0/website/login', {
    body: { username, password },
    headers: { 'user-agent': 'Some Browser 1.0' },
  })

describe('failed sign-ins (R-LOG-01)', () => {
  test('each leaves one row with whose account, from where and why, and never what was typed', async () => {
    const owner = await newOwner(app)
    const answer = await login(owner.username, 'Wrong7Guess')
    expect((await auditOf(owner.id)).at(-1)).toMatchObject({
      at: app.now(),
      act: 'account.login-failed',
      actor_type: 'anyone',
      actor_id: '',
      target: owner.username,
      ip: '127.0.0.1',
      request_id: answer.body.requestId,
      details: { reason: 'password', userAgent: 'Some Browser 1.0' },
    })
    expect(JSON.stringify(await auditOf(owner.id))).not.toContain('Wrong7Guess')
  })

  test('a name that nobody has may be a password in the wrong field, so it is not written down', async () => {
    const typed = 'MyOwn7Password'
    await login(typed, 'x')
    const rows = await auditOf('')
    expect(rows.at(-1)).toMatchObject({ act: 'account.login-failed', target: '' })
    expect(JSON.stringify(rows)).not.toContain(typed)
  })

  test('so do a wrong code, a ban, and a wrong password or code of somebody who is signed in', async () => {
    const owner = await newOwner(app)
    const { authenticator } = await turnOnTwoFactor(app, owner)
    const { body } = await login(owner.username, goodPassword)
    const guess = { pendingToken: String(body['pendingToken']), code: authenticator.wrongCode() }
    await app.visitor().call('POST /login/two-factor', { body: guess })
    await owner.visitor.call('POST /profile/reauthenticate', { body: { password: 'Wrong7Guess' } })
    const wrong = { password: goodPassword, code: authenticator.wrongCode() }
    await owner.visitor.call('POST /profile/reauthenticate', { body: wrong })
    const change = { currentPassword: 'Wrong7Guess', newPassword: 'Different8Donkey' }
    await owner.visitor.call('POST /profile/change-password', { body: change })
    await setAccountBanned(app, owner.id, true)
    await login(owner.username, goodPassword)
    expect(await failuresOf(owner.id)).toMatchObject([
      { act: 'account.login-failed', reason: 'code' },
      { act: 'account.proof-failed', reason: 'password' },
      { act: 'account.proof-failed', reason: 'code' },
      { act: 'account.proof-failed', reason: 'password' },
      { act: 'account.login-failed', reason: 'banned' },
    ])
  })

  test('attempts that wait for the cooldown leave none: nobody fills the disk with them', async () => {
    const owner = await newOwner(app)
    for (let n = 0; n < 12; n++) await login(owner.username, `Wrong${n}Guess`)
    expect(await failuresOf(owner.id)).toHaveLength(5)
  })
})

describe('the audit only grows (R-LOG-02)', () => {
  const change = (statement: ReturnType<typeof sql>) => app.db.write((tx) => statement.execute(tx.db))

  const statements: [string, () => ReturnType<typeof sql>][] = [
    ['delete', () => sql`delete from audit`],
    ['another action', () => sql`update audit set act = 'nothing'`],
    ['another time', () => sql`update audit set at = 0`],
    ['somebody else', () => sql`update audit set actor_id = 'x', owner_id = 'x'`],
    ['another target', () => sql`update audit set target = 'somebody else'`],
    ['other details', () => sql`update audit set details = '{"reason":"code"}'`],
    ['another address', () => sql`update audit set ip = '192.0.2.1'`],
    ['another request', () => sql`update audit set request_id = 'x'`],
  ]
  if (testEngine === 'postgres') statements.push(['truncate', () => sql`truncate audit`])
  test.each(statements)('%s is rejected by the database itself', async (_, statement) => {
    await newOwner(app)
    // Sealing adds the position in the chain at an unknown time.
    const rows = async () =>
      (await app.db.read.selectFrom('audit').selectAll().orderBy('id').execute()).map((row) => ({
        ...row,
        seq: undefined,
        hash: undefined,
      }))
    const before = await rows()
    await expect(change(statement())).rejects.toThrow(/audit rows are never/)
    expect(await rows()).toEqual(before)
  })

  test('what names a person may be redacted, and nothing else with it (R-PII-01)', async () => {
    const { id } = await newOwner(app)
    await change(sql`update audit set target = '', ip = '', details = '{}' where owner_id = ${id}`)
    expect(await auditOf(id)).toMatchObject([
      { act: 'account.register', actor_id: id, target: '', ip: '', details: {} },
    ])
  })
})
