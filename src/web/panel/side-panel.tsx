import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHasRail } from '../browser/use-media.ts'
import { parseSearch, useSearchParams } from '../navigation/search-params.ts'
import { useDialogEntry } from '../navigation/use-dialog-entry.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs, type Tab } from '../ui/tabs.tsx'
import { useOpener } from '../ui/use-opener.ts'
import type { PanelSubject } from './panel-address.ts'
import { usePanel } from './use-panel.ts'

interface SidePanelProps {
  subject: PanelSubject
  onClose: () => void
  children: ReactNode
}

const place = [
  'fixed inset-0 top-(--strip) z-45 flex flex-col bg-surface-1 outline-none',
  'md:top-[calc(var(--strip)+48px)] md:left-auto md:w-[480px] md:border-l md:border-line md:shadow-overlay md:animate-fade',
].join(' ')

/**
 * The frame of the panel. On wide screens the page beside it stays in use, so a list can be walked through with the
 * panel open; on phones it covers the page.
 */
export function SidePanel({ subject, onClose, children }: SidePanelProps) {
  const isModal = useIsModal()
  const frame = useRef<HTMLDivElement>(null)
  const focusOpener = useOpener()
  const closeAskedDialog = useCloseAskedDialog()
  const { kind, id } = subject
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    // The link to it is gone with what was shown before.
    else if (document.activeElement === document.body) frame.current?.focus()
  }, [kind, id])
  return (
    <Radix.Root open modal={isModal} onOpenChange={(open) => !open && onClose()}>
      <Radix.Content
        ref={frame}
        role={isModal ? 'dialog' : 'region'}
        data-side-panel=""
        aria-describedby={undefined}
        tabIndex={-1}
        className={place}
        onInteractOutside={(event) => event.preventDefault()}
        onEscapeKeyDown={(event) => (closeAskedDialog() || takesEscape(event)) && event.preventDefault()}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          frame.current?.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!focusRow(id)) focusOpener()
        }}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

/**
 * Where the panel covers the page. Changing it makes all of the panel anew, which waits until no dialog of it is open:
 * what is typed there would be lost, for example by turning a tablet.
 */
function useIsModal(): boolean {
  const covers = !useHasRail()
  const { dialog, action } = useSearchParams()
  const [isModal, setIsModal] = useState(covers)
  if (isModal !== covers && dialog === undefined && action === undefined) setIsModal(covers)
  return isModal
}

/** What has the focus beside the panel has an Escape of its own: a text that is searched, the bar of the selected rows. */
const takesEscape = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('[role=searchbox]:not(:placeholder-shown), [role=toolbar]') !== null

/** Closes a dialog that is in the address but not yet above the panel. Returns whether there is one. */
function useCloseAskedDialog(): () => boolean {
  const { history } = useRouter()
  const { close } = useDialogEntry()
  return () => {
    // The router's own state follows later.
    const { dialog, action } = parseSearch(history.location.search)
    if (dialog === undefined && action === undefined) return false
    close()
    return true
  }
}

/** The row of the subject that was open last, unless something else has taken the focus. */
function focusRow(id: string): boolean {
  if (document.activeElement?.matches('body, [data-side-panel]') === false) return true
  const row = document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(id)}"]`)
  row?.focus({ preventScroll: true })
  return row !== null
}

interface PanelBodyProps {
  /** What kind of thing it is, such as "License". */
  kind: string
  name: ReactNode
  /** Its state, beside the name. */
  badge?: ReactNode
  /** Buttons. */
  actions?: ReactNode
  tabs: readonly Tab[]
}

/** The name of a thing, what can be done with it, and its tabs. */
export function PanelBody({ kind, name, badge, actions, tabs }: PanelBodyProps) {
  const { tab, setTab, close } = usePanel()
  const [first] = tabs
  const shown = tabs.find(({ value }) => value === tab) ?? first
  return (
    <>
      <header className="shrink-0 border-b border-line px-5 pt-3.5 pb-3">
        <div className="flex items-start gap-3">
          <Radix.Title asChild>
            <h2 className="min-w-0 grow">
              <span className="block text-meta font-medium text-text-2">{kind}</span>
              <span className="block text-section font-semibold wrap-anywhere">{name}</span>
            </h2>
          </Radix.Title>
          <div className="flex shrink-0 items-center gap-1.5">
            {badge}
            <IconButton label={t`Close`} icon={<X />} className="-mr-2" onClick={close} />
          </div>
        </div>
        {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="min-h-0 grow overflow-y-auto px-5 pt-3.5 pb-8">
        {shown && <Tabs label={kind} tabs={tabs} value={shown.value} onChange={setTab} />}
      </div>
    </>
  )
}

/** While it loads, and when it could not be loaded. */
export function PanelPlaceholder({ kind, name, children }: { kind: string; name: string; children?: ReactNode }) {
  const waiting = (
    <div role="status" aria-label={t`Loading…`} className="flex flex-col gap-3 pt-2">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-64" />
      <Skeleton className="h-3 w-52" />
    </div>
  )
  return <PanelBody kind={kind} name={name} tabs={[{ value: '', label: t`Details`, content: children ?? waiting }]} />
}
