import { plural, t } from '@lingui/core/macro'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { appVersion } from '../api/app-selection.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { useSelectedApp } from '../session/use-account.ts'
import { LiveDot } from '../ui/live-dot.tsx'

const Panel = lazyPart(() => import('./app-selector-panel.tsx'), 'AppSelectorPanel')

export const appSelectorStyle =
  'flex h-[50px] w-full items-center gap-3 rounded-lg border border-line bg-surface-1 px-2.5 text-left hover:border-line-strong data-[state=open]:border-line-strong'

export function AppSelectorFace() {
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
        <span className="block truncate text-[11.5px] leading-4 text-text-2">
          {app ? t`v${version} · ${activeSessions}` : t`Select an app`}
        </span>
      </span>
      <ChevronsUpDown className="size-4 shrink-0 text-text-3" />
    </>
  )
}

/** Selects the app of the owner screens. The list is loaded on first use. */
export function AppSelector() {
  const [used, setUsed] = useState(false)
  const plain = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={used}
      onPointerEnter={Panel.preload}
      onFocus={Panel.preload}
      onClick={() => setUsed(true)}
      className={appSelectorStyle}
    >
      <AppSelectorFace />
    </button>
  )
  return <Panel shown={used} placeholder={plain} onFailed={() => setUsed(false)} onReopen={() => setUsed(true)} />
}
