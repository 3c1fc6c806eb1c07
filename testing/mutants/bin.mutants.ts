import type { Mutant } from './mutant.ts'

const bin = 'src/features/bin'
const restoring = [`${bin}/api/restore-bin.test.ts`]

/** What is deleted, and restored. */
export const binMutants: readonly Mutant[] = [
  {
    guarantee: 'a license that was deleted without a refund is restored without a payment',
    file: 'src/features/licenses/deleted-licenses.actions.ts',
    search: 'refunded: refundedIds.has(license.id),',
    replacement: 'refunded: refundedIds.size >= 0,',
    tests: ['src/features/reseller-api/ledger-model.test.ts'],
  },
  {
    guarantee: 'another owner’s deleted item cannot be restored',
    file: `${bin}/bin.reads.ts`,
    search: `    .where('app_id', '=', appId)
    .where('deleted_at', '>', now - binRetentionSeconds)
    .where('id', 'in', [...ids])`,
    replacement: `    .where('deleted_at', '>', now - binRetentionSeconds)
    .where('id', 'in', [...ids])`,
    tests: restoring,
  },
  {
    guarantee: 'a refund is paid back when the license is restored',
    file: 'src/features/credits/credits.actions.ts',
    search: '[payment, settlement].filter(({ amount }) => amount > 0)',
    replacement: '[settlement].filter(({ amount }) => amount > 0)',
    tests: [`${bin}/bin-credits.test.ts`],
  },
  {
    guarantee: 'what a deleted license gave to a subscription whose removal is undone waits with the license',
    file: 'src/features/users/users-undo.actions.ts',
    search: '  await licensed.keep(tx, waiting)\n',
    replacement: '',
    tests: [`${bin}/api/undo-users.test.ts`],
  },
  {
    guarantee: 'a removal is not undone once all licenses of the subscription are deleted',
    file: 'src/features/users/users-undo.actions.ts',
    search: '      if ((await licensed.read(tx, removed)).subscriptions.length === 0) continue\n',
    replacement: '',
    tests: [`${bin}/api/undo-users.test.ts`],
  },
  {
    guarantee: 'the undo of a removal is kept while another license gave time, too',
    file: 'src/features/entitlements/license-shares.rules.ts',
    search: '.every(({ license }) => license !== null && licenses.has(license))',
    replacement: '.some(({ license }) => license !== null && licenses.has(license))',
    tests: [`${bin}/api/undo-users.test.ts`],
  },
  {
    guarantee: 'a restored user without the license is not free of its ban',
    file: `${bin}/licensed-subscriptions.ts`,
    search: 'row.license_id !== null && !licenses.has(row.license_id)',
    replacement: 'row.license_id !== null && licenses.size < 0',
    tests: restoring,
  },
  {
    guarantee: 'what was deleted 30 days ago is gone',
    file: 'src/server/bin/bin-items.ts',
    search: 'deleted_at <= ${now - binRetentionSeconds}',
    replacement: 'deleted_at <= ${now - 2 * binRetentionSeconds}',
    tests: restoring,
  },
  {
    guarantee: 'the bytes of a file in the bin are not removed',
    file: 'src/database/migrations/015-files-in-the-bin.ts',
    search: "when not exists (select 1 from bin_items where row_key = old.id and kind = 'file')\n",
    replacement: '',
    tests: [`${bin}/bin-files.test.ts`],
  },
  {
    guarantee: 'a file in the bin is not taken for one without a row',
    file: 'src/features/downloads/downloads.reads.ts',
    search: '.unionAll(inBin(db, ids))',
    replacement: '',
    tests: [`${bin}/bin-files.test.ts`],
  },
  {
    guarantee: 'deleted files do not fill the store',
    file: 'src/features/downloads/deleted-downloads.actions.ts',
    search: 'await makeRoomInBin(tx, context, file.id)',
    replacement: '[] as string[]',
    tests: [`${bin}/bin-files.test.ts`],
  },
  {
    guarantee: 'what waited for a deleted webhook is not delivered when the webhook is restored',
    file: 'src/features/webhooks/webhook-deliveries.ts',
    search: 'deliveryId > Number(last ?? 0)',
    replacement: 'deliveryId > Number(last ?? 0) - 1000',
    tests: [`${bin}/bin-webhooks.test.ts`],
  },
  {
    guarantee: 'an older server leaves what only a newer one knows in the bin',
    file: 'src/features/bin/bin.actions.ts',
    search: 'oldest.filter(({ kind }) => isStoredBinKind(kind))',
    replacement: 'oldest',
    tests: [`${bin}/bin-newer-items.test.ts`],
  },
  {
    guarantee: 'the removal of an app with its licenses is completed by calling again',
    file: 'src/features/resellers/reseller-removal.actions.ts',
    search: 'if (!withData || (await countOfReseller(tx.db, scope)).licenses === 0) reject',
    replacement: 'reject',
    tests: ['src/features/resellers/reseller-removal.test.ts'],
  },
  {
    guarantee: 'a deletion of a reseller bans the reseller before, with its event (R-LOG-01)',
    file: 'src/features/resellers/reseller-removal.actions.ts',
    search: 'if (locked.banned === 0) await banReseller(tx, context, { id, banned: true })',
    replacement: '',
    tests: ['src/features/resellers/reseller-removal.test.ts'],
  },
]
