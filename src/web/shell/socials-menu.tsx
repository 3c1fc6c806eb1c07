import { t } from '@lingui/core/macro'
import { links } from '../links.ts'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'

const entryOf = (label: string, href: string): MenuEntry =>
  href ? { kind: 'link', label, href } : { label, onSelect: () => undefined, disabledReason: t`No address set` }

const look = 'rounded-sm text-ui text-text-2 hover:text-text data-[state=open]:text-text'

export function SocialsMenu() {
  const entries = () => [
    entryOf('Discord', links.discord),
    entryOf('Twitter', links.twitter),
    entryOf('GitHub', links.github),
  ]
  return (
    <Menu entries={entries} className={look}>
      {t`Socials`}
    </Menu>
  )
}

/** Without a configured address it keeps its place and says why it leads nowhere (conflicts C47). */
export function DocumentationLink() {
  if (links.documentation) {
    return (
      <a href={links.documentation} target="_blank" rel="noreferrer" className={look}>
        {t`Documentation`}
      </a>
    )
  }
  return (
    <a role="link" aria-disabled="true" title={t`No address set`} className="cursor-default text-ui text-text-2">
      {t`Documentation`}
    </a>
  )
}
