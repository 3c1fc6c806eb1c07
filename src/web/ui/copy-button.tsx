import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { type Ref, use, useRef, useState } from 'react'
import { announce } from '../browser/announce.ts'
import { writeClipboard } from '../browser/clipboard.ts'
import { notify } from '../browser/notify.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { KeptContext } from './kept-context.ts'

/** How long the check mark is shown. */
export const copyFeedbackMs = 2000

export async function copyText(text: string): Promise<boolean> {
  if (await writeClipboard(text)) return true
  notify.error(t`Failed to copy to clipboard`)
  return false
}

export function useCopy(text: string | (() => string), copiedText?: string) {
  // The button may be given the text of another row.
  const [last, setLast] = useState<{ text: typeof text }>()
  const copied = last !== undefined && (last.text === text || typeof text === 'function')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = use(KeptContext)
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return
    if (copiedText === undefined) announce(t`Copied`)
    else notify.success(copiedText)
    keep()
    setLast({ text })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setLast(undefined), copyFeedbackMs)
  }
  return { copied, copy }
}

export interface CopyButtonProps {
  text: string | (() => string)
  /** Label, e.g. "Copy license key". */
  label: string
  /** With `labeled`, the label is visible; otherwise it is an icon with a tooltip. */
  labeled?: boolean
  /** With `labeled`: the button that most people press. */
  primary?: boolean
  ref?: Ref<HTMLButtonElement>
  /** Text of a toast after copying, if any. */
  copiedText?: string | undefined
  className?: string
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, labeled = false, primary = false, copiedText, className, ref } = props
  const { copied, copy } = useCopy(text, copiedText)
  const check = copied && <Check className={primary ? '' : 'text-accent-text'} />
  const onClick = (event: { stopPropagation: () => void }) => {
    event.stopPropagation()
    void copy()
  }
  if (labeled) {
    return (
      <Button
        ref={ref}
        variant={primary ? 'primary' : 'secondary'}
        icon={check || <Copy />}
        onClick={onClick}
        className={className}
      >
        {copied ? t`Copied` : label}
      </Button>
    )
  }
  return (
    <IconButton
      size="sm"
      label={copied ? t`Copied` : label}
      icon={check}
      onClick={onClick}
      className={`${copied ? '' : 'two-sheets'} ${className ?? ''}`}
    />
  )
}
