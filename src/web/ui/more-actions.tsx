import { t } from '@lingui/core/macro'
import { Ellipsis } from 'lucide-react'
import { Menu } from './menu.tsx'
import type { MenuEntry } from './menu-entry.ts'
import { Tooltip } from './tooltip.tsx'

interface MoreActionsProps {
  label?: string
  entries: () => readonly MenuEntry[]
}

/** The menu with rare actions of a page header or a bulk bar. */
export function MoreActions({ label = t`More actions`, entries }: MoreActionsProps) {
  return (
    <Tooltip text={label} isLabel>
      <Menu
        label={label}
        entries={entries}
        className="inline-flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 pointer-coarse:size-11"
      >
        <Ellipsis className="size-4" />
      </Menu>
    </Tooltip>
  )
}
