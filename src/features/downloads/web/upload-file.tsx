import { t } from '@lingui/core/macro'
import { Check, FileUp, RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from '#web/browser/store.ts'
import { localeStore } from '#web/browser/locale.ts'
import { lengthLeftText } from '#web/time/time-text.ts'
import { Button } from '#web/ui/button.tsx'
import { CopiedFact, FactList } from '#web/ui/fact-list.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { type Download, sizeText } from './downloads-data.ts'
import type { Pace } from './upload-pace.ts'
import type { UploadStep } from './use-upload.ts'

interface UploadFileProps {
  step: UploadStep
  /** A file is dragged over the page. */
  isOver: boolean
  onChoose: (files: readonly File[]) => void
  onStop: () => void
}

/** The file picker, then the progress of the upload, then the stored file. */
export function UploadFile({ step, isOver, onChoose, onStop }: UploadFileProps) {
  if (step.at === 'choose') return <FilePicker step={step} isOver={isOver} onChoose={onChoose} />
  if (step.at === 'sending') return <Sending file={step.file} pace={step.pace} onStop={onStop} />
  return <Stored download={step.download} isCompared={step.isCompared} />
}

interface FilePickerProps extends Pick<UploadFileProps, 'isOver' | 'onChoose'> {
  step: Extract<UploadStep, { at: 'choose' }>
}

function FilePicker({ step: { error, failed }, isOver, onChoose }: FilePickerProps) {
  return (
    <div>
      <label
        className={`flex cursor-pointer flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-7 text-ui text-text-2 focus-within:outline-2 focus-within:outline-offset-2 hover:border-text-2 ${isOver ? 'border-accent-edge bg-surface-2' : 'border-line-strong'}`}
      >
        <FileUp aria-hidden="true" className="size-6" />
        <span>{t`Choose a file, drop it here, or paste it`}</span>
        <input
          type="file"
          className="sr-only"
          aria-invalid={error !== undefined}
          onChange={(event) => {
            onChoose([...(event.target.files ?? [])])
            // The same file can be chosen again.
            event.target.value = ''
          }}
        />
      </label>
      {error !== undefined && (
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-2">
          <p role="alert" className="text-meta text-danger">
            {error}
          </p>
          {failed && (
            <Button icon={<RotateCw />} onClick={() => onChoose([failed])} title={failed.name}>
              {t`Upload again`}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Sending({ file, pace, onStop }: { file: File; pace: Pace; onStop: () => void }) {
  const locale = useStore(localeStore)
  // 100 % only after the server has confirmed the whole file.
  const percent = Math.min(99, Math.floor((pace.sentBytes / Math.max(1, file.size)) * 100))
  return (
    <FileBox>
      <p className="flex items-center justify-between gap-3">
        <FileName name={file.name} />
        <span className="flex shrink-0 items-center gap-1">
          <span className="text-meta text-text-2 tabular-nums">{percent} %</span>
          <IconButton size="sm" label={t`Cancel upload`} icon={<X />} onClick={onStop} />
        </span>
      </p>
      <Bar percent={percent} />
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-meta text-text-2 tabular-nums">
        <PaceText pace={pace} totalBytes={file.size} locale={locale} />
      </p>
    </FileBox>
  )
}

function PaceText({ pace, totalBytes, locale }: { pace: Pace; totalBytes: number; locale: string }) {
  const { sentBytes, bytesPerSecond, secondsLeft } = pace
  const size = sizeText(totalBytes, locale)
  if (sentBytes >= totalBytes) return <span>{t`${size} sent. Waiting for the server…`}</span>
  const sent = sizeText(sentBytes, locale)
  const speed = bytesPerSecond === undefined ? undefined : sizeText(bytesPerSecond, locale)
  const left = secondsLeft === undefined ? undefined : lengthLeftText(Math.max(1, secondsLeft))
  return (
    <>
      <span>{t`${sent} of ${size}`}</span>
      {speed !== undefined && <span>{t`${speed}/s`}</span>}
      {left !== undefined && <span>{left}</span>}
    </>
  )
}

/** With the hash that programs and users can compare. */
function Stored({ download: { fileName, fileSize, sha256 }, isCompared }: { download: Download; isCompared: boolean }) {
  const locale = useStore(localeStore)
  return (
    <FileBox>
      <p className="flex items-center justify-between gap-3">
        <FileName name={fileName} />
        <span className="shrink-0 text-meta text-text-2 tabular-nums">{sizeText(fileSize, locale)} · 100 %</span>
      </p>
      <Bar percent={100} />
      <div className="mt-2">
        <FactList>
          <CopiedFact name="SHA-256" text={sha256} />
        </FactList>
        <p className="mt-1.5 flex items-center gap-1.5 text-meta text-text-2">
          {isCompared && <Check aria-hidden="true" className="size-3.5 shrink-0" />}
          {isCompared ? t`Matches your file` : t`Compare it with the SHA-256 of your file`}
        </p>
      </div>
    </FileBox>
  )
}

const FileBox = ({ children }: { children: ReactNode }) => (
  <div className="rounded-lg border border-line px-4 py-3 text-ui">{children}</div>
)

const FileName = ({ name }: { name: string }) => (
  <span translate="no" className="truncate" title={name}>
    {name}
  </span>
)

const bar = [
  'mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line',
  '[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-edge [&::-moz-progress-bar]:bg-accent-edge',
].join(' ')

const Bar = ({ percent }: { percent: number }) => (
  <progress aria-label={t`Upload progress`} max={100} value={percent} className={bar} />
)
