/** A picture of the dashboard on a page of the documentation, in both themes. */
export interface Picture {
  /** Of its files: `docs/images/<name>-light.webp` and `-dark.webp`. */
  name: string
  /** The pages that show it. */
  pages: readonly string[]
  path: string
  /** The entry to choose in the menu of a row. */
  menu?: { row: string; item: string }
  /** The element under the mouse, as CSS. */
  hover?: string
  /** Text that is visible once the picture is complete. */
  ready: string
}

export const pictureSize = { width: 1440, height: 900 }
export const pictureThemes = ['light', 'dark'] as const
export const maxPictureBytes = 120_000

export const pictures: readonly Picture[] = [
  { name: 'overview', pages: ['docs/start/what-is-signet.md'], path: '/overview', ready: 'Rejections by reason' },
  {
    name: 'licenses',
    pages: ['README.md', 'docs/start/what-is-signet.md'],
    path: '/licenses',
    ready: 'Create license',
  },
  { name: 'users', pages: ['docs/guides/customer-life.md'], path: '/users', ready: 'Create user' },
  {
    name: 'why',
    pages: ['docs/guides/customer-life.md'],
    path: '/why?q=petra.k',
    ready: 'petra.k',
  },
  {
    name: 'connect',
    pages: ['docs/guides/testing-your-integration.md'],
    path: '/dashboard',
    hover: 'pre',
    ready: 'Connect your program',
  },
  {
    name: 'webhook-deliveries',
    pages: ['docs/guides/webhooks.md'],
    path: '/webhooks',
    menu: { row: 'Discord bot', item: 'Deliveries' },
    ready: 'Request and response',
  },
  { name: 'reseller', pages: ['docs/guides/resellers.md'], path: '/resellers/nora', ready: 'Allowed plans' },
  { name: 'alerts', pages: ['docs/alerts.md'], path: '/alerts', ready: 'Changed program file' },
]
