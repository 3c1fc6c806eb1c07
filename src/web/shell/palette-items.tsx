import { Command } from 'cmdk'
import type { ReactNode } from 'react'

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
  /** Shown instead of the label. */
  children?: ReactNode
  onSelect: () => void
}

export const PaletteItem = ({ label, icon, keywords = [], children, onSelect }: PaletteItemProps) => (
  <Command.Item value={label} keywords={keywords} className={itemStyle} onSelect={onSelect}>
    {icon}
    {children ?? label}
  </Command.Item>
)

export const PaletteGroup = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group heading={heading} className={groupStyle}>
    {children}
  </Command.Group>
)

/** Finds what a text names; its entries stand above all others. */
export interface PaletteFinderProps {
  search: string
  /** Something was found: the label of its first entry. */
  onFound: (label: string) => void
  onClose: () => void
}
