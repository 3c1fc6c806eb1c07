import { t } from '@lingui/core/macro'
import { Menu } from './menu.tsx'
import type { MenuEntry } from './menu-entry.ts'

interface MoreActionsProps {
  label?: string
  entries: () => readonly MenuEntry[]
}

/** The menu with rare actions of a page header or a bulk bar. */
export function MoreActions({ label = t`More actions`, entries }: MoreActionsProps) {
  return (
    <span data-tip={label} className="inline-flex">
      <Menu
        label={label}
        entries={entries}
        className="dots inline-flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 pointer-coarse:size-11"
      />
    </span>
  )
}
