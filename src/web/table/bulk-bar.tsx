import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { announce } from '../browser/announce.ts'
import { keptClear } from '../ui/clear-bottom.ts'
import { IconButton } from '../ui/icon-button.tsx'
import type { Selection } from './selection.ts'

export interface BulkBarProps {
  /** `pageIds` are the rows in view: the bar tells whether the whole selection is among them. */
  list: { selection: Selection; total: number; isMore?: boolean; pageIds: readonly string[] }
  /** Offers "select all N". Only for pages whose actions support `selection.allMatching`. */
  canSelectAllMatching?: boolean
  /** Why the actions are disabled. */
  notice?: ReactNode
  /** Buttons, the destructive one last. */
  children: ReactNode
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')]
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
  buttons[(index + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}

/** Floating bar of actions on the selected rows; arrow keys move along it, Escape clears the selection. */
export function BulkBar(props: BulkBarProps) {
  const { list, canSelectAllMatching = false, notice, children } = props
  const { selection, total, isMore = false, pageIds } = list
  const count = selection.count(total)
  const number = count.toLocaleString(document.documentElement.lang)
  const text = selection.allMatching && isMore ? t`More than ${number} selected` : t`${number} selected`
  const onThisPage = !selection.allMatching && pageIds.filter((id) => selection.ids.has(id)).length === count
  useEffect(() => announce(text), [text])
  const all = total.toLocaleString(document.documentElement.lang)
  return (
    <div
      {...keptClear}
      role="toolbar"
      aria-label={t`Actions for selected rows`}
      onKeyDown={(event) => (event.key === 'Escape' ? selection.clear() : moveFocus(event))}
      className="pointer-events-auto flex max-w-full animate-rise flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-surface-2 py-1.5 pr-1.5 pl-3.5 shadow-overlay"
    >
      <span className="text-ui font-semibold text-text">{text}</span>
      <span className="mr-0.5 text-ui text-text-2">
        {onThisPage && <span className="max-sm:sr-only">{t`on this page`}</span>}
        {canSelectAllMatching && !selection.allMatching && total > count && (
          <>
            <span className="max-sm:sr-only"> · </span>
            <button
              type="button"
              onClick={selection.selectAllMatching}
              className="rounded-sm underline underline-offset-2 hover:text-text"
            >
              {isMore ? t`select all matching` : t`select all ${all}`}
            </button>
          </>
        )}
      </span>
      {children}
      <IconButton label={t`Clear selection`} icon={<X />} onClick={selection.clear} />
      {notice !== undefined && <div className="basis-full pb-1">{notice}</div>}
    </div>
  )
}
