import { t } from '@lingui/core/macro'
import { ExternalLink, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** Loading timeout, after which the overlay is removed too. */
const maxLoadMs = 15_000

type Loading = 'under way' | 'done' | 'late' | 'blocked'

/** Loading state of the frame. Browsers do not report why a cross-origin page fails to load. */
function useFrameLoading(address: string): [Loading, () => void] {
  const [loading, setLoading] = useState<Loading>('under way')
  useEffect(() => {
    setLoading('under way')
    const timer = setTimeout(() => setLoading((now) => (now === 'under way' ? 'late' : now)), maxLoadMs)
    // If the URL was configured after this page was loaded, the page's CSP still blocks it.
    const reject = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') setLoading('blocked')
    }
    document.addEventListener('securitypolicyviolation', reject)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('securitypolicyviolation', reject)
    }
  }, [address])
  return [loading, () => setLoading((now) => (now === 'blocked' ? now : 'done'))]
}

/** The status page that administrators chose, in a frame with a loading overlay. */
export function StatusFrame({ address }: { address: string }) {
  const [loading, finish] = useFrameLoading(address)
  return (
    <>
      <div className="relative h-[max(420px,calc(100dvh-220px))] overflow-hidden rounded-lg border border-line bg-surface-1">
        {loading !== 'blocked' && (
          <iframe
            key={address}
            src={address}
            title={t`Status dashboard`}
            // The page keeps its own origin; it cannot navigate this page or open dialogs.
            // oxlint-disable-next-line react/iframe-missing-sandbox -- only a same-origin page could escape it
            sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
            onLoad={finish}
            className="size-full border-0 bg-white"
          />
        )}
        {loading !== 'done' && (
          <div
            role="status"
            className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-surface-1 px-6 text-center text-ui text-text-2"
          >
            {loading === 'under way' && (
              <>
                <Spinner />
                <span>{t`Loading status...`}</span>
              </>
            )}
            {loading === 'late' && (
              <>
                <span>{t`The status dashboard is not responding.`}</span>
                <Button onClick={finish}>{t`Show what has loaded`}</Button>
              </>
            )}
            {loading === 'blocked' && (
              <>
                <span>{t`The status dashboard has a new address. Reload the page to see it.`}</span>
                <Button icon={<RotateCw />} onClick={() => location.reload()}>{t`Reload`}</Button>
              </>
            )}
          </div>
        )}
      </div>
      <p className="mt-3">
        <a href={address} target="_blank" rel="noreferrer" className={buttonStyle({ size: 'sm' })}>
          <ExternalLink aria-hidden="true" className="size-4" />
          {t`Open in a new tab`}
        </a>
      </p>
    </>
  )
}
