import { paths } from './paths.ts'

/** Pages of the server's own documentation about screens; a screen without one leads to the first page. */
const pages: readonly (readonly [screen: string, page: string])[] = [
  [paths.connect(), 'start/quick-start-python'],
  [paths.licenses(), 'guides/customer-life'],
  [paths.users(), 'guides/customer-life'],
  [paths.subscriptions(), 'guides/customer-life'],
  [paths.sessions(), 'guides/sessions-sleep-offline'],
  [paths.sellerApi(), 'seller-api'],
  [paths.variables(), 'guides/variables'],
  [paths.downloads(), 'guides/updates-and-downloads'],
  [paths.webhooks(), 'guides/webhooks'],
  [paths.logs(), 'reference/errors'],
  [paths.why(), 'reference/errors'],
  [paths.alerts(), 'alerts'],
  [paths.audit(), 'operate/security'],
  [paths.manageResellers(), 'guides/resellers'],
  ['/resellers', 'guides/resellers'],
  [paths.profile(), 'start/accounts-and-plans'],
  [paths.status(), 'operate/monitoring'],
  [paths.adminSettings(), 'operate/settings'],
  [paths.adminAudit(), 'operate/security'],
  ['/admin', 'operate/plans-and-limits'],
]

/** Path below `/docs/`, with its ending slash; empty for the first page. */
export function documentationPage(pathname: string): string {
  const [, page] = pages.find(([screen]) => pathname === screen || pathname.startsWith(`${screen}/`)) ?? []
  return page === undefined ? '' : `${page}/`
}

export const documentationPages: readonly string[] = pages.map(([, page]) => page)
