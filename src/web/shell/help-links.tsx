import { t } from '@lingui/core/macro'
import { useRouterState } from '@tanstack/react-router'
import { withoutApp } from '../navigation/app-address.ts'
import { documentationLink, socialLinks } from '../navigation/links.ts'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'

const look = 'rounded-sm text-ui text-text-2 hover:text-text data-[state=open]:text-text'

/** Documentation and social links on wide screens. */
export function HelpLinks() {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const socials = socialLinks().map((link): MenuEntry => ({ kind: 'link', ...link }))
  return (
    <>
      {documentationLink(pathname).map(({ label, href }) => (
        <a key={href} href={href} target="_blank" rel="noreferrer" className={look}>
          {label}
        </a>
      ))}
      {socials.length > 0 && (
        <Menu entries={() => socials} className={look}>
          {t`Socials`}
        </Menu>
      )}
    </>
  )
}

/** The same links inside a menu, on narrow screens. */
export function helpEntries(): MenuEntry[] {
  const [documentation, socials] = [documentationLink(withoutApp(location.pathname)), socialLinks()]
  const entry = (link: (typeof socials)[number]): MenuEntry => ({ kind: 'link', ...link })
  return [
    ...documentation.map(entry),
    ...(socials.length > 0 ? [{ kind: 'heading' as const, label: t`Socials` }, ...socials.map(entry)] : []),
    ...(documentation.length + socials.length > 0 ? [{ kind: 'separator' as const }] : []),
  ]
}
