import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { textLine } from '#contract/csv.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { DownloadTextButton } from './download-text-button.tsx'
import { HandOver } from './hand-over.tsx'
import type { KeyOffer } from './key-message.ts'
import { ShownOnceDialog } from './shown-once.tsx'

interface KeysSheetProps {
  title: string
  description: ReactNode
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
  /** The keys can't be shown again. */
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
  const Sheet = shownOnce ? ShownOnceDialog : Dialog
  return (
    <Sheet
      title={title}
      description={description}
      initialFocus={copy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{closeLabel}</Button>
          {fileName !== undefined && <DownloadTextButton fileName={fileName} text={keys.map(textLine).join('')} />}
          <CopyButton ref={copy} labeled primary text={text} label={copyLabel} copiedText={copiedText} />
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
    </Sheet>
  )
}
