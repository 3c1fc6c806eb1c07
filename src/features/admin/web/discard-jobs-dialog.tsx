import { plural, t } from '@lingui/core/macro'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { discardJobs, refreshFailedJobs } from './failed-jobs-data.ts'

/** Work that is discarded is never done. */
export function DiscardJobsDialog({ ids, ...handlers }: DeleteHandlers & { ids: readonly string[] }) {
  const count = ids.length
  return (
    <DeleteDialog
      title={plural(count, { one: 'Discard # failed job?', other: 'Discard # failed jobs?' })}
      description={t`This work is never done. This action cannot be undone.`}
      confirmLabel={t`Discard`}
      send={() => discardJobs(ids)}
      refresh={refreshFailedJobs}
      failure={t`Failed to discard the jobs`}
      {...handlers}
    />
  )
}
