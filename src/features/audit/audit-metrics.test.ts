import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { auditSealer } from './audit-chain.ts'

const metricsToken = 'a-token-of-this-test-alone'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ config: { metricsToken } })
})
afterAll(() => app.close())

const unsealedSeconds = async () => {
  const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const [, value] = /^signet_audit_unsealed_seconds (\S+)$/m.exec(await answer.text()) ?? []
  return value === undefined ? undefined : Number(value)
}

test('an action that nobody seals is seen, and by its age', async () => {
  await newOwner(app)
  const setMac = (mac: string) => app.db.write(({ db }) => db.updateTable('audit_head').set({ mac }).execute())
  const sealer = auditSealer(app.services)
  await sealer.seal()
  expect(await unsealedSeconds()).toBe(0)
  const { mac } = await app.db.read.selectFrom('audit_head').select('mac').executeTakeFirstOrThrow()
  // As if somebody had changed the end of the chain: this server does not extend a head it did not sign.
  await setMac('forged')
  await newOwner(app)
  app.advance(70)
  await sealer.seal()
  expect(await unsealedSeconds()).toBe(70)
  await setMac(mac)
  await sealer.seal()
  expect(await unsealedSeconds()).toBe(0)
})
