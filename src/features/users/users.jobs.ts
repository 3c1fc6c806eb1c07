import { sql } from 'kysely'
import { addressRetention } from '#server/jobs/address-retention.ts'

const rowsPerTransaction = 500
const lastSeen = sql<number>`coalesce(last_login_at, created_at)`

/** Redacts the addresses of users who have not signed in for a long time. The bound machine is kept. */
export const redactUserAddresses = addressRetention(async ({ db }, before) => {
  let after = { app_id: '', id: 0 }
  for (;;) {
    const users = await db.reports
      .selectFrom('users')
      .select(['app_id', 'id'])
      .where(sql<boolean>`(app_id, id) > (${after.app_id}, ${after.id})`)
      .where('ip', '<>', '')
      .where(lastSeen, '<', before)
      .orderBy('app_id')
      .orderBy('id')
      .limit(rowsPerTransaction)
      .execute()
    const last = users.at(-1)
    if (!last) return
    await db.write(async (tx) => {
      for (const [appId, rows] of Map.groupBy(users, (user) => user.app_id)) {
        await tx.db
          .updateTable('users')
          .set({ ip: '' })
          .where('app_id', '=', appId)
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .where(lastSeen, '<', before)
          .execute()
      }
    })
    after = { app_id: last.app_id, id: Number(last.id) }
  }
})
