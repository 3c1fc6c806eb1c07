import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { MousePointerClick } from 'lucide-react'
import { paths } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function NoAppSelected() {
  return (
    <Card>
      <EmptyState
        icon={<MousePointerClick />}
        title={t`No App Selected`}
        actions={
          <Link to={paths.manageApps()} className={buttonStyle()}>
            {t`Manage Apps`}
          </Link>
        }
      >
        {t`Please select an app from the sidebar to manage its settings.`}
      </EmptyState>
    </Card>
  )
}
