import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import type { CallReply } from '#web/call-types.ts'
import { notify } from '#web/notify.ts'
import { batchFailureText } from '#web/batch-failure-text.ts'
import { type Batch, ResumableBatches, batchAfter } from '#web/resumable-batches.ts'
import type { App } from '#web/session.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { DeleteOptions } from './delete-options.tsx'
import { type LicenseCounts, refreshLicenses } from './license-list.ts'

export type WhichLicenses = 'unused' | 'used' | 'all'

const wordings = {
  unused: {
    path: 'POST /delete_unused_licenses',
    title: msg`Delete unused licenses?`,
    confirm: msg`Delete unused licenses`,
    failure: msg`Failed to delete unused licenses`,
  },
  used: {
    path: 'POST /delete_used_licenses',
    title: msg`Delete used licenses?`,
    confirm: msg`Delete used licenses`,
    failure: msg`Failed to delete used licenses`,
  },
  all: {
    path: 'POST /delete_all_licenses',
    title: msg`Delete all licenses?`,
    confirm: msg`Delete all licenses`,
    failure: msg`Failed to delete all licenses`,
  },
} as const

interface DeleteManyDialogProps {
  which: WhichLicenses
  app: App
  counts: LicenseCounts
  onDone: () => void
  onClose: () => void
}

export function DeleteManyDialog({ which, app, counts, onDone, onClose }: DeleteManyDialogProps) {
  const wording = wordings[which]
  const [flags, setFlags] = useState({ deleteUsers: which !== 'unused', refundCredits: true })
  const whole = { appName: app.appName, ...flags }
  const total = which === 'all' ? counts.total : counts[which]
  const [batches] = useState(() => new ResumableBatches<typeof whole & Batch, CallReply<(typeof wording)['path']>>())
  const [progress, setProgress] = useState(0)
  const remove = useMutation({
    mutationFn: () =>
      batches.run(
        (replies) => {
          const batch = batchAfter(replies)
          return batch && { ...whole, ...batch }
        },
        (body) => call(wording.path, { body, appId: app.appId }),
        () => setProgress(deletedBy(batches.replies)),
      ),
    onSuccess: async (replies) => {
      const deleted = deletedBy(replies)
      notify.success(
        plural(deleted, { one: 'Deleted # license successfully', other: 'Deleted # licenses successfully' }),
      )
      onDone()
      await refreshLicenses()
    },
  })
  return (
    <ConfirmDialog
      title={i18n._(wording.title)}
      description={t`This action cannot be undone.`}
      impact={
        <>
          <span className="block">{impactText(which, counts)}</span>
          {which !== 'all' && counts.banned > 0 && (
            <span className="mt-1 block text-text-2">
              {which === 'used'
                ? t`Banned licenses that somebody redeemed go as well.`
                : t`Banned licenses that nobody redeemed go as well.`}
            </span>
          )}
        </>
      }
      typedName={app.appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={i18n._(wording.confirm)}
      busy={remove.isPending}
      error={remove.error ? batchFailureText(remove.error, i18n._(wording.failure), progress) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={() => {
        if (progress > 0) void refreshLicenses()
        onClose()
      }}
    >
      <DeleteOptions
        flags={flags}
        onChange={setFlags}
        noUsers={which === 'unused' ? t`Nobody has redeemed them.` : undefined}
      />
      {remove.isPending ? (
        <ProgressLine label={i18n._(wording.title)} done={progress} total={total} />
      ) : (
        <ShowApiCall calls={() => [apiCall(wording.path, { body: whole, appId: app.appId })]} />
      )}
    </ConfirmDialog>
  )
}

const deletedBy = (replies: readonly { deleted: number }[]) => replies.reduce((sum, { deleted }) => sum + deleted, 0)

function impactText(which: WhichLicenses, { total, unused, used, banned }: LicenseCounts): string {
  if (which === 'unused')
    return plural(unused, { one: 'Deletes # unused license.', other: 'Deletes # unused licenses.' })
  if (which === 'used') return plural(used, { one: 'Deletes # used license.', other: 'Deletes # used licenses.' })
  const lang = document.documentElement.lang || 'en'
  const ofUnused = unused.toLocaleString(lang)
  const ofUsed = used.toLocaleString(lang)
  const ofBanned = banned.toLocaleString(lang)
  const split = t`${ofUnused} unused, ${ofUsed} used, ${ofBanned} banned`
  return plural(total, { one: `Deletes # license: ${split}.`, other: `Deletes # licenses: ${split}.` })
}
