import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveryKind } from '#features/webhooks/webhook-events.ts'
import { queueMail } from '#server/mail/mail.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { newAdmin, newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Background work that failed for good. */

let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app)
})
afterAll(() => app.close())
beforeEach(() => app.db.write(({ db }) => db.deleteFrom('jobs').where('failed_at', 'is not', null).execute()))

type Query = { page?: number; limit?: number; kind?: string; search?: string; sort?: string }
const list = async (query: Query = {}) => (await admin.visitor.call('GET /admin/jobs', { query: query as object })).body
const retry = (jobIds: number[], { visitor }: Owner = admin) =>
  visitor.call('POST /admin/jobs/retry', { body: { jobIds } })
const discard = (jobIds: number[], { visitor }: Owner = admin) =>
  visitor.call('POST /admin/jobs/discard', { body: { jobIds } })
const jobOf = (id: number) => app.db.read.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
const laneOf = (lane: string) =>
  app.db.read.selectFrom('job_lanes').selectAll().where('lane', '=', lane).executeTakeFirst()
const waitingJob = async (lane: string) => {
  const id = await newFailedJob(app, { lane })
  await app.db.write(({ db }) => db.updateTable('jobs').set({ failed_at: null }).where('id', '=', id).execute())
  return id
}

test('an owner can neither see failed jobs nor retry or discard them', async () => {
  const owner = await newOwner(app)
  const id = await newFailedJob(app)
  const before = await databaseDigest(app.db, ['audit'])
  expect((await owner.visitor.call('GET /admin/jobs')).status).toBe(403)
  for (const change of [retry, discard]) expect((await change([id], owner)).status).toBe(403)
  expect(await databaseDigest(app.db, ['audit'])).toBe(before)
})

test.each([['retry'], ['discard']] as const)(
  '%s of a waiting job, and of one that does not exist, gets JOB_NOT_FAILED and changes nothing',
  async (name) => {
    const change = { retry, discard }[name]
    const waiting = await waitingJob('busy')
    const before = await databaseDigest(app.db)
    for (const id of [waiting, 999_999_999, Number.MAX_SAFE_INTEGER])
      expect((await change([id])).body).toMatchObject({ success: false, code: 'JOB_NOT_FAILED' })
    for (const jobIds of [[], [0], [-1], ['x'], Array<number>(101).fill(1)])
      expect((await change(jobIds as number[])).status).toBe(400)
    expect(await databaseDigest(app.db)).toBe(before)
    await app.db.write(({ db }) => db.deleteFrom('jobs').where('id', '=', waiting).execute())
  },
)

test('the list shows what failed, when, how often and why, the latest first, and never its payload', async () => {
  const first = await newFailedJob(app, { kind: 'mail', error: 'reset: MAIL_REFUSED', payload: { token: 'a-secret' } })
  app.advance(60)
  const second = await newFailedJob(app)
  const all = await list()
  expect(all).toMatchObject({ total: 2, isMore: false, totalPages: 1, kinds: ['mail', 'test-work'] })
  expect(all.jobs).toEqual([
    { id: second, kind: 'test-work', attempts: 20, error: 'It broke', failedAt: app.now(), createdAt: app.now() },
    expect.objectContaining({ id: first, kind: 'mail', error: 'reset: MAIL_REFUSED', failedAt: app.now() - 60 }),
  ])
  expect(JSON.stringify(all)).not.toContain('a-secret')
  expect((await list({ kind: 'mail' })).jobs.map(({ id }) => id)).toEqual([first])
  expect((await list({ page: 2, limit: 1 })).jobs.map(({ id }) => id)).toEqual([first])
  for (const search of [String(first), 'refused', 'MAIL_'])
    expect((await list({ search })).jobs.map(({ id }) => id)).toEqual([first])
  expect((await list({ search: 'a-secret' })).total).toBe(0)
  expect((await list({ search: '%' })).total).toBe(0)
  expect(await list({ kind: 'no-such-kind' })).toMatchObject({ jobs: [], total: 0 })
})

