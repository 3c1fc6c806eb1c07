import { t } from '@lingui/core/macro'
import { FileUp } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useStore } from '#web/browser/store.ts'
import { localeStore } from '#web/texts/locale.ts'
import { sizeText } from './downloads-data.ts'
import type { UploadStep } from './use-upload.ts'

interface UploadFileProps {
  step: UploadStep
  onChoose: (file: File | undefined) => void
}

/** The file picker, then the progress of the upload. */
export const UploadFile = ({ step, onChoose }: UploadFileProps) =>
  step.at === 'choose' ? <DropZone error={step.error} onChoose={onChoose} /> : <Progress step={step} />

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

function Progress({ step }: { step: Exclude<UploadStep, { at: 'choose' }> }) {
  const locale = useStore(localeStore)
  // 100 % only after the server has confirmed the whole file.
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
