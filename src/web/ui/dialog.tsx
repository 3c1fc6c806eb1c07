import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type FormEvent, type ReactNode, type RefObject } from 'react'
import { IconButton } from './icon-button.tsx'
import { useOpener } from './use-opener.ts'

export interface DialogProps {
  title: ReactNode
  /** One or two sentences, announced when the dialog opens. */
  description?: ReactNode
  onClose: () => void
  children?: ReactNode
  /** Buttons, Cancel first. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** It has fields: on phones it takes the whole screen. */
  fullOnPhones?: boolean
  /** Work in progress: Escape, the backdrop and the close button do nothing. */
  busy?: boolean
  /** Only its buttons close it: Escape and clicks on the backdrop do nothing. */
  buttonsOnly?: boolean
  /** Error text, shown above the buttons and announced. */
  error?: string
  /** Wraps body and buttons in a form. */
  onSubmit?: () => void
  formRef?: RefObject<HTMLFormElement | null>
  initialFocus?: RefObject<HTMLElement | null>
}

const widths = { sm: 'sm:max-w-[420px]', md: 'sm:max-w-[560px]', lg: 'sm:max-w-[880px]' }

const panel = [
  'fixed inset-x-0 bottom-(--keyboard) z-50 flex flex-col border-line bg-surface-1 shadow-overlay sm:border',
  'animate-sheet outline-none sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[max(85dvh,min(100dvh-32px,640px))] sm:w-[calc(100vw-48px)] sm:animate-rise sm:rounded-lg',
].join(' ')

const sheet = 'max-sm:max-h-[calc(90dvh-var(--keyboard))] max-sm:rounded-t-lg max-sm:border'
// Not over the server strip, and the buttons stay above the keyboard.
const fullScreen = 'max-sm:top-(--strip-height)'

/** Why a button can't act stands apart, so that no button moves when it no longer does. */
const footerStyle = [
  'flex flex-wrap justify-end gap-2.5 px-5 pt-4 pb-[calc(20px+var(--safe-bottom))] max-sm:*:grow',
  '*:data-reason:order-first *:data-reason:mr-auto max-sm:*:data-reason:basis-full',
].join(' ')

/** Toasts and the server strip: clicks on them do not count as clicks on the backdrop. */
const isAboveDialogs = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-above-dialogs]') !== null

const firstField = ':is(input, select, textarea):not(:disabled, [type=hidden], [readonly])'

/** Open as long as it is mounted; on phones a bottom sheet, or the whole screen. */
export function Dialog(props: DialogProps) {
  const {
    title,
    description,
    onClose,
    children,
    footer,
    size = 'md',
    fullOnPhones = false,
    busy = false,
    buttonsOnly = false,
    error,
    onSubmit,
    formRef,
    initialFocus,
  } = props
  const focusOpener = useOpener()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    event.preventDefault()
    event.stopPropagation()
    if (busy) return
    onSubmit?.()
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const body = (
    <>
      {children && <div className="scroll-edges min-h-0 grow overflow-y-auto px-5 py-1.5">{children}</div>}
      {error && (
        <p role="alert" className="mx-5 mt-2 rounded-md tint-danger px-3 py-2 text-ui text-danger">
          {error}
        </p>
      )}
      {footer && <div className={footerStyle}>{footer}</div>}
    </>
  )
  return (
    <Radix.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]" />
        <Radix.Content
          className={`${panel} ${fullOnPhones ? fullScreen : sheet} ${widths[size]}`}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusOpener()
          }}
          onEscapeKeyDown={(event) => buttonsOnly && event.preventDefault()}
          onInteractOutside={(event) => (buttonsOnly || isAboveDialogs(event.target)) && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const dialog = event.currentTarget as HTMLElement
            const field = dialog.querySelector<HTMLElement>(firstField)
            ;(initialFocus?.current ?? field ?? dialog).focus()
          }}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 grow">
              <Radix.Title className="text-section font-semibold wrap-anywhere">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-ui wrap-anywhere text-text-2">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild disabled={busy}>
              <IconButton label={t`Close`} icon={<X />} className="-mt-1 -mr-2 pointer-coarse:-mt-2.5" />
            </Radix.Close>
          </div>
          {onSubmit ? (
            <form ref={formRef} noValidate onSubmit={submit} className="flex min-h-0 grow flex-col">
              {body}
            </form>
          ) : (
            body
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
