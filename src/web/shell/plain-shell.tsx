import { Outlet } from '@tanstack/react-router'
import { platformName } from '../browser/platform-name.ts'
import { HelpLinks } from './help-links.tsx'
import { InShell } from './load-error-page.tsx'

/** Pages that belong to no area: a frame without a rail. */
export function PlainShell() {
  return (
    <main id="content" tabIndex={-1} className="mx-auto max-w-[960px] px-4 pt-8 pb-10 outline-none md:px-6">
      <p translate="no" className="mb-4 text-ui font-medium text-text-2">
        {platformName}
      </p>
      <InShell value>
        <Outlet />
      </InShell>
      <footer className="mt-8 flex flex-wrap gap-3.5">
        <HelpLinks />
      </footer>
    </main>
  )
}
