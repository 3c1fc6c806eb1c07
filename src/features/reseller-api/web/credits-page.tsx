import { t } from '@lingui/core/macro'
import { History } from 'lucide-react'
import { useMemo } from 'react'
import { plansForSale } from '#features/resellers/resellers.rules.ts'
import { ExportHistory } from '#features/resellers/web/credit-history.tsx'
import { transactionText } from '#features/resellers/web/transaction-text.ts'
import type { AssignedApp } from './assigned-apps.ts'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { CreditsAsOf, useCreditsText } from './credits-left.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import {
  creditHistory,
  levelName,
  noPlanText,
  type PlanForSale,
  readOwnHistory,
  type Transaction,
} from './reseller-data.ts'
import { ResellerPage } from './reseller-page.tsx'

/** Available, spent and refunded credits. */
export function CreditsPage() {
  return (
    <ResellerPage
      title={t`Credits`}
      withoutApp={t`No app selected. Please select an app from the sidebar to see its credits.`}
    >
      {(app) => <AppCredits app={app} />}
    </ResellerPage>
  )
}

function AppCredits({ app }: { app: AssignedApp }) {
  const list = useListPage(creditHistory)
  const columnsOf = useMemo(() => () => transactionColumns(app), [app])
  return (
    <>
      <PageHeader title={t`Credits`} description={<span translate="no">{app.appName}</span>} />
      <Notice>{t`Only an administrator can add credits. Ask the person who gave you this account.`}</Notice>
      <Balance app={app} />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section font-semibold">{t`Transaction history`}</h2>
        {list.total > 0 && <ExportHistory name={app.appName} read={() => readOwnHistory()} />}
      </div>
      <DataTable
        id="credit-history"
        label={t`Transaction history`}
        newestFirst
        list={list}
        columns={useColumns(columnsOf)}
        rowLabel={transactionText}
        errorText={t`Failed to load transaction history`}
        empty={
          <EmptyState icon={<History />} title={t`No transaction history yet`}>
            {t`Licenses you generate and refunds you receive are listed here.`}
          </EmptyState>
        }
      />
    </>
  )
}

function Balance({ app }: { app: AssignedApp }) {
  const credits = useCreditsText()
  const plans = plansForSale(app)
  return (
    <Card className="mb-5">
      <div className="flex flex-wrap items-start gap-x-10 gap-y-3 px-4 py-3.5">
        <p>
          <span className="block text-meta text-text-2">{t`Available credits`}</span>
          <span className="block text-stat font-semibold text-violet tabular-nums">{credits}</span>
          <CreditsAsOf className="text-meta text-warn" />
        </p>
        <div className="min-w-0">
          <p className="mb-1 text-meta text-text-2">{t`License costs`}</p>
          {plans.length === 0 ? (
            <p className="text-ui text-text-2">{noPlanText(app)}</p>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {plans.map((each) => (
                <li key={each.plan}>
                  <Badge tone="violet">{costText(each)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Card>
  )
}

/** `30d = 5c`. */
const costText = ({ plan: days, cost }: PlanForSale): string => t`${days}d = ${cost}c`

const transactionColumns = (app: AssignedApp): readonly Column<Transaction>[] => [
  { id: 'description', header: t`Description`, width: 280, sortable: true, cell: (row) => transactionText(row) },
  {
    id: 'amount',
    header: t`Amount`,
    width: 110,
    sortable: true,
    align: 'end',
    card: 'aside',
    cell: ({ amount }) => <Amount of={amount} />,
  },
  {
    id: 'subscription',
    header: t`Subscription`,
    width: 140,
    yields: 1,
    sortable: true,
    cell: ({ subscriptionLevel }) => <span className="text-text-2">{levelName(app, subscriptionLevel)}</span>,
  },
  {
    id: 'time',
    header: t`Time`,
    width: 150,
    sortable: true,
    ...agoCells(({ timestamp }) => timestamp),
  },
]

/** Shows the sign too, so that color is not the only cue. */
function Amount({ of: amount }: { of: number }) {
  const text = amount.toLocaleString(document.documentElement.lang || 'en', { signDisplay: 'exceptZero' })
  return <span className={`tabular-nums ${amount >= 0 ? 'text-accent-text' : 'text-danger'}`}>{text}</span>
}
