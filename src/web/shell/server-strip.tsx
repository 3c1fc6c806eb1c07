import { t } from '@lingui/core/macro'
import { RotateCw, Wifi, WifiOff, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isOutdatedStore } from '../browser/build.ts'
import { lostAtStore, probeServer } from '../api/connection.ts'
import { platformName } from '../browser/platform-name.ts'
import { refetchInView } from '../api/live-lists.ts'
import { useStore } from '../browser/store.ts'
import { currentTimeZone } from '../browser/time-zone.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'

/** State of the server to show. */
export type ServerNotice = { kind: 'lost'; at: number } | { kind: 'back' } | { kind: 'updated'; dismiss: () => void }

const firstProbeMs = 1000
const slowestProbeMs = 15_000
const backMs = 6000

/** While the server is unreachable, retries with growing delays, and immediately when the network is back. */
function useProbing(isLost: boolean) {
  useEffect(() => {
    const ask = () => void probeServer()
    window.addEventListener('offline', ask)
    window.addEventListener('online', ask)
    return () => {
      window.removeEventListener('offline', ask)
      window.removeEventListener('online', ask)
    }
  }, [])
  useEffect(() => {
    if (!isLost) return undefined
    let waitMs = firstProbeMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const schedule = () => {
      timer = setTimeout(() => void ask(), waitMs)
      waitMs = Math.min(waitMs * 2, slowestProbeMs)
    }
    const ask = async () => {
      if (!(await probeServer()) && !gone) schedule()
    }
    schedule()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [isLost])
}

/** Reloads the data of the page, which may be outdated. */
function useIsBack(isLost: boolean): boolean {
  const [isBack, setBack] = useState(false)
  const wasLost = useRef(false)
  useEffect(() => {
    const returned = wasLost.current && !isLost
    wasLost.current = isLost
    if (!returned) return undefined
    setBack(true)
    void refetchInView()
    const timer = setTimeout(() => setBack(false), backMs)
    return () => clearTimeout(timer)
  }, [isLost])
  return isBack
}

export function useServerNotice(): ServerNotice | undefined {
  const lostAt = useStore(lostAtStore)
  const isOutdated = useStore(isOutdatedStore)
  const [isDismissed, setDismissed] = useState(false)
  const isLost = lostAt !== undefined
  useProbing(isLost)
  const isBack = useIsBack(isLost)
  if (isLost) return { kind: 'lost', at: lostAt }
  if (isOutdated && !isDismissed) return { kind: 'updated', dismiss: () => setDismissed(true) }
  return isBack ? { kind: 'back' } : undefined
}

function textOf(notice: ServerNotice): string {
  if (notice.kind === 'back') return t`Connected again.`
  if (notice.kind === 'updated') return t`${platformName} was updated. Reload the page when you're ready.`
  const time = new Date(notice.at).toLocaleTimeString(document.documentElement.lang || 'en', {
    timeStyle: 'short',
    timeZone: currentTimeZone(),
  })
  return t`Connection lost ${time}. What you see may be out of date.`
}

const icons = {
  lost: <WifiOff className="text-warn" />,
  back: <Wifi className="text-accent-text" />,
  updated: <RotateCw className="text-info" />,
}

const line = [
  'flex h-(--strip) items-center justify-center gap-2.5 border-b border-line-strong bg-surface-3 px-3 text-ui',
  '[&_svg]:size-4 [&_svg]:shrink-0',
].join(' ')

/** Above everything, including dialogs, because they depend on the server, too. */
export function ServerStrip({ notice }: { notice: ServerNotice | undefined }) {
  return (
    <div
      data-print="no"
      data-above-dialogs
      data-server-strip={notice && ''}
      // Outside the grid of the shell, even while empty.
      className={`pointer-events-auto fixed inset-x-0 top-0 z-[62] ${notice ? line : ''}`}
    >
      {notice && icons[notice.kind]}
      {/* It stands from the start, so that its first text is read out too. */}
      <p role="status" aria-live="polite" className={notice && 'min-w-0 text-text max-md:text-meta'}>
        {notice && textOf(notice)}
      </p>
      {notice?.kind === 'lost' && (
        <Button size="sm" icon={<RotateCw className="md:hidden" />} onClick={() => void probeServer()}>
          <span className="max-md:sr-only">{t`Try again`}</span>
        </Button>
      )}
      {notice?.kind === 'updated' && (
        <>
          <Button size="sm" onClick={() => location.reload()}>{t`Reload`}</Button>
          <IconButton size="sm" label={t`Dismiss`} icon={<X />} onClick={notice.dismiss} />
        </>
      )}
    </div>
  )
}
