import { plural, t } from '@lingui/core/macro'
import type { ColumnField } from '../import-files.rules.ts'
import type { Import } from './imports-data.ts'

const numberText = (count: number): string => count.toLocaleString(document.documentElement.lang || 'en')

/** "1,200 users created · 3 skipped". */
export function countsText({ kind, created, overwritten, skipped, doneRows, totalRows }: Import): string {
  const parts = [
    kind === 'users'
      ? plural(created, { one: '# user created', other: '# users created' })
      : plural(created, { one: '# license created', other: '# licenses created' }),
    overwritten > 0 && plural(overwritten, { one: '# overwritten', other: '# overwritten' }),
    skipped > 0 && plural(skipped, { one: '# skipped', other: '# skipped' }),
    doneRows < totalRows && reachedText(doneRows, totalRows),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

function reachedText(doneRows: number, totalRows: number): string {
  const reached = numberText(doneRows)
  return plural(totalRows, { one: `stopped after ${reached} of # row`, other: `stopped after ${reached} of # rows` })
}

export function fieldTexts(): Record<ColumnField, string> {
  return {
    key: t`License key`,
    level: t`Level`,
    duration: t`Duration`,
    status: t`Status`,
    notes: t`Notes`,
    username: t`Username`,
    email: t`Email`,
    password: t`Password hash (bcrypt)`,
    hwid: t`HWID`,
    banned: t`Banned`,
    subscriptions: t`Subscriptions`,
    expiry: t`Expires at`,
  }
}
