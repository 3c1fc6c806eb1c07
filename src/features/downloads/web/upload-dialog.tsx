import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { type Problem, useProblemText } from '#web/form/use-problem-text.ts'
import { localeStore } from '#web/texts/locale.ts'
import { notify } from '#web/browser/notify.ts'
import { useStore } from '#web/browser/store.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  bytesLeft,
  downloadDescriptionProblem,
  downloadNameProblem,
  fileSizeProblem,
  freeName,
  maxDownloadNameLength,
  nameOfFile,
} from '../downloads.rules.ts'
import { refreshDownloads, sizeText, type StorageQuota } from './downloads-data.ts'
import { UploadFile } from './upload-file.tsx'
import { useIncomingFile } from './use-incoming-file.ts'
import { type UploadStep, useUpload } from './use-upload.ts'

interface UploadDialogProps {
  quota: StorageQuota
  /** Names already in use. */
  names: readonly string[]
  onClose: () => void
}

/** Uploads a file as soon as it is selected; Complete saves changes made in the form meanwhile. */
export function UploadDialog({ quota, names, onClose }: UploadDialogProps) {
  const locale = useStore(localeStore)
  const problemText = useProblemText()
  const upload = useUpload()
  const { step } = upload
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [authenticated, setAuthenticated] = useState(false)
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [completing, setCompleting] = useState(false)

  const text = (problem: Problem | undefined) => (problem === undefined ? undefined : problemText(problem))
  const notYet = notYetText(step)

  const choose = async ([file, ...others]: readonly File[]) => {
    if (!file || step.at !== 'choose') return
    if (others.length > 0) return upload.reject(t`Choose one file at a time`)
    const tooLarge = fileSizeProblem(file.size, quota)
    if (tooLarge) return upload.reject(text(tooLarge))
    const sent = name.trim() === '' ? freeName(nameOfFile(file.name), names) : name.trim()
    setName(sent)
    setFailure(undefined)
    if (await upload.send({ file, name: sent, description, authenticated })) setFailure(undefined)
  }

  const isOver = useIncomingFile((files) => void choose(files))

  const cancel = async () => {
    await upload.cancel()
    onClose()
  }

  const complete = async () => {
    setTried(true)
    if (step.at !== 'stored') return setFailure(notYet)
    if (downloadNameProblem(name) || downloadDescriptionProblem(description)) return
    const { download } = step
    const wanted = { name: name.trim(), description: description.trim(), authenticated }
    setCompleting(true)
    try {
      const body = { ...wanted, complete: true as const }
      await call('PUT /downloads/file/{name}', { params: { name: download.downloadId }, body })
      notify.success(step.message)
      onClose()
      await refreshDownloads()
    } catch (error) {
      setFailure(failureText(error, t`Upload failed`))
    } finally {
      setCompleting(false)
    }
  }

  return (
    <Dialog
      fullOnPhones
      title={t`Upload File`}
      description={t`Maximum file size: ${sizeText(bytesLeft(quota), locale)}.`}
      onClose={() => void cancel()}
      busy={completing}
      shownOnce={step.at !== 'choose'}
      onSubmit={() => void complete()}
      {...(failure !== undefined && { error: failure })}
      footer={
        <>
          <Button onClick={() => void cancel()} disabled={completing}>{t`Cancel`}</Button>
          <ButtonWithReason
            type="submit"
            variant="primary"
            busy={completing}
            disabledReason={notYet}
          >{t`Complete`}</ButtonWithReason>
        </>
      }
    >
      <div
        className="flex flex-col gap-4 pb-1"
        // While the submit button is disabled, Enter does not submit, so the reason is shown here.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement && notYet) setFailure(notYet)
        }}
      >
        <UploadFile step={step} isOver={isOver} onChoose={(files) => void choose(files)} onStop={upload.stop} />
        <TextField
          label={t`Name`}
          required
          maxLength={maxDownloadNameLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={tried || step.at === 'stored' ? text(downloadNameProblem(name)) : undefined}
        />
        <TextArea
          label={t`Description`}
          rows={2}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          error={text(downloadDescriptionProblem(description))}
        />
        <CheckboxField
          label={t`Require Authentication`}
          help={t`Only your program can download it, after a user has signed in.`}
          checked={authenticated}
          onChange={(event) => setAuthenticated(event.target.checked)}
        />
        <ShowApiCall
          calls={() => {
            const shown = {
              name: name.trim() || undefined,
              description: description.trim() || undefined,
              authenticated,
            }
            return [apiCall('POST /downloads/upload', { body: shown })]
          }}
        />
      </div>
    </Dialog>
  )
}

/** Why the upload cannot be completed yet. */
function notYetText({ at }: UploadStep): string | undefined {
  if (at === 'choose') return t`Please select a file`
  return at === 'sending' ? t`Please wait for the upload to complete` : undefined
}
