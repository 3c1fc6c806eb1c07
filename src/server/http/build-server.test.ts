import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallDefinition, defineCall } from '#contract/define-call.ts'
import { reply } from '#contract/fields.ts'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'
import { features } from '#features.ts'
import { buildServer } from './build-server.ts'
import { endpoint, type Feature } from './endpoint.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const planted = defineCall('GET /planted', {
  access: 'admin',
  summary: 'A call that only this test has.',
  reply: reply({ seen: Type.Boolean() }),
})

function featureOf(call: CallDefinition): Feature {
  const built = endpoint(call as typeof planted, { read: async () => ({ seen: true }) })
  return { name: 'planted', contract: { planted: call }, endpoints: [built] }
}

const serverWith = (call: CallDefinition) =>
  buildServer({ services: app.services, features: [...features, featureOf(call)] })

describe('an incomplete call definition stops the start', () => {
  test.each<[string, object, RegExp]>([
    ['who may call it (R-TEN-01)', { access: undefined }, /doesn't say who may call it/],
    ['a guard that exists (R-TEN-01)', { access: 'everybody' }, /doesn't say who may call it/],
    ['a scope, for a seller key (R-SK-03)', { access: 'seller-key', area: 'seller' }, /which scope it needs/],
    ['one kind of caller alone', { access: 'seller-key' }, /mixes seller keys with sessions/],
    ['an address of its own', { path: '/apps', access: 'account' }, /stands twice/],
  ])('%s', async (_name, change, text) => {
    await expect(serverWith({ ...planted, ...change } as CallDefinition)).rejects.toThrow(text)
  })
})

test('only administrators can make administrator calls: others get 403 or 401, recorded in the audit (R-TEN-09, R-LOG-01)', async () => {
  const owner = await newOwner(app)
  const server = await serverWith(planted)
  try {
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    const visitor = new Visitor(url)
    const call = () => visitor.send('GET', '/api/1.0/website/planted')
    expect((await call()).status).toBe(401)
    await visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
    expect(await call()).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    const rows = app.db.read.selectFrom('audit').select(['actor_id', 'target']).where('act', '=', 'access.denied')
    expect(await rows.execute()).toEqual([{ actor_id: owner.id, target: 'GET /planted' }])
    await app.db.write(({ db: trx }) =>
      trx.updateTable('accounts').set({ role: 'admin' }).where('id', '=', owner.id).execute(),
    )
    expect(await call()).toMatchObject({ status: 200, body: { seen: true } })
  } finally {
    await server.close()
  }
})

test('closes connections that send a head or a body too slowly, and idle ones', async () => {
  const { server } = await serverWith(planted)
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 15_000 })
})
