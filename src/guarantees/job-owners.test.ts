import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { JobRunner } from '../server/jobs/job-runner.ts'
import { enqueueJobs, type JobHandler } from '../server/jobs/jobs.ts'

let app: TestApp
const runners: JobRunner[] = []

beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop()
})
afterAll(() => app.close())

type Run = JobHandler<string>['run']

/** A process with one kind of job, of which it runs eight at once: two of one owner, four of owners without a success. */
async function runner(run: Run, more: Partial<JobHandler<string>> = {}): Promise<JobRunner> {
  const shares = { maxPerOwner: 2, maxUnproven: 4 }
  const handler: JobHandler<string> = { concurrency: 8, shares, leaseSeconds: 60, maxAttempts: 3, run, ...more }
  const created = new JobRunner(app.services, { owned: handler as JobHandler })
  runners.push(created)
  await created.start()
  return created
}

/** Each job in a lane of its own. */
const enqueue = (owner: string, ...payloads: string[]) =>
  app.db.write((tx) =>
    enqueueJobs(
      tx,
      payloads.map((payload) => ({ kind: 'owned', lane: `${owner}/${payload}`, owner, payload, dueAt: app.now() })),
      app.now(),
    ),
  )

const numbered = (count: number, name = 'job') => Array.from({ length: count }, (_, n) => `${name} ${n}`)

/** Jobs that hang until they are released; those beyond `maxHanging` end at once, so that a fault shows and doesn't hang. */
function hangingRun(hangs: (owner: string) => boolean, maxHanging: number) {
  let hanging = 0
  const running = new Map<string, number>()
  const peak = new Map<string, number>()
  const done: string[] = []
  const listeners = new Map<string, () => void>()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const run: Run = async (_, { owner, payload }) => {
    running.set(owner, (running.get(owner) ?? 0) + 1)
    peak.set(owner, Math.max(peak.get(owner) ?? 0, running.get(owner) ?? 0))
    if (hangs(owner) && hanging < maxHanging) {
      hanging += 1
      await released
    }
    running.set(owner, (running.get(owner) ?? 1) - 1)
    done.push(payload)
    listeners.get(payload)?.()
  }
  const ended = (payload: string) => new Promise<void>((resolve) => listeners.set(payload, resolve))
  return { run, release, running, peak, done, ended }
}

test("an owner whose jobs all hang has a limited share of a process: another owner's jobs run beside them (R-WHK-08)", async () => {
  const { run, release, running, peak, done, ended } = hangingRun((owner) => owner === 'slow', 2)
  const jobs = await runner(run)
  await enqueue('slow', ...numbered(105))
  const neighbor = ended('of the neighbor')
  app.advance(1)
  await enqueue('neighbor', 'of the neighbor')
  await neighbor
  await expect.poll(() => running.get('slow')).toBe(2)
  release()
  await jobs.idle()
  expect(peak.get('slow')).toBe(2)
  expect(done).toHaveLength(106)
})

test("owners take turns: one owner's job runs before the next of 105 that have waited longer", async () => {
  const done: string[] = []
  await enqueue('many', ...numbered(105))
  app.advance(1)
  await enqueue('few', 'first', 'second')
  const jobs = await runner(async (_, { payload }) => void done.push(payload), { concurrency: 1 })
  await jobs.idle()
  expect(done).toHaveLength(107)
  expect(done.indexOf('first')).toBeLessThan(4)
  expect(done.indexOf('second')).toBeLessThan(6)
})

test('many owners whose jobs hang leave half of a process to one whose last job succeeded', async () => {
  const { run, release, running, done, ended } = hangingRun((owner) => owner.startsWith('account'), 4)
  const jobs = await runner(run)
  await enqueue('neighbor', 'earlier')
  await jobs.idle()
  for (const account of numbered(20, 'account')) await enqueue(account, `of ${account}`)
  const neighbor = ended('now')
  await enqueue('neighbor', 'now')
  await neighbor
  expect([...running.values()].filter((count) => count > 0)).toEqual([1, 1, 1, 1])
  expect(done).toEqual(['earlier', 'now'])
  release()
  await jobs.idle()
  expect(done).toHaveLength(22)
})

test('an owner whose last job failed waits in turn with the other owners', async () => {
  const { run, release, done, ended } = hangingRun((owner) => owner.startsWith('account'), 4)
  const jobs = await runner(async (services, job) => {
    await run(services, job)
    return job.payload === 'fails' ? { nextAt: app.now(), error: 'failed', isLast: true } : undefined
  })
  await enqueue('proven', 'earlier')
  await enqueue('neighbor', 'fails')
  await jobs.idle()
  for (const account of numbered(20, 'account')) await enqueue(account, `of ${account}`)
  await enqueue('neighbor', 'of the neighbor')
  for (const payload of ['one', 'two', 'three']) {
    const next = ended(payload)
    await enqueue('proven', payload)
    await next
  }
  expect(done.toSorted()).toEqual(['earlier', 'fails', 'one', 'three', 'two'])
  release()
  await jobs.idle()
  expect(done).toContain('of the neighbor')
})

test('each process has its own shares, and a job runs in one of them', async () => {
  const { run, release, running, peak, done, ended } = hangingRun((owner) => owner === 'slow', 4)
  const both = await Promise.all([runner(run), runner(run)])
  await enqueue('slow', ...numbered(20))
  const neighbor = ended('of the neighbor')
  await enqueue('neighbor', 'of the neighbor')
  await neighbor
  expect(running.get('slow')).toBeLessThanOrEqual(4)
  release()
  for (const each of both) await each.idle()
  for (const each of both) await each.idle()
  expect(peak.get('slow')).toBeLessThanOrEqual(4)
  expect(done.toSorted()).toEqual(['of the neighbor', ...numbered(20)].toSorted())
})

test("a job that pauses its lane doesn't count as tried, and the jobs behind it stay in order", async () => {
  const runs: string[] = []
  const pausedUntil = app.now() + 30
  const jobs = await runner(async (_, { payload, attempt }) => {
    runs.push(`${payload} ${attempt}`)
    return app.now() < pausedUntil ? { nextAt: pausedUntil, pausesLane: true } : undefined
  })
  const inLane = ['one', 'two'].map((payload) => ({ kind: 'owned', lane: 'x', owner: 'x', payload, dueAt: app.now() }))
  await app.db.write((tx) => enqueueJobs(tx, inLane, app.now()))
  await jobs.idle()
  app.advance(29)
  await jobs.idle()
  expect(runs).toEqual(['one 1'])
  app.advance(1)
  await jobs.idle()
  expect(runs).toEqual(['one 1', 'one 1', 'two 1'])
})
