import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import {
  dropLane,
  enqueueJobs,
  type Job,
  type JobHandler,
  LeaseLost,
  longestPauseSeconds,
  type NewJob,
  pauseAfter,
} from '../server/jobs/jobs.ts'
import { JobRunner } from '../server/jobs/job-runner.ts'

let app: TestApp
const runners: JobRunner[] = []

beforeEach(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop()
  await app.close()
})

type Run = JobHandler<string>['run']

/** A process with one kind of job; several on one database are several processes. */
async function runner(run: Run, more: Partial<JobHandler<string>> = {}): Promise<JobRunner> {
  const handler: JobHandler<string> = { concurrency: 4, leaseSeconds: 60, maxAttempts: 3, run, ...more }
  const made = new JobRunner(app.services, { test: handler as JobHandler })
  runners.push(made)
  await made.start()
  return made
}

/** A process that never completes its job before `release`. */
async function dyingRunner() {
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run = async () => {
    started.resolve()
    await released.promise
  }
  return { dying: await runner(run, { concurrency: 1 }), started: started.promise, release: released.resolve }
}

const enqueue = (...jobs: { lane?: string; payload: string; dueAt?: number }[]) =>
  app.db.write((tx) =>
    enqueueJobs(
      tx,
      jobs.map(({ lane = 'a', payload, dueAt = app.now() }): NewJob => ({ kind: 'test', lane, payload, dueAt })),
      app.now(),
    ),
  )

const rowsLeft = async () => {
  const jobs = await app.db.read.selectFrom('jobs').select('payload').where('kind', '=', 'test').execute()
  const lanes = await app.db.read.selectFrom('job_lanes').select('lane').where('kind', '=', 'test').execute()
  return { jobs: jobs.map(({ payload }) => JSON.parse(payload) as string), lanes: lanes.map(({ lane }) => lane) }
}

test('a job added to a lane while another of it runs waits for it: neither runs twice', async () => {
  const done: string[] = []
  const jobs = await runner(async (services, { payload }) => {
    done.push(payload)
    if (payload !== 'first') return
    await enqueue({ payload: 'second' })
    // Another process must find the lane taken, or it would run this very job again.
    const lane = services.db.read
      .selectFrom('job_lanes')
      .select('next_at')
      .where('kind', '=', 'test')
      .where('lane', '=', 'a')
    expect(Number((await lane.executeTakeFirst())?.next_at)).toBeGreaterThan(app.now())
  })
  await enqueue({ payload: 'first' })
  await jobs.idle()
  expect(done).toEqual(['first', 'second'])
})

