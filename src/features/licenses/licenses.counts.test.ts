import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
  await program.init()
})
afterAll(() => app.close())

async function rows() {
  return app.db.read
    .selectFrom('licenses')
    .select(['license', 'used', 'banned'])
    .where('app_id', '=', owner.appId)
    .orderBy('id')
    .execute()
}

/** Compares the stored counters with counts of the rows. */
async function expectTrueCounts(): Promise<void> {
  const all = await rows()
  const is = (used: number, banned: number) => all.filter((row) => row.used === used && row.banned === banned).length
  const [unused, used, banned] = [is(0, 0), is(1, 0), is(0, 1) + is(1, 1)]
  const stored = await app.db.read
    .selectFrom('license_counts')
    .select(['state', 'count'])
    .where('app_id', '=', owner.appId)
    .execute()
  const sum = (state: number) =>
    stored.filter((row) => row.state === state).reduce((total, { count }) => total + Number(count), 0)
  expect([sum(0), sum(1), sum(2)]).toEqual([unused, used, banned])
  const { body } = await owner.visitor.call('GET /licenses')
  expect(body.counts).toMatchObject({ total: all.length, unused, used, banned })
  expect(body.total).toBe(all.length)
}

const steps = [
  'create',
  'ban',
  'unban',
  'redeem',
  'delete',
  'addTime',
  'edit',
  'bulkBan',
  'bulkUnban',
  'bulkDelete',
  'deleteUsed',
  'deleteUnused',
  'rejected',
] as const

async function perform(step: (typeof steps)[number], at: number): Promise<void> {
  const keys = (await rows()).map(({ license }) => license)
  const licenseKey = keys[at % Math.max(1, keys.length)] ?? 'none'
  const some = keys.slice(0, (at % 5) + 1)
  const { visitor } = owner
  if (step === 'create') await newLicenses(owner, (at % 7) + 1)
  else if (step === 'ban' || step === 'unban')
    await visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned: step === 'ban' } })
  else if (step === 'redeem') await program.license(licenseKey)
  else if (step === 'delete')
    await visitor.call('POST /delete_license', { body: { licenseKey, deleteUsers: at % 2 === 0 } })
  else if (step === 'addTime')
    await visitor.call('POST /add_time_licenses', { body: { licenses: some, expiryUnit: 'days', duration: 1 } })
  else if (step === 'edit') await visitor.call('POST /update_license', { body: { licenseKey, notes: String(at) } })
  else if (step === 'deleteUsed') await visitor.call('POST /delete_used_licenses', { body: {} })
  else if (step === 'deleteUnused') await visitor.call('POST /delete_unused_licenses', { body: {} })
  else if (step === 'rejected') await visitor.call('POST /create_licenses', { body: { amount: 5, subscription: 99 } })
  else {
    const action = step === 'bulkBan' ? 'ban' : step === 'bulkUnban' ? 'unban' : 'delete'
    await visitor.call('POST /licenses/bulk', { body: { action, licenses: some } })
  }
}

const sequences = fc.array(fc.record({ step: fc.constantFrom(...steps), at: fc.nat(50) }), {
  minLength: 8,
  maxLength: 25,
})

test('after any actions, one after the other, the counts are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      app.advance(60)
      await program.init()
      await newLicenses(owner, 5)
      for (const { step, at } of sequence) await perform(step, at)
      await expectTrueCounts()
    }),
    { numRuns: 15 },
  )
})

test('after any actions at once the counts are those of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      app.advance(60)
      await program.init()
      await newLicenses(owner, 5)
      await Promise.all(sequence.map(({ step, at }) => perform(step, at)))
      await expectTrueCounts()
    }),
    { numRuns: 15 },
  )
})
