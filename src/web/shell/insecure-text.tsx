import { t } from '@lingui/core/macro'
import { LockOpen, X } from 'lucide-react'
import { useState } from 'react'
import { brand } from '../browser/brand.ts'
import { dismissInsecurity, type Insecurity } from '../browser/connection-security.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'

const HttpsDialog = lazyPart(() => import('./https-dialog.tsx'), 'HttpsDialog', { whenIdle: false })

/** What others on the network can read, and what to do about it. */
export function InsecureText({ insecurity }: { insecurity: Insecurity }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <LockOpen aria-hidden="true" className="size-4 shrink-0 text-warn max-md:mt-1.5" />
      <div className="flex min-w-0 grow items-center gap-x-3 gap-y-1.5 max-md:flex-col max-md:items-start max-md:py-1">
        <p className="min-w-0 grow text-ui wrap-anywhere text-text">
          {insecurity.kind === 'no-sign-in' ? (
            <NoSignIn url={insecurity.httpsUrl} />
          ) : brand ? (
            t`This connection is not encrypted. Others on the network can read passwords and license keys.`
          ) : (
            t`This connection is not encrypted. Others on the network can read passwords and license keys. Set TLS_CERT_FILE on the server or use a proxy.`
          )}
        </p>
        {insecurity.kind === 'readable' && !brand && (
          <Button size="sm" onClick={() => setOpen(true)}>{t`Set up HTTPS`}</Button>
        )}
      </div>
      {insecurity.kind === 'readable' && (
        <IconButton size="sm" label={t`Dismiss`} icon={<X />} onClick={dismissInsecurity} />
      )}
      {isOpen && <HttpsDialog onClose={close} onFailed={close} />}
    </>
  )
}

const NoSignIn = ({ url }: { url: string }) => (
  <>
    {t`Signing in works only over HTTPS.`}{' '}
    <a href={url} className="text-accent-text underline underline-offset-2">
      {url}
    </a>
  </>
)
