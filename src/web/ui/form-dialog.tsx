import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

export interface FormDialogProps extends Pick<
  DialogProps,
  'title' | 'description' | 'size' | 'onClose' | 'initialFocus'
> {
  submitLabel: string
  onSubmit: () => void
  /** Both are asked for, so that no form forgets them. */
  busy: boolean
  error: string | undefined
  submitDisabled?: boolean
  /** Stands left of the buttons. */
  aside?: ReactNode
  children: ReactNode
}

/** A form in a dialog: fields, then Cancel and one submit button; Enter and ⌘↵ submit. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, busy, submitDisabled = false, aside, children, ...dialog } = props
  return (
    <Dialog
      {...dialog}
      busy={busy}
      footer={
        <>
          {aside && <div className="mr-auto self-center">{aside}</div>}
          <Button onClick={dialog.onClose} disabled={busy}>{t`Cancel`}</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={submitDisabled}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <div
        className="flex flex-col gap-4 pb-1"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.preventDefault()
            if (!busy && !submitDisabled) dialog.onSubmit()
          }
        }}
      >
        {children}
      </div>
    </Dialog>
  )
}
