import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newAlert } from '#testing/busy-app.ts'
import { passTime } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const day = 86_400
let app: TestApp
let owner: OwnedApp
/** Time of the next run of the job. */
let cleanupAt: number

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  cleanupAt = app.now() + 3601
})

const cleanup = async () => {
  app.advance(cleanupAt - app.now())
  await app.jobsDone()
}
const idsOf = async ({ appId }: OwnedApp) => {
  const rows = await app.db.read.selectFrom('alerts').select('id').where('app_id', '=', appId).execute()
  return rows.map(({ id }) => id).toSorted()
}
const retain = (days: number) => owner.visitor.call('POST /log_retention', { body: { days } })
const resolved = (status: 'reviewed' | 'dismissed', at: number, who = owner) =>
  newAlert(app, who, { status, resolved_at: at, created_at: 1, first_at: 1, last_at: 1 })
/** An unreviewed alert last detected at this time. */
const unreviewed = (at: number) => newAlert(app, owner, { created_at: 1, first_at: 1, last_at: at })

test("a decided alert is deleted to the second when it reaches the age of its app's log retention", async () => {
  const other = await newOwnerWithApp(app)
  await retain(100)
  const edge = cleanupAt - 100 * day
  const stay = [await resolved('reviewed', edge), await resolved('dismissed', edge)]
  await resolved('reviewed', edge - 1)
  await resolved('dismissed', edge - 1)
  const usual = [await resolved('reviewed', cleanupAt - 90 * day, other)]
  await resolved('dismissed', cleanupAt - 90 * day - 1, other)
  await cleanup()
  expect(await idsOf(owner)).toEqual(stay.toSorted())
  expect(await idsOf(other)).toEqual(usual)
})

test('a decided alert is kept for at least 60 days, because it could be detected again', async () => {
  await retain(1)
  const stays = await resolved('reviewed', cleanupAt - 60 * day)
  await resolved('reviewed', cleanupAt - 60 * day - 1)
  await cleanup()
  expect(await idsOf(owner)).toEqual([stays])
})

test.each([
  [90, 365],
  [400, 400],
])(
  'an undecided alert, with a log of %i days, is kept for %i days after it was last detected',
  async (days, expected) => {
    await retain(days)
    const stays = await unreviewed(cleanupAt - expected * day)
    await unreviewed(cleanupAt - expected * day - 1)
    await cleanup()
    expect(await idsOf(owner)).toEqual([stays])
  },
)

test('the retention of a decided alert begins with the decision, and a reopened alert has none', async () => {
  await retain(1)
  const [reviewed, reopened] = [await unreviewed(app.now()), await unreviewed(app.now())]
  await passTime(app, owner, 59 * day)
  const { visitor } = owner
  for (const id of [reviewed, reopened]) await visitor.call('POST /alerts/{id}/dismiss', { params: { id }, body: {} })
  await visitor.call('POST /alerts/{id}/reopen', { params: { id: reopened }, body: {} })
  app.advance(60 * day)
  await app.jobsDone()
  expect(await idsOf(owner)).toEqual([reviewed, reopened].toSorted())
  app.advance(3601)
  await app.jobsDone()
  expect(await idsOf(owner)).toEqual([reopened])
})

test('deletes more than fit into one transaction at once', async () => {
  const stays = await resolved('reviewed', cleanupAt)
  await app.db.write(async ({ db }) => {
    const row = await db.selectFrom('alerts').selectAll().where('id', '=', stays).executeTakeFirstOrThrow()
    for (let made = 0; made < 1203; made += 401) {
      const old = { ...row, resolved_at: 5, last_at: 5 }
      const rows = Array.from({ length: 401 }, (_, n) =>
        n % 2 === 0
          ? { ...old, id: `old_${made + n}`, fingerprint: `old_${made + n}` }
          : {
              ...old,
              id: `old_${made + n}`,
              fingerprint: `old_${made + n}`,
              status: 'new' as const,
              resolved_at: null,
            },
      )
      await db.insertInto('alerts').values(rows).execute()
    }
  })
  expect(await idsOf(owner)).toHaveLength(1204)
  await cleanup()
  expect(await idsOf(owner)).toEqual([stays])
})
