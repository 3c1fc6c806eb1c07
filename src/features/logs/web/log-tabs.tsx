import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'

const look = [
  'flex h-7.5 shrink-0 items-center rounded-md px-2.5 text-ui text-text-2 hover:text-text pointer-coarse:h-11',
  'aria-[current=page]:bg-surface-2 aria-[current=page]:font-medium aria-[current=page]:text-text',
].join(' ')

/** The two pages about what programs did: the log, and why one of them was rejected. */
export function LogTabs() {
  const tabs = [
    { to: paths.logs(), text: t`Log` },
    { to: paths.why(), text: t`Why was this rejected?` },
  ]
  return (
    <nav aria-label={t`Logs`} data-print="no" className="-mx-1 mb-3 flex gap-1 overflow-x-auto p-1">
      {tabs.map(({ to, text }) => (
        <Link key={to} to={to} className={look} activeProps={{ 'aria-current': 'page' }}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
