import { t } from '@lingui/core/macro'
import { FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { type Problem, useProblemText } from '#web/form/use-problem-text.ts'
import { localeStore } from '#web/texts/locale.ts'
import { notify } from '#web/browser/notify.ts'
import { useStore } from '#web/browser/store.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  bytesLeft,
  downloadDescriptionProblem,
  downloadNameProblem,
  fileSizeProblem,
  maxDownloadNameLength,
  nameOfFile,
} from '../downloads.rules.ts'
import { type Download, refreshDownloads, sizeText, type StorageQuota } from './downloads-data.ts'
import { uploadFile } from './upload-request.ts'

interface UploadDialogProps {
  quota: StorageQuota
  /** Names that are taken. */
  names: readonly string[]
  onClose: () => void
}

type Step =
  | { at: 'choose'; error?: string | undefined }
  | { at: 'sending'; file: File; part: number }
  | { at: 'stored'; download: Download; message: string }

/** A file uploads as soon as it is chosen; what is changed in the form meanwhile is stored by Complete. */
export function UploadDialog({ quota, names, onClose }: UploadDialogProps) {
  const locale = useStore(localeStore)
  const problemText = useProblemText()
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [authenticated, setAuthenticated] = useState(false)
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [completing, setCompleting] = useState(false)
  const sending = useRef<AbortController>(undefined)
  // Whoever leaves the page by its address cancels too.
  useEffect(() => () => sending.current?.abort(), [])

  const text = (problem: Problem | undefined) => (problem === undefined ? undefined : problemText(problem))

  const notYet =
    step.at === 'choose'
      ? t`Please select a file`
      : step.at === 'sending'
        ? t`Please wait for the upload to complete`
        : undefined

  const choose = async (file: File | undefined) => {
    if (!file || step.at === 'sending') return
    const tooLarge = fileSizeProblem(file.size, quota)
    if (tooLarge) return setStep({ at: 'choose', error: text(tooLarge) })
    const controller = new AbortController()
    sending.current = controller
    const sent = name.trim() === '' ? freeName(nameOfFile(file.name), names) : name.trim()
    setName(sent)
    setFailure(undefined)
    setStep({ at: 'sending', file, part: 0 })
    try {
      const reply = await uploadFile(
        { file, name: sent, description, authenticated },
        { signal: controller.signal, onProgress: (part) => setStep({ at: 'sending', file, part }) },
      )
      setFailure(undefined)
      setStep({ at: 'stored', download: reply.download, message: successText(reply) })
      void refreshDownloads()
    } catch (error) {
      const cause = controller.signal.aborted ? undefined : failureText(error, t`Failed to upload file`)
      setStep({ at: 'choose', error: cause })
    }
  }

  const cancel = async () => {
    sending.current?.abort()
    if (step.at === 'stored') {
      // Nobody completed it, so nobody wants it.
      await call('DELETE /downloads/file/{name}', { params: { name: step.download.downloadId }, body: {} }).catch(
        (error: unknown) => notify.error(failureText(error, t`Failed to delete download`)),
      )
      void refreshDownloads()
    }
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
      title={t`Upload File`}
      description={t`A file can have up to ${sizeText(bytesLeft(quota), locale)}.`}
      onClose={() => void cancel()}
      busy={completing}
      shownOnce={step.at !== 'choose'}
      onSubmit={() => void complete()}
      {...(failure !== undefined && { error: failure })}
      footer={
        <>
          <Button onClick={() => void cancel()} disabled={completing}>{t`Cancel`}</Button>
          <Button type="submit" variant="primary" busy={completing} disabledReason={notYet}>{t`Complete`}</Button>
        </>
      }
    >
      <div
        className="flex flex-col gap-4 pb-1"
        // A button that can't be pressed yet keeps Enter from submitting, and so from saying why.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement && notYet) setFailure(notYet)
        }}
      >
        {step.at === 'choose' ? (
          <DropZone error={step.error} onChoose={(file) => void choose(file)} />
        ) : (
          <Progress step={step} locale={locale} />
        )}
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
          help={t`Only your program can download it, once somebody has signed in.`}
          checked={authenticated}
          onChange={(event) => setAuthenticated(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}

function DropZone({ error, onChoose }: { error: string | undefined; onChoose: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onChoose(event.dataTransfer.files[0])
  }
  return (
    <div>
      <label
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`flex cursor-pointer flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-7 text-ui text-text-2 focus-within:outline-2 focus-within:outline-offset-2 hover:border-text-2 ${over ? 'border-accent-edge bg-surface-2' : 'border-line-strong'}`}
      >
        <FileUp aria-hidden="true" className="size-6" />
        <span>{t`Choose a file, or drop it here`}</span>
        <input
          type="file"
          className="sr-only"
          aria-invalid={error !== undefined}
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
      </label>
      {error !== undefined && (
        <p role="alert" className="mt-1.5 text-meta text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

function Progress({ step, locale }: { step: Exclude<Step, { at: 'choose' }>; locale: string }) {
  // The last hundredth is the server's word that it has all of it.
  const percent = step.at === 'stored' ? 100 : Math.min(99, Math.floor(step.part * 100))
  const [name, bytes] =
    step.at === 'stored' ? [step.download.fileName, step.download.fileSize] : [step.file.name, step.file.size]
  return (
    <div className="rounded-lg border border-line px-4 py-3">
      <p className="flex items-center justify-between gap-3 text-ui">
        <span translate="no" className="truncate" title={name}>
          {name}
        </span>
        <span className="shrink-0 text-meta text-text-2 tabular-nums">
          {sizeText(bytes, locale)} · {percent} %
        </span>
      </p>
      <progress aria-label={t`Upload progress`} max={100} value={percent} className="mt-2 block h-1.5 w-full" />
    </div>
  )
}

/** A file of a name that is taken begins with a number behind it, so that its upload isn't for nothing. */
function freeName(name: string, taken: readonly string[]): string {
  const others = new Set(taken)
  for (let number = 2, free = name; ; number++) {
    if (!others.has(free)) return free
    const suffix = ` (${number})`
    free = name.slice(0, maxDownloadNameLength - suffix.length) + suffix
  }
}
