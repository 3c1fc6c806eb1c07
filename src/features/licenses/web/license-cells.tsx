import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { paths } from '#web/paths.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { TimeAgo } from '#web/time/time-ago.tsx'
import { durationText } from '#web/time/time-text.ts'
import { TimeLeft } from '#web/time/time-left.tsx'
import type { License } from './license-list.ts'

// All of them are memoised: selecting a hundred rows draws a hundred checkboxes, not eight hundred cells.

/** Longer keys are cut in the middle: people compare the ends. */
const maxShownLength = 24

export const KeyCell = memo(function KeyCell({ license }: { license: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 truncate">
        <MachineText value={license} shape={license.length > maxShownLength ? 'middle' : 'groups'} />
      </span>
      <CopyButton text={license} label={t`Copy license key`} className="text-text-3" />
    </span>
  )
})

export const CreatedCell = memo(function CreatedCell({ at }: { at: number }) {
  return <TimeAgo at={at} className="text-text-2" />
})

/** What redeeming gives while nobody has; then when it ends. */
export const ExpiryCell = memo(function ExpiryCell({ license }: { license: License }) {
  const { used, expiry, expiresAt } = license
  if (used && expiresAt !== null) return <TimeLeft until={expiresAt} full={expiry} />
  return <span className="text-text-2">{durationText(expiry)}</span>
})

export const UsedByCell = memo(function UsedByCell({ license: { license, usedBy } }: { license: License }) {
  if (usedBy === '') return <span className="text-text-3">—</span>
  if (usedBy === license) return t`Same as license`
  const selectedUser = { selectedUser: usedBy }
  return (
    <Link
      to={paths.users()}
      state={(state) => ({ ...state, ...selectedUser })}
      title={usedBy}
      className="rounded-sm hover:underline hover:underline-offset-2"
    >
      {usedBy}
    </Link>
  )
})
