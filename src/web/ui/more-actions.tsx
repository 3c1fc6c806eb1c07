import { t } from '@lingui/core/macro'
import { Ellipsis } from 'lucide-react'
import { Menu } from './menu.tsx'
import type { MenuEntry } from './menu-entry.ts'
import { Tooltip } from './tooltip.tsx'

/** The menu of a page's header for what is seldom done. */
export function MoreActions({ entries }: { entries: () => readonly MenuEntry[] }) {
  return (
    <Tooltip text={t`More actions`} isLabel>
      <Menu
        label={t`More actions`}
        entries={entries}
        className="inline-flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 pointer-coarse:size-11"
      >
        <Ellipsis className="size-4" />
      </Menu>
    </Tooltip>
  )
}
