import type { Mutant } from './mutant.ts'

const bin = 'src/features/bin'
const restoring = [`${bin}/api/restore-bin.test.ts`]

/** What is deleted, and restored. */
export const binMutants: readonly Mutant[] = [
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
    guarantee: 'a restored user without the license is not free of its ban',
    file: `${bin}/restore-items.ts`,
    search: 'license_id === null || existing.has(license_id)',
    replacement: 'license_id === null || existing.size >= 0',
    tests: restoring,
  },
  {
    guarantee: 'what was deleted 30 days ago is gone',
    file: 'src/server/bin/bin-items.ts',
    search: 'deleted_at <= ${now - binRetentionSeconds}',
    replacement: 'deleted_at <= ${now - 2 * binRetentionSeconds}',
    tests: restoring,
  },
]
