import type { DeletedUser } from '#features/users/deleted-users.actions.ts'
import { emptyOldBin } from '#server/bin/bin-items.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds } from '#server/services.ts'
import { updateContent } from './bin.writes.ts'

export const emptyBins: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 5,
  everySeconds: 3600,
  run: async (services) => emptyOldBin(services.db, epochSeconds(services)),
}

const rowsPerTransaction = 500

/** Redacts the addresses of deleted users like those of other users. */
export const redactBinAddresses = addressRetention(async ({ db }, before) => {
  for (let after = 0; ;) {
    const items = await db.reports
      .selectFrom('bin_items')
      .select(['id', 'kind', 'content'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerTransaction)
      .execute()
    const last = items.at(-1)
    if (!last) return
    after = Number(last.id)
    const redacted = items.flatMap(({ id, kind, content }) => {
      if (kind !== 'user') return []
      const deleted = JSON.parse(content) as DeletedUser
      const { ip, last_login_at: lastLogin, created_at: created } = deleted.user
      return ip === '' || (lastLogin ?? created) >= before
        ? []
        : [{ id, ...deleted, user: { ...deleted.user, ip: '' } }]
    })
    if (redacted.length === 0) continue
    await db.write(async (tx) => {
      for (const { id, ...content } of redacted) await updateContent(tx.db, id, content)
    })
  }
})
