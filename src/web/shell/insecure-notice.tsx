import { t } from '@lingui/core/macro'
import { insecurityStore } from '../browser/connection-security.ts'
import { useStore } from '../browser/store.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'

const InsecureText = lazyPart(() => import('./insecure-text.tsx'), 'InsecureText', { whenIdle: false })

/**
 * Warning on a page loaded over plain HTTP from another machine. Not on a reseller's domain, where nobody can configure
 * the server. Its line keeps its height while the text loads.
 */
export function InsecureNotice() {
  const insecurity = useStore(insecurityStore)
  if (!insecurity) return null
  return (
    <section
      aria-label={t`Connection security`}
      data-print="no"
      className="flex min-h-[41px] items-center gap-2.5 border-b border-line bg-surface-2 px-4 py-1.5 max-md:items-start md:px-6"
    >
      <InsecureText insecurity={insecurity} />
    </section>
  )
}
