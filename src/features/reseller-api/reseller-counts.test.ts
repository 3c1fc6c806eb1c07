import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The counts in a reseller's lists match the rows after any actions of the reseller, the owner and programs. */

let app: TestApp
let resellers: SellingReseller[]
let program: Program
/** One program per end user who redeems more than one license. */
let customers: Program[]

beforeAll(async () => {
  app = await startTestApp()
  const one = await newSellingReseller(app, { credits: 1_000_000 })
  resellers = [one, await newSellingReseller(app, { credits: 1_000_000 }, one.owner)]
  program = await Program.of(app, one.owner)
  customers = await Promise.all([1, 2].map(() => Program.of(app, one.owner)))
})
afterAll(() => app.close())

const reseller = (at: number) => resellers[at % resellers.length] as SellingReseller
const owner = () => reseller(0).owner

const rows = () =>
  app.db.read.selectFrom('licenses').selectAll().where('app_id', '=', owner().appId).orderBy('id').execute()
const userIds = async () => {
  const users = await app.db.read.selectFrom('users').select('id').where('app_id', '=', owner().appId).execute()
  return new Set(users.map(({ id }) => id))
}

/** Compares one reseller's lists, all pages together, and totals with the rows. */
async function expectTrueCounts({ id, visitor, appName }: SellingReseller): Promise<void> {
  const own = (await rows()).filter((row) => row.reseller_id === id)
  const users = await userIds()
  const redeemers = new Set(own.flatMap(({ used_by_user_id: user }) => (user && users.has(user) ? [user] : [])))
  const isCounted = (counted: number) => own.filter((row) => row.used + 2 * row.banned === counted).length
  const stored = await app.db.read.selectFrom('reseller_counts').selectAll().where('reseller_id', '=', id).execute()
  const sum = (counted: number) =>
    stored.filter((row) => row.counted === counted).reduce((total, { count }) => total + Number(count), 0)
  expect([0, 1, 2, 3, 4].map(sum)).toEqual([...[0, 1, 2, 3].map(isCounted), redeemers.size])
  const { body: stats } = await visitor.call('GET /reseller/licenses/stats', { query: { appName } })
  const used = own.filter((row) => row.used === 1).length
  expect(stats.stats).toMatchObject({ total: own.length, used })
  const { body: licenses } = await visitor.call('GET /reseller/licenses', { query: { appName, limit: 100 } })
  expect(licenses.total).toBe(own.length)
  expect(licenses.licenses.map(({ license }) => license)).toEqual(
    own
      .toReversed()
      .slice(0, 100)
      .map(({ license }) => license),
  )
  const { body: listed } = await visitor.call('GET /reseller/users', { query: { appName, limit: 100 } })
  expect([listed.total, listed.users.length]).toEqual([redeemers.size, redeemers.size])
  const { body: described } = await owner().visitor.call('GET /resellers/{id}', { params: { id } })
  expect(described.reseller.stats).toMatchObject(stats.stats)
}

const steps = [
  'sell',
  'owner creates',
  'redeem',
  'upgrade',
  'ban',
  'unban',
  'bulk ban',
  'bulk unban',
  'refund',
  'delete with user',
  'delete',
  'bulk delete',
  'delete user',
  'add time',
] as const

async function perform(step: (typeof steps)[number], at: number): Promise<void> {
  const keys = (await rows()).map(({ license }) => license)
  const licenseKey = keys[at % Math.max(1, keys.length)] ?? 'none'
  const some = keys.slice(0, (at % 5) + 1)
  const { visitor, appName } = owner()
  if (step === 'sell') await reseller(at).sell({ amount: (at % 3) + 1 })
  else if (step === 'owner creates') await newLicenses(owner(), 1)
  else if (step === 'redeem') await program.license(licenseKey)
  else if (step === 'upgrade') await customers[at % customers.length]?.send('upgrade', { licenseKey })
  else if (step === 'ban' || step === 'unban')
    await visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned: step === 'ban' } })
  else if (step === 'refund')
    await reseller(at).visitor.call('DELETE /reseller/licenses/{id}', {
      params: { id: licenseKey },
      query: { appName },
    })
  else if (step === 'delete' || step === 'delete with user')
    await visitor.call('POST /delete_license', { body: { licenseKey, deleteUsers: step !== 'delete' } })
  else if (step === 'delete user') {
    const names = await app.db.read.selectFrom('users').select('username').orderBy('id').execute()
    const username = names[at % Math.max(1, names.length)]?.username ?? 'none'
    await visitor.call('POST /delete_user', { body: { username } })
  } else if (step === 'add time')
    await visitor.call('POST /add_time_licenses', { body: { licenses: some, expiryUnit: 'days', duration: 1 } })
  else {
    const action = step === 'bulk ban' ? 'ban' : step === 'bulk unban' ? 'unban' : 'delete'
    await visitor.call('POST /licenses/bulk', { body: { action, licenses: some } })
  }
}

const sequences = fc.array(fc.record({ step: fc.constantFrom(...steps), at: fc.nat(50) }), {
  minLength: 8,
  maxLength: 25,
})

/** Two customers with a license each: one to upgrade and one to delete. */
async function newScene(): Promise<void> {
  app.advance(60)
  await program.init()
  await reseller(1).sell({ amount: 2 })
  for (const [at, customer] of customers.entries()) {
    const { licenses } = (await reseller(at).sell({ amount: 2 })).body as unknown as { licenses: string[] }
    await customer.init()
    await customer.license(licenses[0] ?? '')
  }
}

test('after any actions, one after the other, the counts of each reseller are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      await newScene()
      for (const { step, at } of sequence) await perform(step, at)
      for (const each of resellers) await expectTrueCounts(each)
    }),
    { numRuns: 15 },
  )
})

test('after any actions at once the counts of each reseller are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      await newScene()
      await Promise.all(sequence.map(({ step, at }) => perform(step, at)))
      for (const each of resellers) await expectTrueCounts(each)
    }),
    { numRuns: 15 },
  )
})

test('a user of two own licenses counts once, until the last of them is gone', async () => {
  const { visitor, sell, owner: of, appName } = await newSellingReseller(app)
  const { licenses } = (await sell({ amount: 2 })).body as unknown as { licenses: string[] }
  const [first = '', second = ''] = licenses
  const customer = await Program.of(app, of)
  await customer.init()
  await customer.license(first)
  expect((await customer.send('upgrade', { licenseKey: second })).status).toBe(200)
  const total = async () => (await visitor.call('GET /reseller/users', { query: { appName } })).body.total
  const remove = (licenseKey: string) =>
    of.visitor.call('POST /delete_license', { body: { licenseKey, deleteUsers: false } })
  expect(await total()).toBe(1)
  await remove(first)
  expect(await total()).toBe(1)
  await remove(second)
  expect(await total()).toBe(0)
})

test('a user whom the owner deletes is not counted among those who redeemed own licenses', async () => {
  const { visitor, sell, owner: of, appName } = await newSellingReseller(app)
  const { licenses } = (await sell()).body as unknown as { licenses: string[] }
  const [username = ''] = licenses
  const customer = await Program.of(app, of)
  await customer.init()
  await customer.license(username)
  const list = async () => (await visitor.call('GET /reseller/users', { query: { appName } })).body
  expect(await list()).toMatchObject({ total: 1, users: [{ username }] })
  await of.visitor.call('POST /delete_user', { body: { username } })
  expect(await list()).toMatchObject({ total: 0, users: [], totalPages: 1 })
})
