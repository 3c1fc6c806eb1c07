import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { localeStore } from '#web/browser/locale.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { notify } from '#web/browser/notify.ts'
import { useStore } from '#web/browser/store.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyButton, copyText } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopiedFact, FactList } from '#web/ui/fact-list.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Statistics, useStatistics } from './download-statistics.tsx'
import { displacesDeleted, downloadDescriptionProblem, downloadNameProblem } from '../downloads.rules.ts'
import {
  type Download,
  publicLink,
  refreshDownloads,
  setDownloadActive,
  sizeText,
  type StorageQuota,
} from './downloads-data.ts'

interface RowDialogProps extends DeleteHandlers {
  download: Download
}

export function DeleteDownloadDialog({
  download,
  quota,
  ...handlers
}: RowDialogProps & { quota: StorageQuota | undefined }) {
  const { name, downloadId, completed, fileSize } = download
  const locale = useStore(localeStore)
  const input = { params: { name: downloadId }, body: {} }
  return (
    <DeleteDialog
      title={t`Delete ${name}?`}
      description={
        completed
          ? t`The link stops working. You can restore the file for 30 days.`
          : t`This action cannot be undone, because the upload was not completed.`
      }
      impact={completed && quota && displacesDeleted(fileSize, quota) && displacedText(quota, locale)}
      send={() => call('DELETE /downloads/file/{name}', input)}
      apiCall={() => apiCall('DELETE /downloads/file/{name}', input)}
      refresh={refreshDownloads}
      failure={t`Failed to delete download`}
      {...handlers}
    />
  )
}

function displacedText({ storageBytes }: StorageQuota, locale: string): string {
  const limit = sizeText(storageBytes, locale)
  return t`The deleted files of all your apps would exceed the ${limit} of your plan. The oldest of them are deleted for good to make room.`
}

export function ToggleDownloadDialog({ download, onDone, onClose }: RowDialogProps) {
  // The list refreshes while the dialog is open; its question must not turn into the opposite.
  const [{ name, active, downloadId }] = useState(download)
  const input = { params: { name: downloadId }, body: { active: !active } }
  return (
    <ConfirmDialog
      title={active ? t`Disable ${name}?` : t`Enable ${name}?`}
      description={
        active
          ? t`The link stops working until you enable it again.`
          : t`Everyone with access can download it again from the same link.`
      }
      confirmLabel={active ? t`Disable` : t`Enable`}
      danger={active}
      onConfirm={() => {
        void setDownloadActive({ downloadId }, !active)
        onDone()
      }}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall('POST /downloads/file/{name}/toggle', input)]} />
    </ConfirmDialog>
  )
}

/** Copies the link when the dialog opens, and shows it for manual copying if the browser refuses. */
export function DownloadLinkDialog({ download, onClose }: Omit<RowDialogProps, 'onDone'>) {
  const link = publicLink(download)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => void copyText(link).then(setCopied), [link])
  return (
    <Dialog
      title={isCopied ? t`Link copied` : t`Download link`}
      description={
        download.authenticated
          ? t`It works only for signed-in programs: they fetch the file by its ID.`
          : t`Anyone with this link can download ${download.name}.`
      }
      onClose={onClose}
      footer={
        <>
          <CopyButton text={link} label={t`Copy link`} labeled />
          <Button variant="primary" onClick={onClose}>{t`Done`}</Button>
        </>
      }
    >
      <TextField label={t`Link`} readOnly mono value={link} onFocus={(event) => event.currentTarget.select()} />
      <div className="mt-4">
        <FactList>
          <CopiedFact name="SHA-256" text={download.sha256} />
        </FactList>
      </div>
    </Dialog>
  )
}

export function EditDownloadDialog({ download, onClose }: Omit<RowDialogProps, 'onDone'>) {
  const { name, description, authenticated, downloadId } = download
  const form = useSaveForm({
    start: { name, description, authenticated },
    isNew: false,
    toBody: (values) => ({ ...values, name: values.name.trim(), description: values.description.trim() }),
    problems: (values) => ({
      name: downloadNameProblem(values.name),
      description: downloadDescriptionProblem(values.description),
    }),
    send: ({ changes, before }) =>
      call('PUT /downloads/file/{name}', { params: { name: downloadId }, body: { ...changes, before } }),
    failure: t`Failed to update download`,
    texts: { authenticated: (required) => (required ? t`Required` : t({ message: 'Public', context: 'file' })) },
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshDownloads()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog title={t`Edit download`} submitLabel={t`Save Changes`} {...form.dialog} onClose={onClose}>
      <TextField label={t`Name`} required {...form.field('name')} />
      <TextArea label={t`Description`} rows={3} {...form.field('description')} />
      <CheckboxField
        label={t`Require Authentication`}
        help={t`Only your program can download it, after a user has signed in.`}
        {...form.checkbox('authenticated')}
      />
      <ShowApiCall
        calls={() =>
          form.changes && [apiCall('PUT /downloads/file/{name}', { params: { name: downloadId }, body: form.changes })]
        }
      />
    </FormDialog>
  )
}

export function DownloadStatisticsDialog({ download, onClose }: Omit<RowDialogProps, 'onDone'>) {
  const query = useStatistics(download)
  const { data, error } = query
  return (
    <Dialog
      title={t`Statistics of ${download.name}`}
      description={t`Counts cover all time; addresses and countries cover the last 90 days.`}
      onClose={onClose}
      size="lg"
      footer={<Button variant="primary" onClick={onClose}>{t`Close`}</Button>}
    >
      {error && !data ? (
        <QueryFailed query={query} failure={t`Failed to load statistics`} />
      ) : (
        <>
          <QueryStale query={query} failure={t`Failed to load statistics`} />
          <Statistics data={data} />
        </>
      )}
    </Dialog>
  )
}
