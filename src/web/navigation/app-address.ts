import { paths } from './paths.ts'

/**
 * Pages about one app have it in their address: `/a/app_…/licenses`. So two tabs can show two apps, and an address leads
 * somebody else, or a reload, to the same app. Inside the dashboard, all paths go without it.
 */
const appPages: ReadonlySet<string> = new Set([
  paths.settings(),
  paths.connect(),
  paths.licenses(),
  paths.subscriptions(),
  paths.users(),
  paths.sellerApi(),
  paths.variables(),
  paths.sessions(),
  paths.downloads(),
  paths.webhooks(),
  paths.logs(),
  paths.why(),
  paths.alerts(),
  paths.overview(),
  paths.deleted(),
  paths.imports(),
])

export const isAppPage = (pathname: string): boolean => appPages.has(pathname.replace(/\/$/, ''))

const prefix = /^\/a\/([^/?#]+)/

/** The ID of the app that an address names. */
export const appOfAddress = (address: string): string | undefined => prefix.exec(address)?.[1]

/** The path of a page, whatever app its address names. */
export const withoutApp = (pathname: string): string => pathname.replace(prefix, '') || '/'

/** An address with its app as a parameter, in which form a redirect keeps it. */
export function withAppParameter(address: string): string {
  const appId = appOfAddress(address)
  if (appId === undefined) return address
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(address) ?? []
  const params = new URLSearchParams(query)
  params.set('appId', appId)
  return `${withoutApp(path)}?${params}${hash}`
}
