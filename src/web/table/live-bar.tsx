import { plural, t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { announce } from '../browser/announce.ts'
import { Button } from '../ui/button.tsx'
import type { LiveRows } from './table-list.ts'

const announcedMs = 10_000
let announcedAt = -announcedMs

/** Tells how many rows are new, on the upper edge of the table: it takes no place, so that no row moves. */
export function LiveBar({ live: { added, isLoading, show } }: { live: LiveRows }) {
  const text = plural(added, { one: '# new', other: '# new' })
  useAnnounced(text)
  return (
    <div
      data-print="no"
      className="sticky top-[calc(48px+var(--strip))] z-30 h-0 sm:top-[calc(64px+var(--strip))] sm:pointer-coarse:top-[calc(72px+var(--strip))]"
    >
      {/* On cards, at the end of the line that selects all rows. */}
      <div className="pointer-events-none absolute inset-x-0 -top-3.5 flex justify-center max-sm:top-2 max-sm:justify-end max-sm:pr-2 pointer-coarse:-top-5.5 max-sm:pointer-coarse:top-0.5">
        <div className="pointer-events-auto rounded-md bg-surface-0">
          <Button size="sm" busy={isLoading} onClick={show}>
            <span className="tabular-nums">{text}</span>
            <span aria-hidden="true" className="text-text-3">
              ·
            </span>
            <span className="text-accent-text">{t`Show`}</span>
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Announces the latest text to screen readers, at most every ten seconds. */
function useAnnounced(text: string): void {
  useEffect(() => {
    const timer = setTimeout(
      () => {
        announcedAt = performance.now()
        announce(text)
      },
      Math.max(0, announcedAt + announcedMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [text])
}
