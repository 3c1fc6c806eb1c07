import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ButtonWithReason } from './button-with-reason.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

export interface FormDialogProps extends Pick<
  DialogProps,
  'title' | 'description' | 'size' | 'onClose' | 'initialFocus' | 'formRef'
> {
  submitLabel: string
  onSubmit: () => void
  /** Both are required, so that no form forgets them. */
  busy: boolean
  error: string | undefined
  /** There are unsaved edits: only Cancel discards them without asking. */
  isDirty?: boolean
  /** What is lost besides the edits when they are discarded. */
  discards?: string | undefined
  /** Without a reason: it becomes possible by itself, e.g. once data is loaded. */
  submitDisabled?: boolean
  /** Why it can't be submitted; shown beside the button, unless `aside` does so. */
  blockedReason?: string | undefined
  /** Content to the left of the buttons. */
  aside?: ReactNode
  children: ReactNode
}

/** A form in a dialog: fields, then Cancel and a submit button; Enter and ⌘↵ submit. */
export function FormDialog(props: FormDialogProps) {
  const {
    submitLabel,
    busy,
    submitDisabled = false,
    blockedReason,
    aside,
    children,
    isDirty = false,
    discards,
    onClose,
    ...dialog
  } = props
  const { discard, askFirst } = useDiscardQuestion({ isDirty, busy, onClose })
  const submit = () => {
    if (blockedReason === undefined) dialog.onSubmit()
  }
  return (
    <>
      <Dialog
        fullOnPhones
        {...dialog}
        busy={busy}
        onSubmit={submit}
        onClose={askFirst}
        footer={
          <>
            {aside && <div className="mr-auto self-center max-sm:basis-full">{aside}</div>}
            <Button onClick={onClose} disabled={busy}>{t`Cancel`}</Button>
            <ButtonWithReason
              type="submit"
              variant="primary"
              busy={busy}
              disabled={submitDisabled}
              disabledReason={blockedReason}
              reasonShown={Boolean(aside)}
            >
              {submitLabel}
            </ButtonWithReason>
          </>
        }
      >
        <div
          className="flex flex-col gap-4 pb-1"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault()
              if (!busy && !submitDisabled) submit()
            }
          }}
        >
          {children}
        </div>
      </Dialog>
      {discard && (
        <ConfirmDialog
          title={t`Discard your changes?`}
          description={t`Your changes have not been saved.`}
          impact={discards}
          confirmLabel={t`Discard`}
          danger
          {...discard}
        />
      )}
    </>
  )
}

const isBack = ({ action }: { action: string }) => action === 'BACK' || action === 'FORWARD' || action === 'GO'

/**
 * Escape, a click on the backdrop and the browser's Back button easily happen by accident. While the form is sent, none of
 * them closes it: it closes by itself, or still has what was typed when the call fails.
 */
function useDiscardQuestion({
  isDirty,
  busy,
  onClose,
}: Pick<FormDialogProps, 'busy' | 'onClose'> & { isDirty: boolean }) {
  const [asks, setAsks] = useState(false)
  useBlocker({ shouldBlockFn: isBack, enableBeforeUnload: isDirty, disabled: !busy })
  const back = useBlocker({
    shouldBlockFn: isBack,
    enableBeforeUnload: true,
    disabled: !isDirty || busy,
    withResolver: true,
  })
  const ownQuestion = { onConfirm: onClose, onClose: () => setAsks(false) }
  const backQuestion = { onConfirm: () => back.proceed?.(), onClose: () => back.reset?.() }
  return {
    askFirst: isDirty ? () => setAsks(true) : onClose,
    discard: asks ? ownQuestion : back.status === 'blocked' ? backQuestion : undefined,
  }
}
