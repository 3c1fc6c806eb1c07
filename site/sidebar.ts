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
