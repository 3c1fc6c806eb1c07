import type { ReactNode } from 'react'

export interface MenuAction {
  kind?: 'action'
  label: string
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean
  /** Why it is not available now; the entry stays readable. */
  disabledReason?: string
  /** Displayed at the right; the shortcut itself is registered elsewhere. */
  shortcut?: string
}

export interface MenuChoice {
  kind: 'choice'
  label: string
  checked: boolean
  onSelect: () => void
  /** Displayed at the right, e.g. a count. */
  note?: string | undefined
  /** `radio` is one of many, `check` is on or off. The menu stays open for `check`. */
  mode?: 'radio' | 'check'
}

export interface MenuLink {
  kind: 'link'
  label: string
  icon?: ReactNode
  href: string
}

export type MenuEntry = MenuAction | MenuChoice | MenuLink | { kind: 'separator' } | { kind: 'heading'; label: string }

export interface MenuProps {
  /** The trigger's accessible name. Omit it when the trigger's text says it. */
  label?: string
  /** Computed when the menu opens. */
  entries: () => readonly MenuEntry[]
  /** Each time it opens, e.g. to load what its entries show. */
  onOpen?: (() => void) | undefined
  /** Content of the trigger button, unless its style is all it shows. */
  children?: ReactNode
  className?: string
  align?: 'start' | 'end'
  /** Stands above the entries, e.g. who is signed in. */
  header?: ReactNode
}
