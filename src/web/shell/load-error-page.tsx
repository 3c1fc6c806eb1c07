import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { CallFailed } from '../api/call-failed.ts'
import { isReachable } from '../api/connection.ts'
import { failureText, requestIdOf } from '../api/errors.ts'
import { signOut } from '../session/session.ts'
import { Button } from '../ui/button.tsx'

/** Whether it is rendered inside a shell, which has the page landmark. */
export const InShell = createContext(false)

interface PageFailedProps {
  message: string
  requestId?: string | undefined
  /** A Button with a possible remedy. */
  action: ReactNode
}

/** Replaces a page; small, because the sign-in page includes it. */
export function PageFailed({ message, requestId, action }: PageFailedProps) {
  const content = (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-16 text-center">
      <h1 tabIndex={-1} className="text-section font-semibold">
        {message}
      </h1>
      {requestId && (
        <p translate="no" className="machine text-text-2">
          {t`Request`} {requestId}
        </p>
      )}
      {action}
    </div>
  )
  return useContext(InShell) ? content : <main id="content">{content}</main>
}

/** A page that could not be loaded or has crashed. */
export function LoadErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter()
  const isRejection = error instanceof CallFailed
  const retry = async () => {
    // A reload would fail while the server is unreachable.
    if (!isRejection && (await isReachable())) return location.reload()
    reset?.()
    await router.invalidate()
  }
  const isAway = isRejection && error.status === 0
  const fallback = isAway ? t`The server could not be reached` : t`This page could not be loaded`
  return (
    <PageFailed
      message={failureText(error, fallback)}
      requestId={requestIdOf(error)}
      action={
        <div className="flex gap-2">
          <Button onClick={() => void retry()}>{t`Retry`}</Button>
          {/* An administrator may want to come in with this browser. */}
          {isRejection && error.code === 'MAINTENANCE' && <Button onClick={() => void signOut()}>{t`Sign out`}</Button>}
        </div>
      }
    />
  )
}
