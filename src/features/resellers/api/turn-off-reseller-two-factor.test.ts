import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newOwnerWithApp, verifyAgain } from '#testing/people/people.ts'
import { newReseller, newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { turnOnResellerTwoFactor } from '#testing/people/two-factor.ts'

let app: TestApp
let server: MailServer

beforeAll(async () => {
  app = await startTestApp()
  server = await startMailServer()
  await turnMailOn(app, server)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const turnOff = ({ owner, id }: Pick<SellingReseller, 'owner' | 'id'>) =>
  owner.visitor.call('POST /resellers/{id}/two-factor/disable', { params: { id } })

test('a reseller who lost the phone and the codes signs in with the password once the owner turns it off', async () => {
  const reseller = await newSellingReseller(app)
  const { owner, id, username } = reseller
  await turnOnResellerTwoFactor(app, reseller)
  const shown = async () => (await owner.visitor.call('GET /resellers/{id}', { params: { id } })).body.reseller
  expect(await shown()).toMatchObject({ twoFactor: true })
  const login = () => app.visitor().call('POST /login', { body: { username, password: resellerPassword } })
  const { pendingToken = '' } = (await login()).body
  await app.jobsDone()
  server.mails.length = 0
  expect((await turnOff(reseller)).body.code).toBe('TWO_FACTOR_OFF_OK')
  expect(await shown()).toMatchObject({ twoFactor: false })
  await app.jobsDone()
  expect(server.mails.map(({ subject, recipients }) => [subject, recipients[0]])).toEqual([
    ['Two-factor authentication is off at Signet', `${username}@example.com`],
  ])
  const body = { pendingToken, code: '123456' }
  expect((await app.visitor().call('POST /login/two-factor', { body })).body.code).toBe('SIGN_IN_ENDED')
  expect((await login()).body.code).toBe('LOGIN_OK')
  const { entries } = (await owner.visitor.call('GET /audit')).body
  const entry = entries.find(({ act }) => act === 'reseller.two-factor-off')
  expect(entry).toMatchObject({ actor: { type: 'owner' }, target: username })
})

test("if it isn't on, or the reseller isn't set up, there is nothing to turn off", async () => {
  const reseller = await newSellingReseller(app)
  const before = await databaseDigest(app.db)
  expect([(await turnOff(reseller)).status, (await turnOff(reseller)).body.code]).toEqual([409, 'TWO_FACTOR_OFF'])
  expect(await databaseDigest(app.db)).toBe(before)
  const { id } = await newReseller(app, reseller.owner)
  expect((await turnOff({ owner: reseller.owner, id })).body.code).toBe('TWO_FACTOR_OFF')
})

test('needs a recent verification, and reveals nothing about another owner’s reseller (R-SES-08, R-TEN-02)', async () => {
  const reseller = await newSellingReseller(app)
  const { owner, id } = reseller
  await turnOnResellerTwoFactor(app, reseller)
  const stranger = await newOwnerWithApp(app)
  expect((await turnOff({ owner: stranger, id })).body.code).toBe('RESELLER_NOT_FOUND')
  app.advance(301)
  const before = await databaseDigest(app.db)
  expect((await turnOff(reseller)).body.code).toBe('REAUTH_REQUIRED')
  expect(await databaseDigest(app.db)).toBe(before)
  await verifyAgain(owner)
  expect((await turnOff(reseller)).status).toBe(200)
})
