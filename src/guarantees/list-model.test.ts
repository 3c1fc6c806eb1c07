import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { alertList } from '#testing/lists/alert-list.ts'
import { licenseList } from '#testing/lists/license-list.ts'
import { expectAsModel, type ListModel, queriesOf, type Scene } from '#testing/lists/list-model.ts'
import { logList } from '#testing/lists/log-list.ts'
import { userList } from '#testing/lists/user-list.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { setSellerLimits } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/**
 * Random rows and random queries: a list, its file, and what an action on the same filter takes are what a simple model
 * says. A failure names its seed and the query.
 */

const seed = 1
const rows = 110

let app: TestApp
let scene: Scene

beforeAll(async () => {
  app = await startTestApp()
  await setSellerLimits(app, 100_000, 100_000)
  const owner = await newOwnerWithApp(app)
  const sample = <T>(each: fc.Arbitrary<T>) => fc.sample(each, { seed, numRuns: rows })
  scene = { app, owner, now: app.now(), sample }
})
afterAll(() => app.close())

async function expectSame<R, F extends object>(list: ListModel<R, F>): Promise<void> {
  const property = fc.asyncProperty(queriesOf(list), (query) => expectAsModel(list, query))
  await fc.assert(property, { seed, numRuns: 60 })
}

test('licenses are listed, exported, and counted for an action as their rules say', { timeout: 60_000 }, async () => {
  await expectSame(await licenseList(scene))
})

test('users are listed, exported, and counted for an action as their rules say', { timeout: 60_000 }, async () => {
  await expectSame(await userList(scene))
})

test('log entries are listed and exported as their rules say', { timeout: 60_000 }, async () => {
  await expectSame(await logList(scene))
})

test('alerts are listed as their rules say', { timeout: 60_000 }, async () => {
  await expectSame(await alertList(scene))
})
