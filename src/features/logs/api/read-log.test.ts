import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { logSignIns } from '#testing/log-rows.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await logSignIns(app, owner, 3)
})
afterAll(() => app.close())

const read = (id: number | string, query = {}, by = owner) =>
  by.visitor.call('GET /log/{id}', { params: { id: String(id) }, query })
const listed = async (by = owner) => (await by.visitor.call('GET /logs')).body.logs

test('an ID that is no number or has no entry finds nothing', async () => {
  for (const id of ['x', '0', '-1', '1.5', '1e3', ' 1', '9'.repeat(16), '999999999999999', '%27'])
    expectRejected(await read(id), id, 404)
  for (const path of ['9'.repeat(21), 'NUL%00', '%E0%A4%A', '1?noSuchField=1'])
    expectRejected(await owner.visitor.send('GET', `/api/1.0/website/log/${path}`), path)
})

test('an entry is read as the list has it', async () => {
  const entries = await listed()
  expect(entries).toHaveLength(3)
  for (const entry of entries) expect((await read(entry.id)).body.log).toEqual(entry)
})

test('an entry of another owner or of another app looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const [{ id = 0 } = {}] = await listed()
  expectRejected(await app.visitor().send('GET', `/api/1.0/website/log/${id}`), 'without a session', 401)
  const foreign = await read(id, {}, stranger)
  expectRejected(foreign, 'foreign', 404)
  expect(seen(foreign)).toBe(seen(await read(999_999_999_999_999, {}, stranger)))
  const other = await owner.visitor.call('POST /create_app', { body: { appName: `Other ${owner.appName}` } })
  expectRejected(await read(id, { appId: other.body.appId }), 'of another app', 404)
  expect((await read(id, { appId: owner.appId })).body.log.id).toBe(id)
})