test('a mail that failed for good is sent by a retry, and its job is gone', async () => {
  const server = await startMailServer()
  try {
    await turnMailOn(app, server)
    server.rejection = { code: 550, text: 'No such user' }
    const mail = { to: 'ana@example.com', language: null, code: 'test' as const, values: {} }
    await app.db.write((tx) => queueMail(tx, app.services, mail, app.now()))
    await app.jobsDone()
    const [job] = (await list()).jobs
    expect(job).toMatchObject({ kind: 'mail', attempts: 1, error: 'test: MAIL_RECIPIENT_REFUSED' })
    server.rejection = undefined
    await retry([job?.id ?? 0])
    await app.jobsDone()
    expect(server.mails).toMatchObject([{ recipients: ['ana@example.com'] }])
    expect(await jobOf(job?.id ?? 0)).toBeUndefined()
  } finally {
    await setPlatform(app, 'email', {})
    await server.close()
  }
})

test('a retried job has all attempts again, in its lane and in the turn of its owner', async () => {
  const owner = await newOwnerWithApp(app)
  const payload = { appId: owner.appId, webhookId: 'wh_gone', deliveryId: 1 }
  const id = await newFailedJob(app, { kind: deliveryKind, lane: 'gone', payload })
  const waiting = await newFailedJob(app, { lane: 'other' })
  app.advance(60)
  const reply = await retry([id, 999_999_999])
  expect(reply.body).toMatchObject({ changed: 1, message: 'The failed jobs run again' })
  await app.jobsDone()
  // Its delivery doesn't exist, so the job ends; it would not have run without its lane.
  expect([await jobOf(id), await laneOf('gone')]).toEqual([undefined, undefined])
  await retry([waiting])
  expect(await jobOf(waiting)).toMatchObject({ failed_at: null, error: null, attempts: 0, due_at: app.now() })
  expect(await laneOf('other')).toMatchObject({ next_at: app.now(), lease: '' })
  expect((await list()).total).toBe(0)
})

test('a discarded job is gone; both actions are in the audit, without what the jobs contain', async () => {
  const ids = [await newFailedJob(app, { payload: { token: 'a-secret' } }), await newFailedJob(app, { kind: 'mail' })]
  expect((await discard(ids)).body).toMatchObject({ changed: 2, message: 'The failed jobs were discarded' })
  expect((await discard(ids)).body.code).toBe('JOB_NOT_FAILED')
  expect((await list()).total).toBe(0)
  const entries = (await admin.visitor.call('GET /admin/audit', { query: { act: 'job.discard' } })).body.entries
  expect(entries[0]).toMatchObject({
    act: 'job.discard',
    actor: { type: 'admin', name: admin.username },
    target: 'test-work, mail',
    details: { jobs: { 'test-work': 1, mail: 1 }, ids, errors: ['It broke'] },
  })
  expect(JSON.stringify(entries)).not.toContain('a-secret')
})

test('of two administrators who retry the same job at once, one is told that it runs already', async () => {
  const id = await newFailedJob(app)
  const replies = await Promise.all([retry([id]), retry([id])])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
})

test('failed jobs are sorted by error, attempts, and times, both ways, in pages without gaps', async () => {
  for (const error of ['b', 'A', 'c', 'B', 'a']) {
    app.advance(1)
    await newFailedJob(app, { error })
  }
  const all = (await list({ limit: 100 })).jobs
  type Job = (typeof all)[number]
  const values: Record<string, (job: Job) => string | number> = {
    error: ({ error }) => error.toLowerCase(),
    attempts: ({ attempts }) => attempts,
    failed: ({ failedAt }) => failedAt,
    created: ({ createdAt }) => createdAt,
  }
  for (const [column, valueOf] of Object.entries(values)) {
    for (const sort of [column, `-${column}`]) {
      const shown: Job[] = []
      for (let page = 1; page <= Math.ceil(all.length / 3); page++)
        shown.push(...(await list({ sort, limit: 3, page })).jobs)
      expect(new Set(shown.map(({ id }) => id)).size, sort).toBe(all.length)
      const direction = sort === column ? 1 : -1
      const sorted = shown
        .map(valueOf)
        .toSorted((one, other) => (one < other ? -direction : one > other ? direction : 0))
      expect(shown.map(valueOf), sort).toEqual(sorted)
    }
  }
  for (const sort of ['payload', '-', 'kind'])
    expect((await admin.visitor.call('GET /admin/jobs', { query: { sort } as object })).status).toBe(400)
})
