import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { letterKeysStore, listShortcuts, readableKeys } from '../navigation/shortcuts.ts'

/** Parts of the command palette. */

const itemStyle = [
  'flex min-h-9 cursor-default items-center gap-3 rounded-sm px-2.5 text-ui text-text pointer-coarse:min-h-11',
  'data-[selected=true]:bg-surface-3 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-2',
].join(' ')
const groupStyle =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-text-3'

interface PaletteItemProps {
  /** Names the entry, also to the search. */
  label: string
  icon: ReactNode
  keywords?: string[]
  /** ID of the shortcut that does the same. */
  shortcut?: string | undefined
  /** Shown instead of the label. */
  children?: ReactNode
  onSelect: () => void
}

export const PaletteItem = ({ label, icon, keywords = [], shortcut, children, onSelect }: PaletteItemProps) => (
  <Command.Item value={label} keywords={keywords} className={itemStyle} onSelect={onSelect}>
    {icon}
    {children ?? <span className="min-w-0 grow truncate">{label}</span>}
    {shortcut !== undefined && <Keys of={shortcut} />}
  </Command.Item>
)

/** The keys of a shortcut, unless they are turned off. The list of shortcuts has them for screen readers. */
function Keys({ of }: { of: string }) {
  const keys = listShortcuts().find(({ id }) => id === of)?.keys
  if (keys === undefined || !(keys.startsWith('mod+') || letterKeysStore.get())) return null
  return (
    <kbd aria-hidden="true" className="shrink-0 text-meta text-text-3 pointer-coarse:hidden">
      {readableKeys(keys)}
    </kbd>
  )
}

export const PaletteGroup = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group heading={heading} className={groupStyle}>
    {children}
  </Command.Group>
)

/** The name of a thing that was found or opened before, and its state. */
export const PaletteThing = ({ name, note }: { name: string; note: string }) => (
  <span className="flex min-w-0 grow items-baseline gap-3">
    <span translate="no" className="machine min-w-0 truncate">
      {name}
    </span>
    <span className="shrink-0 text-meta text-text-3">{note}</span>
  </span>
)

/** Finds what a text names; its entries stand above all others. */
export interface PaletteFinderProps {
  search: string
  /** Something was found: the label of its first entry. */
  onFound: (label: string) => void
  onClose: () => void
}
