import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmDialogProps {
  title: ReactNode
  /** The effect, in one sentence. */
  description: ReactNode
  confirmLabel: string
  onConfirm: () => void
  onClose: () => void
  busy?: boolean
  error?: string | undefined
  /** For costly actions: what is lost or affected, with counts. */
  impact?: ReactNode
  /** Why it cannot be confirmed yet; the button stays focusable. */
  blockedReason?: string
  /** Red button. Default: on with an impact or a name to type. */
  danger?: boolean
  /** For irreversible actions: this name must be typed. */
  typedName?: string
  /** The text to type is a plain word named in the label: case and surrounding spaces are ignored. */
  isWord?: boolean
  /** Label of the text field, e.g. "App name". */
  typedLabel?: string
  /** Error for a wrong name, e.g. "App name does not match". */
  typedMismatch?: string
  /** Options of the action, e.g. checkboxes. */
  children?: ReactNode
  /** Required fields: they get the initial focus and are above the impact. */
  form?: ReactNode
  /** Below everything else, such as the API call of the action. */
  last?: ReactNode
}

function submitByModEnter(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}

const asWord = (text: string) => text.trim().toLocaleLowerCase()

/** Whether somebody has typed a word that confirms something. */
export const isTyped = (word: string, typed: string): boolean => asWord(typed) === asWord(word)

/** Three tiers: plain, costly (`impact`), irreversible (`typedName`). Cancel has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, confirmLabel, onConfirm, onClose, busy = false, error, impact, typedName } = props
  const { blockedReason, isWord = false, form, last, children } = props
  const danger = props.danger ?? (impact !== undefined || typedName !== undefined)
  const cancel = useRef<HTMLButtonElement>(null)
  const [typed, setTyped] = useState('')
  const [mismatch, setMismatch] = useState(false)
  const confirm = () => {
    if (blockedReason !== undefined) return
    const isRight = isWord ? isTyped(typedName ?? '', typed) : typed === typedName
    if (typedName !== undefined && !isRight) setMismatch(true)
    else onConfirm()
  }
  const hasBody = [impact, typedName, children, form, last].some((part) => part !== undefined)
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      onSubmit={confirm}
      size="sm"
      busy={busy}
      error={error}
      initialFocus={form === undefined ? cancel : undefined}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>{t`Cancel`}</Button>
          <Button
            type="submit"
            variant={danger ? 'danger-solid' : 'primary'}
            busy={busy}
            disabledReason={blockedReason}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {hasBody && (
        <div className="flex flex-col gap-4 pb-1" onKeyDown={submitByModEnter}>
          {form}
          {impact && (
            <div className="rounded-md border border-line bg-surface-2 px-3 py-2.5 text-ui text-text">{impact}</div>
          )}
          {children}
          {typedName !== undefined && (
            <TextField
              label={props.typedLabel ?? t`Type the name to confirm`}
              help={isWord ? undefined : <TypedName name={typedName} />}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              error={mismatch ? (props.typedMismatch ?? t`The name does not match`) : undefined}
              onChange={(event) => {
                setTyped(event.target.value)
                setMismatch(false)
              }}
            />
          )}
          {last}
        </div>
      )}
    </Dialog>
  )
}

const TypedName = ({ name }: { name: string }) => (
  <>
    {t({ message: 'Type', context: 'on the keyboard' })}{' '}
    <span translate="no" className="machine text-text">
      {name}
    </span>
  </>
)

/** Whether a dialog is still open when its call is answered: Back may have closed it since. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  return () => isOpen.current
}
