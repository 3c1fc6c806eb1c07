import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { AppWindow } from 'lucide-react'
import { paths } from '../navigation/paths.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import { PageHeader } from './page-header.tsx'

/** Replaces an app screen while no app is selected; `text` names the app data shown there. */
export function NoAppSelected({ title, text }: { title: string; text: string }) {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={title} />
      <Card>
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
          {text}
        </EmptyState>
      </Card>
    </>
  )
}
