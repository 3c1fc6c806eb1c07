import { plural, t } from '@lingui/core/macro'
import { ChevronsUpDown } from 'lucide-react'
import { appVersion } from '../api/app-selection.ts'
import { useSelectedApp } from '../session/use-account.ts'
import { LiveDot } from '../ui/live-dot.tsx'

export const appSelectorStyle =
  'flex h-[50px] w-full items-center gap-3 rounded-lg border border-line bg-surface-1 px-2.5 text-left hover:border-line-strong data-[state=open]:border-line-strong'

/** In the top bar of phones, the name alone. */
export const narrowSelectorStyle =
  'flex h-11 min-w-0 items-center gap-2 rounded-md px-1 text-left hover:bg-surface-2 data-[state=open]:bg-surface-2'

export function AppSelectorFace({ narrow = false }: { narrow?: boolean }) {
  const app = useSelectedApp()
  const version = appVersion(app)
  const activeSessions = plural(app?.activeSessions ?? 0, { one: '# active session', other: '# active sessions' })
  return (
    <>
      <LiveDot on={app?.settings.appStatus ?? false} />
      <span className="min-w-0 grow">
        <span className="block truncate text-ui leading-[18px] font-semibold text-text">
          {app?.appName ?? t`No App Selected`}
        </span>
        {!narrow && (
          <span className="block truncate text-[11.5px] leading-4 text-text-2">
            {app ? t`v${version} · ${activeSessions}` : t`Select an app`}
          </span>
        )}
      </span>
      <ChevronsUpDown className="size-4 shrink-0 text-text-3" />
    </>
  )
}
