import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Hammer } from 'lucide-react'
import { useRouteTitle } from '../route-title.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** @TODO Temporary: goes when the last screen of the documents exists. */
export function PendingPage() {
  const title = useRouteTitle()
  return (
    <>
      <PageHeader title={title ? i18n._(title) : ''} />
      <Card>
        <EmptyState icon={<Hammer />} title={t`Not built yet`}>
          {t`This screen is planned and its place is kept. Nothing here works yet.`}
        </EmptyState>
      </Card>
    </>
  )
}
