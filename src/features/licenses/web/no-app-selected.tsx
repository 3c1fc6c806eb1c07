import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { AppWindow } from 'lucide-react'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function NoAppSelected() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t`Licenses`} />
      <div className="rounded-lg border border-line bg-surface-1">
        <EmptyState
          icon={<AppWindow />}
          title={t`No App Selected`}
          actions={
            <>
              <Button onClick={() => void navigate({ to: paths.manageApps() })}>{t`Manage Apps`}</Button>
              <Button
                variant="primary"
                onClick={() => void navigate({ to: paths.createApp() })}
              >{t`Create New App`}</Button>
            </>
          }
        >
          {t`Choose an app at the top of the sidebar: license keys belong to one app each.`}
        </EmptyState>
      </div>
    </>
  )
}
