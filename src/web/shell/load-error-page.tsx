import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { CallFailed } from '../call-failed.ts'
import { failureText, requestIdOf } from '../errors.ts'
import { LoadFailed } from '../ui/empty-state.tsx'

/** A page that could not start: the server is away, or its code could not be loaded after a new release. */
export function LoadErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter()
  const retry = async () => {
    if (!(error instanceof CallFailed)) {
      location.reload()
      return
    }
    reset?.()
    await router.invalidate()
  }
  const fallback =
    error instanceof CallFailed && error.status === 0
      ? t`The server could not be reached`
      : t`This page could not be loaded`
  return (
    <main id="content" className="mx-auto max-w-xl py-16">
      <h1 tabIndex={-1} className="sr-only">{t`Something went wrong`}</h1>
      <LoadFailed message={failureText(error, fallback)} requestId={requestIdOf(error)} onRetry={() => void retry()} />
    </main>
  )
}
