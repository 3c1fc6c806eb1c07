import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '#web/errors.ts'
import { TimeAgo } from '#web/time/time-ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { type AssignedApp, historyLength, historyQuery, type Transaction } from './resellers-data.ts'
import { transactionText } from './transaction-text.ts'

interface CreditHistoryProps {
  resellerId: string
  /** Of this app alone. */
  appName?: string | undefined
  /** Where the levels have their names. */
  apps: readonly AssignedApp[]
}

/** What happened to a reseller's credits, newest first (part 2 §2, §7). */
export function CreditHistory({ resellerId, appName, apps }: CreditHistoryProps) {
  const { data, error, refetch } = useQuery(historyQuery(resellerId, appName))
  const isLate = useDelayed(data === undefined && !error)
  if (error && !data) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-ui text-danger">
        {failureText(error, t`Failed to load transaction history`)}
        <Button size="sm" onClick={() => void refetch()}>{t`Retry`}</Button>
      </div>
    )
  }
  if (!data) return isLate ? <Skeleton className="h-16 w-full" /> : null
  if (data.length === 0) return <p className="text-ui text-text-2">{t`No transaction history yet`}</p>
  return (
    <>
      <ol aria-label={t`Transaction history`} className="divide-y divide-line rounded-md border border-line text-ui">
        {data.map((each) => (
          <TransactionRow key={each.id} transaction={each} apps={apps} namesApp={appName === undefined} />
        ))}
      </ol>
      {data.length === historyLength && (
        <p className="mt-2 text-meta text-text-3">{t`The newest ${historyLength} are shown.`}</p>
      )}
    </>
  )
}

interface RowProps {
  transaction: Transaction
  apps: readonly AssignedApp[]
  namesApp: boolean
}

function TransactionRow({ transaction, apps, namesApp }: RowProps) {
  const { appName, subscriptionLevel: level, timestamp, amount } = transaction
  const app = apps.find((each) => each.appName === appName)
  const levelName = level === null ? undefined : (app?.subscriptions[level]?.name ?? t`Level ${level}`)
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="min-w-0 grow">
        <span className="block break-words text-text">{transactionText(transaction)}</span>
        <span className="flex flex-wrap gap-x-1.5 text-meta text-text-2">
          {namesApp && <span translate="no">{appName} ·</span>}
          {levelName !== undefined && <span translate="no">{levelName} ·</span>}
          <TimeAgo at={timestamp} />
        </span>
      </span>
      <Amount amount={amount} />
    </li>
  )
}

const signed = (amount: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { signDisplay: 'exceptZero' }).format(amount)

/** Green from zero on, else red (part 2 §2). */
const Amount = ({ amount }: { amount: number }) => (
  <span className={`shrink-0 font-medium tabular-nums ${amount >= 0 ? 'text-accent-text' : 'text-danger'}`}>
    {signed(amount)}
  </span>
)
