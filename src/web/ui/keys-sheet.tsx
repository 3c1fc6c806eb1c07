import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { textLine } from '#contract/csv.ts'
import { saveTextFile } from '../browser/save-text-file.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

interface KeysSheetProps {
  title: string
  description: string
  /** Names the field that holds them, e.g. "Created license keys". */
  label: string
  keys: readonly string[]
  copyLabel: string
  /** What a toast says once they are copied. */
  copiedText?: string
  /** Of the button that closes it. */
  closeLabel?: string
  /** The beginning of a text file's name; without it none is offered. */
  fileName?: string
  /** They can't be seen again: Escape and a click outside don't close it. */
  shownOnce?: boolean
  onClose: () => void
}

const maxLines = 14

/** Hands over keys that were just made: to be copied, or saved. */
export function KeysSheet(props: KeysSheetProps) {
  const {
    title,
    description,
    label,
    keys,
    copyLabel,
    copiedText,
    closeLabel = t`Done`,
    fileName,
    shownOnce = false,
    onClose,
  } = props
  const done = useRef<HTMLButtonElement>(null)
  const text = keys.join('\n')
  return (
    <Dialog
      title={title}
      description={description}
      initialFocus={done}
      shownOnce={shownOnce}
      onClose={onClose}
      footer={
        <>
          <CopyButton labelled text={text} label={copyLabel} copiedText={copiedText} />
          {fileName !== undefined && (
            <Button icon={<Download />} onClick={() => saveTextFile(fileName, 'txt', keys.map(textLine).join(''))}>
              {t`Download TXT`}
            </Button>
          )}
          <Button ref={done} variant="primary" onClick={onClose}>
            {closeLabel}
          </Button>
        </>
      }
    >
      <textarea
        readOnly
        aria-label={label}
        translate="no"
        spellCheck={false}
        rows={Math.min(Math.max(keys.length, 2), maxLines)}
        value={text}
        className="control machine w-full resize-y px-3 py-2 break-all text-text"
      />
    </Dialog>
  )
}
