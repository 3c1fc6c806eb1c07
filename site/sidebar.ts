import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages of the API reference, which says their order itself (tools/docs/api-reference). */
const collected = process.env['DOCS_PAGES'] ?? ''
const orderOf = (file: string): number =>
  Number(/^ {2}order: (\d+)$/m.exec(readFileSync(join(collected, file), 'utf8'))?.[1])
const apiPages = globSync('api/*.md', { cwd: collected })
  .toSorted((a, b) => orderOf(a) - orderOf(b))
  .map((file) => file.replace(/(?:\/index)?\.md$/, ''))

/** Pages in reading order, by their address below `/docs`. A page outside of it has no place in the menu. */
export const sidebar = [
  {
    label: 'Start',
    items: [
      'start/what-is-signet',
      'start/quick-start-python',
      'start/quick-start-typescript',
      'start/quick-start-csharp',
      'start/quick-start-cpp',
      'start/accounts-and-plans',
    ],
  },
  {
    label: 'Guides',
    items: [
      'guides/customer-life',
      'guides/sessions-sleep-offline',
      'guides/updates-and-downloads',
      'guides/variables',
      'guides/webhooks',
      'guides/sell-by-bot-or-shop',
      'guides/release-from-a-pipeline',
      'guides/command-line',
      'guides/resellers',
      'guides/packaging',
      'guides/testing-your-integration',
    ],
  },
  {
    label: 'Clients',
    items: [
      { label: 'Python', slug: 'clients/python' },
      { label: 'TypeScript', slug: 'clients/typescript' },
      { label: 'C#', slug: 'clients/csharp' },
      { label: 'C++ and C', slug: 'clients/cpp' },
      { label: 'Your own client', slug: 'clients/conformance' },
    ],
  },
  {
    label: 'Reference',
    items: [
      'reference/errors',
      'reference/errors/dashboard',
      'reference/limits',
      'reference/webhook-events',
      'seller-api',
      {
        label: 'API reference',
        collapsed: true,
        items: apiPages,
      },
      'protocol',
      'alerts',
    ],
  },
  {
    label: 'Operate',
    items: [
      'operate/install',
      'operate/behind-a-proxy',
      'operate/settings',
      'operate/plans-and-limits',
      'operate/mail',
      'operate/files',
      'operate/backup-and-restore',
      'operate/postgresql',
      'operate/several-processes',
      'operate/upgrade',
      'operate/monitoring',
      'operate/security',
    ],
  },
]
