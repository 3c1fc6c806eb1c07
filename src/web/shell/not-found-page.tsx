import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '../navigation/paths.ts'
import { buttonStyle } from '../ui/button.tsx'

export function NotFoundPage() {
  return (
    <main id="content" className="flex min-h-dvh flex-col items-center justify-center gap-3 px-6 text-center">
      <p translate="no" className="machine text-text-3">
        404
      </p>
      <h1 tabIndex={-1} className="text-title font-semibold">{t`Page not found`}</h1>
      <p className="text-ui text-text-2">{t`The address may be mistyped, or the page has moved.`}</p>
      <Link to={paths.home()} className={`${buttonStyle({})} mt-2`}>{t`Back to the dashboard`}</Link>
    </main>
  )
}
