import { insertJob } from '#server/jobs/jobs.ts'
import type { TestApp } from './start-test-app.ts'

/** A job that has failed its last attempt, of a kind that no program of the tests runs; returns its ID. */
export async function newFailedJob(
  app: Pick<TestApp, 'db' | 'now'>,
  { kind = 'test-work', lane = 'lane', error = 'It broke', payload = {} }: FailedJobOptions = {},
): Promise<number> {
  return app.db.write(async (tx) => {
    const now = app.now()
    await insertJob(tx, { kind, lane, payload, dueAt: now }, now)
    const { id } = await tx.db
      .selectFrom('jobs')
      .select((select) => select.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    await tx.db.updateTable('jobs').set({ failed_at: now, attempts: 20, error }).where('id', '=', id).execute()
    return Number(id)
  })
}

interface FailedJobOptions {
  kind?: string
  lane?: string
  error?: string
  payload?: object
}

const ofFailedJob = async ({ app }: { app: TestApp }) => ({ body: { jobIds: [await newFailedJob(app)] } })

/** Input of the calls that name a failed job. */
export const failedJobInputs = {
  'POST /admin/jobs/retry': ofFailedJob,
  'POST /admin/jobs/discard': ofFailedJob,
}
