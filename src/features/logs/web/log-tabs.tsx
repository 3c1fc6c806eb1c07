import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { useRangeSearch } from '#web/shell/range-links.ts'
import { tabListStyle, tabStyle } from '#web/ui/tabs.tsx'

/** The two pages about what programs did: the log, and why one of them was rejected. */
export function LogTabs() {
  const rangeSearch = useRangeSearch()
  const tabs = [
    { to: paths.logs(), text: t`Log` },
    { to: paths.why(), text: t`Why was this rejected?` },
  ]
  return (
    <nav aria-label={t`Logs`} data-print="no" className={tabListStyle}>
      {tabs.map(({ to, text }) => (
        <Link
          key={to}
          to={to}
          search={rangeSearch(to)}
          className={tabStyle}
          activeOptions={{ includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
