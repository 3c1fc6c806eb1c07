import { plural, t } from '@lingui/core/macro'
import type { Transaction } from './resellers-data.ts'

/** What the ledger writes down of a movement, in the reader's language. */
export function transactionText({
  transactionType,
  description,
}: Pick<Transaction, 'transactionType' | 'description'>) {
  if (transactionType === 'addition') return t`Credits added`
  if (transactionType === 'deduction') {
    const count = Number(/\d+/.exec(description)?.[0] ?? 1)
    return plural(count, { one: 'Generated # license', other: 'Generated # licenses' })
  }
  if (transactionType === 'refund') {
    const license = description.replace(/^Refund of /, '')
    return t`Refund of ${license}`
  }
  return description === 'App removed' ? t`App removed` : t`Credits set`
}
