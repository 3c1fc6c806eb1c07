import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBulkRows, runBulk, runBulkOnce } from '#server/bulk/bulk.ts'
import { ownerContext } from '#testing/people/owner-context.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { deleteAction, licenseRows } from './bulk-licenses.actions.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const context = () => ownerContext({ id: owner.appId, ownerId: owner.id, name: owner.appName }, app.now())

test.each(['batch after batch', 'in one transaction'])(
  'a license that is redeemed between list and lock is not deleted as an unused one: %s (R-LIC-07)',
  async (way) => {
    const [sold = '', ...others] = await newLicenses(owner, 3)
    const program = await Program.of(app, owner)
    await program.init()
    const rows = licenseRows(app.db, context())
    const bulk = {
      db: app.db,
      context: context(),
      action: deleteAction(context(), { withUsers: false, refund: true }),
      target: { filter: { status: 'unused' as const }, expectedCount: 3 },
      rows: {
        ...rows,
        // A customer pays while the bulk action is running.
        list: async (...page: Parameters<typeof rows.list>) => {
          const listed = await rows.list(...page)
          await program.license(sold)
          return listed
        },
      },
    }
    const report =
      way === 'batch after batch'
        ? await runBulk(bulk)
        : await findBulkRows(bulk.rows, bulk.target).then((found) => app.db.write((tx) => runBulkOnce(tx, bulk, found)))
    expect(report).toMatchObject({ done: 2, failed: 0 })
    const { licenses } = (await owner.visitor.call('GET /licenses')).body
    const left = licenses.map(({ license }) => license)
    expect(left).toContain(sold)
    for (const other of others) expect(left).not.toContain(other)
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: sold } })
  },
)
