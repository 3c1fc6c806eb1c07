import { addressRetention } from '#server/jobs/address-retention.ts'

const rowsPerTransaction = 500

/** Removes the last IP address of keys that have not been used during the retention period. */
export const redactSellerKeyAddresses = addressRetention(async ({ db }, before) => {
  for (;;) {
    const keys = await db.reports
      .selectFrom('seller_keys')
      .select('id')
      .where('last_used_ip', 'is not', null)
      .where('last_used_at', '<', before)
      .limit(rowsPerTransaction)
      .execute()
    if (keys.length === 0) return
    const ids = keys.map(({ id }) => id)
    await db.write(({ db: trx }) =>
      trx
        .updateTable('seller_keys')
        .set({ last_used_ip: null })
        .where('id', 'in', ids)
        .where('last_used_at', '<', before)
        .execute(),
    )
  }
})
