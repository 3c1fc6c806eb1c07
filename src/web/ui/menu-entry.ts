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
