import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { dropSettingsDraft, settingsDraft } from './settings-drafts.ts'

const ConfirmDialog = lazyPart(() => import('#web/ui/confirm-dialog.tsx'), 'ConfirmDialog')

/** Asks before unsaved settings are left behind. The page's own dialogs only change the search part of the address. */
export function LeaveGuard({ appId, changes }: { appId: string; changes: string }) {
  // Read at the moment of leaving: deleting the app drops its edits and leaves at once.
  const hasEdits = () => Object.keys(settingsDraft(appId).edits).length > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasEdits(),
    enableBeforeUnload: hasEdits,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const { proceed, reset } = blocker
  return (
    <ConfirmDialog
      title={t`Leave without saving?`}
      description={t`Your changes are not saved yet.`}
      impact={changes}
      confirmLabel={t`Discard changes`}
      busy={false}
      error={undefined}
      onConfirm={() => {
        dropSettingsDraft(appId)
        proceed()
      }}
      onClose={reset}
      onFailed={reset}
    />
  )
}
