import { sql } from 'kysely'
import { deleteInBatches } from '#database/delete-rows.ts'
import { clearImportedHashCost, lockApp } from '#features/apps/apps.actions.ts'
import { listAppsWithImportedHashes } from '#features/apps/apps.reads.ts'
import { hasImportedHash } from '#features/users/users.reads.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds } from '#server/services.ts'
import { importRetentionSeconds } from './imports.actions.ts'

/** Forgets imports that can no longer be undone. */
export const forgetImports: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 3600,
  run: async (services) => {
    const before = epochSeconds(services) - importRetentionSeconds
    await deleteInBatches(services.db, 'imports', sql`created_at <= ${before} order by created_at`)
  },
}

/** Once the last imported hash is replaced, a wrong password no longer takes as long as one for such a hash. */
export const forgetImportedHashes: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 86_400,
  run: async ({ db }) => {
    for (const { id } of await listAppsWithImportedHashes(db.reports)) {
      await db.write(async (tx) => {
        // No import and nothing from the bin brings a hash in between.
        await lockApp(tx, id)
        if (!(await hasImportedHash(tx.db, id))) await clearImportedHashCost(tx, id)
      })
    }
  },
}
