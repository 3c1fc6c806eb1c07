import { t } from '@lingui/core/macro'
import { documentationPage } from './documentation-pages.ts'

const names = ['documentation', 'discord', 'twitter', 'github'] as const
type Link = (typeof names)[number]

/** External links configured on the server, which writes them into the page. */
function readLinks(): Partial<Record<Link, string>> {
  const text = document.querySelector<HTMLMetaElement>('meta[name="signet-links"]')?.content ?? ''
  // Vite serves the page with unfilled placeholders.
  return text.startsWith('{') ? (JSON.parse(text) as Partial<Record<Link, string>>) : {}
}

const links = readLinks()

interface NamedLink {
  label: string
  href: string
}

/** Links without a URL are hidden. */
const found = (label: string, href: string | undefined): NamedLink[] => (href ? [{ label, href }] : [])

/** Where this server serves its own documentation. */
const ownDocumentation = '/docs/'

/** The server's own documentation opens at the page about the screen. */
export function documentationLink(pathname: string): NamedLink[] {
  const { documentation } = links
  const page = documentation === ownDocumentation ? documentationPage(pathname) : ''
  return found(t`Documentation`, documentation && `${documentation}${page}`)
}

/** The page about an error code; only the server's own documentation is known to have one. */
export const errorPage = (code: string): string | undefined =>
  links.documentation === ownDocumentation
    ? `${ownDocumentation}reference/errors/${code.toLowerCase().replaceAll('_', '-')}/`
    : undefined

export const socialLinks = (): NamedLink[] => [
  ...found('Discord', links.discord),
  ...found('Twitter', links.twitter),
  ...found('GitHub', links.github),
]
