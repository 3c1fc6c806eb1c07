import { findDamage, type IntegrityDepth } from '#database/integrity.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { findProblems, integrityCheck, recordCheck } from '#server/status/platform-checks.ts'

export const damageText = 'the database is damaged'

/**
 * Checks the database files for damage and stores the result. A quick check doesn't see all that a full one does, so
 * it never clears what was found before.
 */
export async function checkIntegrity(services: Services, depth: IntegrityDepth): Promise<void> {
  const { db, log, readiness, stopSignal } = services
  const problems = await findDamage(db, depth, stopSignal)
  readiness.unstoredProblems = problems.length
  if (problems.length > 0) log.error({ problems }, damageText)
  const check = { name: integrityCheck, checkedAt: epochSeconds(services), problems: problems.length }
  await db.write(async (tx) => {
    const isCleared = depth === 'full' || check.problems > 0 || (await findProblems(tx.db, integrityCheck)) === 0
    if (isCleared) await recordCheck(tx, check)
  })
  readiness.unstoredProblems = 0
}

/** The nightly full check. */
export const checkIntegrityJob: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3 * 3600,
  maxAttempts: 3,
  everySeconds: 86_400,
  run: (services) => checkIntegrity(services, 'full'),
}

const afterStartMs = 30_000

/** Runs a quick check 30 seconds after startup, so as not to delay the first requests. Returns a cancel function. */
export function checkIntegrityAfterStart(services: Services): () => void {
  const timer = setTimeout(() => {
    checkIntegrity(services, 'quick').catch((error: unknown) => {
      if (!services.readiness.isDraining) services.log.error({ err: error }, 'the database could not be checked')
    })
  }, afterStartMs).unref()
  return () => clearTimeout(timer)
}
