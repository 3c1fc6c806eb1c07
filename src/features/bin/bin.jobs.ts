import type { DeletedUser } from '#features/users/deleted-users.actions.ts'
import { updateContent } from '#server/bin/bin-contents.ts'
import { emptyOldBin } from '#server/bin/bin-items.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds } from '#server/services.ts'
import { lockItemsById } from './bin.reads.ts'

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
    const ids = items.filter((item) => item.kind === 'user' && redactedUser(item, before)).map(({ id }) => Number(id))
    if (ids.length === 0) continue
    await db.write(async (tx) => {
      // Read again: a license restored meanwhile may have added a subscription.
      for (const item of await lockItemsById(tx.db, ids)) {
        const user = redactedUser(item, before)
        if (user) await updateContent(tx.db, item.id, user)
      }
    })
  }
})

/** The user without the address; undefined if there is none, or it is too recent. */
function redactedUser({ content }: { content: string }, before: number): DeletedUser | undefined {
  const deleted = JSON.parse(content) as DeletedUser
  const { ip, last_login_at: lastLogin, created_at: created } = deleted.user
  return ip === '' || (lastLogin ?? created) >= before ? undefined : { ...deleted, user: { ...deleted.user, ip: '' } }
}
