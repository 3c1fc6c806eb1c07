import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useContext } from 'react'
import { paths } from '../navigation/paths.ts'
import { Button, buttonStyle } from '../ui/button.tsx'
import { InShell } from './load-error-page.tsx'
import { paletteStore } from './overlays.tsx'

/** An address without a page. Inside an area, the search of that area helps on. */
export function NotFoundPage() {
  const isInShell = useContext(InShell)
  const content = (
    <>
      <p translate="no" className="machine text-text-3">
        404
      </p>
      <h1 tabIndex={-1} className="text-title font-semibold">{t`Page not found`}</h1>
      <p className="text-ui text-text-2">{t`The address may be mistyped, or the page has moved.`}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2.5">
        {isInShell && <Button icon={<Search />} onClick={() => paletteStore.set(true)}>{t`Search or jump to`}</Button>}
        <Link to={paths.home()} className={buttonStyle({})}>{t`Back to the dashboard`}</Link>
      </div>
    </>
  )
  const look = 'flex flex-col items-center justify-center gap-3 px-6 text-center'
  if (isInShell) return <div className={`${look} py-24`}>{content}</div>
  return (
    <main id="content" className={`${look} min-h-dvh`}>
      {content}
    </main>
  )
}
