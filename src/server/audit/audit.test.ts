import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseRows } from '#testing/database-digest.ts'
import { newAdmin, newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test("an action that can't be recorded doesn't happen: it shares a transaction with its audit row (R-LOG-01)", async () => {
  const admin = await newAdmin(app)
  const other = await newOwner(app)
  const owner = await newOwnerWithApp(app)
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await withoutTable(app.db, 'audit', async () => {
    const before = await databaseRows(app.db)
    const params = { id: other.id }
    const answers = [
      await admin.visitor.call('POST /admin/settings/platform', { body: { settings: { platformName: 'Unwritten' } } }),
      await admin.visitor.call('POST /admin/owners/{id}/ban', { params, body: { banned: true } }),
      await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Free' } }),
      await admin.visitor.call('POST /admin/plans', { body: { name: 'unwritten', displayName: 'Unwritten' } }),
      await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500])
    expect(await databaseRows(app.db)).toEqual(before)
  })
})