test('a job runs after its cause is committed, never after a rollback', async () => {
  const done: string[] = []
  const jobs = await runner(async (_, { payload }) => void done.push(payload))
  await enqueue({ payload: 'first' }, { payload: 'second' })
  await expect(
    app.db.write(async (tx) => {
      await enqueueJobs(tx, [{ kind: 'test', lane: 'a', payload: 'never', dueAt: app.now() }], app.now())
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await jobs.idle()
  expect(done).toEqual(['first', 'second'])
  expect(await rowsLeft()).toEqual({ jobs: [], lanes: [] })
})

test("a job waits until it is due, and doesn't delay jobs that are due", async () => {
  const done: string[] = []
  const jobs = await runner(async (_, { payload }) => void done.push(payload))
  await enqueue({ payload: 'later', dueAt: app.now() + 100 })
  await enqueue({ payload: 'now' })
  await jobs.idle()
  expect(done).toEqual(['now'])
  app.advance(100)
  await jobs.idle()
  expect(done).toEqual(['now', 'later'])
})

describe('lanes', () => {
  test("a lane runs one job at a time, in order, and a lane that hangs doesn't delay others", async () => {
    const done: string[] = []
    let release = () => {}
    const hangs = new Promise<void>((resolve) => (release = resolve))
    let othersDone = () => {}
    const others = new Promise<void>((resolve) => (othersDone = resolve))
    const jobs = await runner(
      async (_, { lane, payload }) => {
        if (lane === 'slow') await hangs
        done.push(payload)
        if (done.length === 6) othersDone()
      },
      { concurrency: 2 },
    )
    await enqueue(...['s1', 's2', 's3'].map((payload) => ({ lane: 'slow', payload })))
    await enqueue(...['a1', 'a2', 'a3'].map((payload) => ({ lane: 'a', payload })))
    await enqueue(...['b1', 'b2', 'b3'].map((payload) => ({ lane: 'b', payload })))
    await others
    expect(done.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
    expect(done.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    release()
    await jobs.idle()
    expect(done.slice(6)).toEqual(['s1', 's2', 's3'])
  })

  test("lanes take turns: a thousand jobs of one lane don't delay one job of another", async () => {
    await enqueue(...Array.from({ length: 30 }, (_, n) => ({ lane: 'many', payload: `many ${n}` })))
    app.advance(1)
    await enqueue({ lane: 'few', payload: 'few' })
    const done: string[] = []
    const jobs = await runner(async (_, { payload }) => void done.push(payload), { concurrency: 1 })
    await jobs.idle()
    expect(done).toHaveLength(31)
    expect(done.indexOf('few')).toBeLessThan(5)
  })
})

test('a thousand wake-ups during a search cause one more search', async () => {
  const { db } = app.services
  let reads = 0
  const read = db.read.withPlugin({
    transformQuery: ({ node }) => ((reads += 1), node),
    transformResult: async ({ result }) => result,
  })
  const handler: JobHandler = { concurrency: 4, leaseSeconds: 60, maxAttempts: 3, run: async () => {} }
  const jobs = new JobRunner(
    { ...app.services, db: { ...db, searched: db.searched.bind(db), read } },
    { test: handler },
  )
  runners.push(jobs)
  await jobs.start()
  await jobs.idle()
  reads = 0
  for (let n = 0; n < 1000; n++) db.events.publish('jobs:test')
  await jobs.idle()
  expect(reads).toBeLessThan(10)
})

test('jobs of a dropped lane never run, those of other lanes do', async () => {
  await enqueue({ lane: 'gone', payload: 'never' }, { lane: 'a', payload: 'stays' })
  await app.db.write((tx) => dropLane(tx, 'test', 'gone'))
  const done: string[] = []
  const jobs = await runner(async (_, { payload }) => void done.push(payload))
  await jobs.idle()
  expect(done).toEqual(['stays'])
})

test.runIf(testEngine === 'postgres')('a job added while its lane is dropped is not left without it', async () => {
  await enqueue({ payload: 'waiting', dueAt: app.now() + 60 })
  const [isAdded, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const added = app.db.write(async (tx) => {
    await enqueueJobs(tx, [{ kind: 'test', lane: 'a', payload: 'added', dueAt: app.now() }], app.now())
    isAdded.resolve()
    await mayCommit.promise
  })
  await isAdded.promise
  const dropped = app.db.write((tx) => dropLane(tx, 'test', 'a'))
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(app.db.read)).rows).toHaveLength(1)
  mayCommit.resolve()
  await Promise.all([added, dropped])
  expect(await rowsLeft()).toEqual({ jobs: [], lanes: [] })
})

describe('a failed job', () => {
  test('is retried with growing pauses and then set aside, while others continue', async () => {
    const tries: number[] = []
    const done: string[] = []
    const jobs = await runner(async (_, { payload, attempt }) => {
      if (payload === 'poison') {
        tries.push(attempt)
        throw new Error('poisoned')
      }
      done.push(payload)
    })
    await enqueue({ payload: 'poison' }, { payload: 'good' })
    await jobs.idle()
    expect(done).toEqual(['good'])
    for (let round = 0; round < 5; round++) {
      app.advance(3600)
      await jobs.idle()
    }
    expect(tries).toEqual([1, 2, 3])
    const [row] = await app.db.read.selectFrom('jobs').selectAll().where('kind', '=', 'test').execute()
    expect(row).toMatchObject({ error: 'Error: poisoned' })
    expect(row?.failed_at).not.toBeNull()
    expect((await rowsLeft()).lanes).toEqual([])
  })

  test('can set the time of its next attempt itself', async () => {
    const at: number[] = []
    const jobs = await runner(async () => {
      at.push(app.now())
      return at.length < 3 ? { nextAt: app.now() + 10, error: 'not yet' } : undefined
    })
    const start = app.now()
    await enqueue({ payload: 'x' })
    await jobs.idle()
    app.advance(9)
    await jobs.idle()
    app.advance(1)
    await jobs.idle()
    app.advance(10)
    await jobs.idle()
    expect(at).toEqual([start, start + 10, start + 20])
    expect((await rowsLeft()).jobs).toEqual([])
  })

  test('waits twice as long each time, up to an hour, with jitter', () => {
    expect([1, 2, 3, 20].map((attempt) => pauseAfter(attempt, 0.5))).toEqual([5, 10, 20, 3600])
    expect([pauseAfter(3, 0), pauseAfter(3, 1)]).toEqual([16, 24])
  })
})

describe('several processes', () => {
  test('share the jobs: each runs once', async () => {
    const done: string[] = []
    const run: Run = async (_, { payload }) => void done.push(payload)
    const all = Array.from({ length: 20 }, (_, n) => ({ lane: `lane ${n % 5}`, payload: `job ${n}` }))
    const [first, second] = await Promise.all([runner(run), runner(run)])
    await enqueue(...all)
    await Promise.all([first.idle(), second.idle()])
    await first.idle()
    expect(done.toSorted()).toEqual(all.map(({ payload }) => payload).toSorted())
  })

  test('a job of a dead process is taken over when its lease expires, and the late process changes nothing', async () => {
    let release = () => {}
    const isStuck = new Promise<void>((resolve) => (release = resolve))
    let started = () => {}
    const hasStarted = new Promise<void>((resolve) => (started = resolve))
    let late: unknown
    const effect = async (job: Job<string>, name: string) =>
      app.db.write(async (tx) => {
        await job.finish(tx)
        await tx.db.insertInto('setup_tokens').values({ token_hash: name, expires_at: 0 }).execute()
      })
    const runUntilReleased: Run = async (_, job) => {
      started()
      await isStuck
      late = await effect(job, 'late').catch((error: unknown) => error)
    }
    const dying = await runner(runUntilReleased, { concurrency: 1 })
    await enqueue({ payload: 'x' })
    await hasStarted
    const attempts: number[] = []
    const heir = await runner(async (_, job) => {
      attempts.push(job.attempt)
      await effect(job, 'heir')
    })
    await heir.idle()
    expect(attempts).toEqual([])
    app.advance(61)
    // Only the heir looks: the other is busy with what it believes to have.
    await heir.idle()
    expect(attempts).toEqual([2])
    release()
    await dying.idle()
    expect(late).toBeInstanceOf(LeaseLost)
    const effects = await app.db.read
      .selectFrom('setup_tokens')
      .select('token_hash')
      .where('expires_at', '=', 0)
      .execute()
    expect(effects).toEqual([{ token_hash: 'heir' }])
    expect(await rowsLeft()).toEqual({ jobs: [], lanes: [] })
  })
})

test('a recurring job exists once, whoever starts it, and continues after a failure', async () => {
  const at: number[] = []
  const run: Run = async () => {
    at.push(app.now())
    if (at.length === 2) throw new Error('once')
  }
  const start = app.now()
  const every: Partial<JobHandler<string>> = { everySeconds: 3600, concurrency: 1 }
  const [first] = await Promise.all([runner(run, every), runner(run, every)])
  await first.idle()
  expect(at).toEqual([])
  for (let hour = 0; hour < 4; hour++) {
    app.advance(3600)
    await Promise.all(runners.map((each) => each.idle()))
  }
  expect(at).toEqual([1, 2, 3, 4].map((hour) => start + hour * 3600))
})

describe('after a clock that was a month ahead is right again', () => {
  const month = 31 * 86_400

  /** The clock jumps and is believed, because it stays so. */
  function setClock(seconds: number): void {
    app.jumpClock(seconds)
    app.now()
    app.advance(660)
    app.now()
  }

  test.each(['the same process', 'another process'])('%s runs a recurring job within its period', async (which) => {
    const at: number[] = []
    const run: Run = async () => void at.push(app.now())
    const every: Partial<JobHandler<string>> = { everySeconds: 3600, concurrency: 1 }
    const first = await runner(run, every)
    setClock(month)
    await first.idle()
    expect(at).toHaveLength(1)
    setClock(-month)
    if (which === 'another process') await first.stop()
    const next = which === 'another process' ? await runner(run, every) : first
    await next.idle()
    app.advance(3600)
    await next.idle()
    expect(at).toHaveLength(2)
  })

  test('a job of a dead process is taken over when its lease expires', async () => {
    const { dying, started, release } = await dyingRunner()
    setClock(month)
    await enqueue({ payload: 'x' })
    await started
    setClock(-month)
    const attempts: number[] = []
    const heir = await runner(async (_, { attempt }) => void attempts.push(attempt))
    await heir.idle()
    expect(attempts).toEqual([])
    app.advance(61)
    await heir.idle()
    expect(attempts).toEqual([2])
    release()
    await dying.idle()
  })

  test('a job that failed is tried again after its longest pause, and one that was added runs at once', async () => {
    const done: string[] = []
    const jobs = await runner(async (_, { payload }) => {
      done.push(payload)
      if (done.length === 1) throw new Error('once')
    })
    setClock(month)
    await enqueue({ lane: 'a', payload: 'failed' })
    await jobs.idle()
    await jobs.stop()
    await enqueue({ lane: 'b', payload: 'added' })
    setClock(-month)
    const next = await runner(async (_, { payload }) => void done.push(payload))
    await next.idle()
    expect(done).toEqual(['failed', 'added'])
    app.advance(longestPauseSeconds)
    await next.idle()
    expect(done).toEqual(['failed', 'added', 'failed'])
    expect(await rowsLeft()).toEqual({ jobs: [], lanes: [] })
  })

  test('a lease ends at its time although 120 other lanes wait longer', async () => {
    const waiting = Array.from({ length: 120 }, (_, n) => ({ lane: `waits ${n}`, payload: 'waits' }))
    await enqueue(...waiting.map((each) => ({ ...each, dueAt: app.now() + 4000 })))
    const { dying, started, release } = await dyingRunner()
    setClock(1800)
    await enqueue({ lane: 'z', payload: 'x' })
    await started
    setClock(-1800)
    const done: string[] = []
    const heir = await runner(async (_, { payload }) => void done.push(payload))
    await heir.idle()
    app.advance(61)
    await heir.idle()
    expect(done).toEqual(['x'])
    release()
    await dying.idle()
  })
})
