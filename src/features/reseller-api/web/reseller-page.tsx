import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { AppWindow, PackageOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useAssignedApp } from './use-assigned-app.ts'

interface ResellerPageProps {
  title: string
  /** Shown if no app is selected. */
  withoutApp: string
  children: (app: AssignedApp) => ReactNode
}

/** A page about the selected app. */
export function ResellerPage({ title, withoutApp, children }: ResellerPageProps) {
  const app = useAssignedApp()
  const { data: apps = [] } = useQuery(assignedAppsQuery)
  if (app) return children(app)
  return (
    <>
      <PageHeader title={title} />
      <Card>
        {apps.length === 0 ? (
          <EmptyState icon={<PackageOpen />} title={t`No apps`}>
            {t`No apps assigned yet. Contact your administrator to get apps assigned to your reseller account.`}
          </EmptyState>
        ) : (
          <EmptyState icon={<AppWindow />} title={t`No App Selected`}>
            {withoutApp}
          </EmptyState>
        )}
      </Card>
    </>
  )
}
