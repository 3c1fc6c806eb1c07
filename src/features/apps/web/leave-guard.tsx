import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { dropSettingsDraft, settingsDraft } from './settings-drafts.ts'

const ConfirmDialog = lazyPart(() => import('#web/ui/confirm-dialog.tsx'), 'ConfirmDialog')

/**
 * Asks for confirmation before unsaved settings are left. The page's own dialogs only change the search part of the
 * URL.
 */
export function LeaveGuard({ appId, changes }: { appId: string; changes: string }) {
  // Read when leaving: deleting the app discards its edits and leaves immediately.
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
