import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { paths } from '../navigation/paths.ts'
import { buttonStyle } from '../ui/button.tsx'

export function AdminBanner() {
  return (
    <section
      aria-label={t`Administration`}
      data-print="no"
      className="flex items-center gap-2.5 border-b border-line bg-surface-2 px-4 py-1.5 md:px-6"
    >
      <ShieldCheck aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <p className="min-w-0 grow text-ui text-text">{t`You are logged in as an administrator`}</p>
      <Link to={paths.adminDashboard()} className={buttonStyle({ size: 'sm' })}>
        {t`Admin Dashboard`}
      </Link>
    </section>
  )
}
