import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { textLine } from '#contract/csv.ts'
import { saveTextFile } from '../browser/save-text-file.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { HandOver } from './hand-over.tsx'
import type { KeyOffer } from './key-message.ts'

interface KeysSheetProps {
  title: string
  description: string
  /** Label of the text field, e.g. "Created license keys". */
  label: string
  keys: readonly string[]
  copyLabel: string
  /** Text of a toast after copying. */
  copiedText?: string
  /** Label of the close button. */
  closeLabel?: string
  /** Prefix of the file name; without it, no file is offered. */
  fileName?: string
  /** What the keys are for, if they go to customers: offers to share them. */
  offer?: KeyOffer
  /** The keys cannot be shown again: Escape and clicks outside do not close it. */
  shownOnce?: boolean
  onClose: () => void
}

const maxLines = 14

/** Shows newly created keys, to be copied or saved. */
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
    offer,
    shownOnce = false,
    onClose,
  } = props
  const copy = useRef<HTMLButtonElement>(null)
  const text = keys.join('\n')
  return (
    <Dialog
      title={title}
      description={description}
      initialFocus={copy}
      shownOnce={shownOnce}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{closeLabel}</Button>
          {fileName !== undefined && (
            <Button icon={<Download />} onClick={() => saveTextFile(fileName, 'txt', keys.map(textLine).join(''))}>
              {t`Download TXT`}
            </Button>
          )}
          <CopyButton ref={copy} labelled primary text={text} label={copyLabel} copiedText={copiedText} />
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
      {offer && <HandOver keys={keys} offer={offer} />}
    </Dialog>
  )
}
