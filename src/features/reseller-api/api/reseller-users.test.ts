import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test("a user who redeemed the reseller's license is listed, and the machine can be unbound", async () => {
  const { visitor, appName, owner, sell } = await newSellingReseller(app)
  const { licenses } = (await sell()).body as unknown as { licenses: string[] }
  const [key = ''] = licenses
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const users = async () => (await visitor.call('GET /reseller/users', { query: { appName } })).body.users
  const whole = await visitor.call('GET /reseller/users', { query: { appName } })
  expect(whole.body).toMatchObject({ limit: 1000, totalPages: 1 })
  expect(await users()).toMatchObject([{ username: key, status: 'Active', hasActiveSubscription: true }])
  const input = { params: { u: key }, body: { appName } }
  const { body } = await visitor.call('POST /reseller/users/{u}/reset-hwid', input)
  expect(body.message).toBe('HWID reset successfully')
  expect(await users()).toMatchObject([{ hwid: '' }])
})

const redeem = async ({ owner, sell }: SellingReseller): Promise<string> => {
  const { licenses } = (await sell()).body as unknown as { licenses: string[] }
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(licenses[0] ?? '')
  return licenses[0] ?? ''
}

test("pages go from newest to oldest, and a search finds only the reseller's users (R-TEN-06)", async () => {
  const one = await newSellingReseller(app)
  const other = await newSellingReseller(app, {}, one.owner)
  const own: string[] = []
  for (const reseller of [one, other, one, one, other, one, one]) {
    const key = await redeem(reseller)
    if (reseller === one) own.unshift(key)
  }
  const list = async (query: { page?: number; limit?: number; search?: string }) => {
    const { body } = await one.visitor.call('GET /reseller/users', { query: { appName: one.appName, ...query } })
    return [body.total, ...body.users.map(({ username }) => username)]
  }
  for (const search of [undefined, '-'])
    for (const [page, shown] of [own.slice(0, 2), own.slice(2, 4), own.slice(4), []].entries())
      expect(await list({ page: page + 1, limit: 2, ...(search && { search }) })).toEqual([5, ...shown])
  expect(await list({ search: own[3] ?? '' })).toEqual([1, own[3]])
  const foreign = await redeem(other)
  expect(await list({ search: foreign })).toEqual([0])
})
