import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { selectedAppStore } from '#web/app-selection.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { notifyUndoable } from '#web/notify-undoable.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { actOnLicenses, type BulkTarget, targetCount } from './bulk-licenses.ts'
import { refreshLicenses, seenLicenses } from './license-list.ts'

interface BanSelectedDialogProps {
  action: 'ban' | 'unban'
  target: BulkTarget
  onDone: () => void
  onClose: () => void
}

export function BanSelectedDialog({ action, target, onDone, onClose }: BanSelectedDialogProps) {
  const isBan = action === 'ban'
  const count = targetCount(target)
  // Undo must not touch what was banned, or not banned, before.
  const [undoable] = useState(() => keysThatChange(target, isBan))
  const done = (changed: number) => {
    const text = isBan
      ? plural(changed, { one: 'Banned # license successfully', other: 'Banned # licenses successfully' })
      : plural(changed, { one: 'Unbanned # license successfully', other: 'Unbanned # licenses successfully' })
    const appId = selectedAppStore.get()?.appId
    if (undoable && undoable.length > 0) notifyUndoable(text, () => void undo(undoable, isBan, appId))
    else notify.success(text)
    onDone()
  }
  return (
    <BulkDialog
      action={action}
      target={target}
      title={
        isBan
          ? plural(count, { one: 'Ban # license?', other: 'Ban # licenses?' })
          : plural(count, { one: 'Unban # license?', other: 'Unban # licenses?' })
      }
      description={isBan ? t`Access ends at once; live sessions are closed.` : t`Access is restored at once.`}
      confirmLabel={isBan ? t`Ban` : t`Unban`}
      failure={t`Failed to ban/unban license`}
      onDone={(outcome) => done(outcome.done)}
      onClose={onClose}
    />
  )
}

/** The keys that the act changes; undefined where rows are meant that nobody has seen. */
function keysThatChange(target: BulkTarget, isBan: boolean): string[] | undefined {
  if (!('keys' in target)) return undefined
  const seen = seenLicenses()
  if (target.keys.some((key) => !seen.has(key))) return undefined
  return target.keys.filter((key) => seen.get(key)?.banned !== isBan)
}

async function undo(keys: readonly string[], wasBan: boolean, appId: string | undefined) {
  const failure = t`Failed to ban/unban license`
  try {
    const action = wasBan ? ('unban' as const) : ('ban' as const)
    const { done, failures } = await actOnLicenses({ action, target: { keys }, appId })
    const failed = failures.length
    if (failed > 0) notify.error(t`${done} done · ${failed} failed`)
    else if (wasBan)
      notify.success(
        plural(done, { one: 'Unbanned # license successfully', other: 'Unbanned # licenses successfully' }),
      )
    else notify.success(plural(done, { one: 'Banned # license successfully', other: 'Banned # licenses successfully' }))
  } catch (error) {
    notify.error(failureText(error, failure))
  }
  await refreshLicenses()
}
