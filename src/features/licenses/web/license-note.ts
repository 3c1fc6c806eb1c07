import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { showAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { returningTo } from '#web/api/session-end.ts'
import { setUnsaved } from '#web/form/unsaved.ts'
import { dismissNotification, notify } from '#web/browser/notify.ts'
import { notifyEdited } from './license-undo.ts'
import type { License } from './licenses-data.ts'

interface NoteChange {
  notes: string
  /** The stored note that was edited. */
  before: string
}

interface UnsavedNote extends NoteChange {
  /** The message about it. */
  notification: string
}

/** Notes that could not be saved, by app and license, until they are saved or discarded in the form. */
const unsavedNotes = new Map<string, UnsavedNote>()

function keepUnsaved(id: string, note: UnsavedNote) {
  unsavedNotes.set(id, note)
  setUnsaved(id, true)
}

function dropUnsaved(id: string) {
  dismissNotification(unsavedNotes.get(id)?.notification ?? '')
  unsavedNotes.delete(id)
  setUnsaved(id, false)
}

interface EditedFields {
  subscription: number
  expiry: number
  notes: string
}

/**
 * Shows an edit of nothing but the note before the server has answered. If it fails, the former note is shown again, and
 * the form opens with the typed one.
 */
export function useNoteAtOnce({ license }: Pick<License, 'license'>, onClose: () => void) {
  const router = useRouter()
  const appId = selectedAppStore.get()?.appId
  const id = JSON.stringify([appId, license])
  const [unsaved] = useState(() => unsavedNotes.get(id))
  const save = async (change: NoteChange, href: string) => {
    try {
      notifyEdited(await returningTo(href, () => showNote(license, change, appId)), appId)
    } catch (error) {
      const message = failureText(error, t`Failed to update license`)
      const notification = notify.error(t`The note of ${license} was not saved: ${message}`, {
        action: { label: t`Edit again`, onAction: () => router.history.push(href), subject: href },
        duration: Infinity,
      })
      keepUnsaved(id, { ...change, notification })
    }
  }
  return {
    draft: unsaved && {
      get: () => ({ edits: { notes: unsaved.notes }, before: { notes: unsaved.before } }),
      set: () => undefined,
    },
    send: ({ changes, before }: { changes: Partial<EditedFields>; before: Partial<EditedFields> }): boolean => {
      const { notes, ...others } = changes
      // A second attempt waits for the answer, so that the form can show what others have stored.
      if (unsaved || notes === undefined || before.notes === undefined || Object.keys(others).length > 0) return false
      void save({ notes, before: before.notes }, router.history.location.href)
      onClose()
      return true
    },
    /** Discards a note that could not be saved. */
    close: () => {
      dropUnsaved(id)
      onClose()
    },
  }
}

function showNote(licenseKey: string, { notes, before }: NoteChange, appId: string | undefined) {
  const isLicense = (row: Partial<License>) => row.license === licenseKey && row.notes !== undefined
  return showAtOnce({
    id: `note of ${licenseKey}`,
    queryKeys: [appKeyOf(appId, 'licenses')],
    show: withFields<License>(isLicense, { notes }),
    takeBack: withFields<License>(isLicense, { notes: before }),
    send: () => call('POST /update_license', { body: { licenseKey, notes, before: { notes: before } }, appId }),
  })
}
