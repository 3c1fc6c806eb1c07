import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { saveHistory } from './history-file.ts'
import { type AssignedApp, historyQuery, type Transaction, wholeHistory } from './resellers-data.ts'
import { transactionText } from './transaction-text.ts'

interface CreditHistoryProps {
  resellerId: string
  /** Limits the history to this app. */
  appName?: string | undefined
  /** Source of the level names. */
  apps: readonly AssignedApp[]
}

/** A reseller's credit transactions, newest first. */
export function CreditHistory({ resellerId, appName, apps }: CreditHistoryProps) {
  const {
    data: pages,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteQuery(historyQuery(resellerId, appName))
  const data = pages?.pages.flatMap(({ history }) => history)
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
      <ol aria-label={t`Transaction history`} className="ruled rounded-md border border-line text-ui">
        {data.map((each) => (
          <TransactionRow key={each.id} transaction={each} apps={apps} namesApp={appName === undefined} />
        ))}
      </ol>
      <div className="mt-2 flex flex-wrap gap-2">
        {hasNextPage && (
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>{t`Show older`}</Button>
        )}
        <ExportHistory name={appName ?? t`all apps`} read={() => wholeHistory(resellerId, appName)} />
      </div>
      {error && (
        <p role="alert" className="mt-2 text-ui text-danger">
          {failureText(error, t`Failed to load transaction history`)}
        </p>
      )}
    </>
  )
}

/** Saves the history as a file, not only the rows shown. */
export function ExportHistory({ name, read }: { name: string; read: () => Promise<Transaction[]> }) {
  const save = useMutation({
    mutationFn: read,
    onSuccess: (all) => saveHistory(`credits-${name}`, all),
    onError: (error) => notify.error(failureText(error, t`Failed to load transaction history`)),
  })
  return (
    <Button
      size="sm"
      icon={<FileDown />}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >{t`Export as CSV`}</Button>
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

const Amount = ({ amount }: { amount: number }) => (
  <span className={`shrink-0 font-medium tabular-nums ${amount >= 0 ? 'text-accent-text' : 'text-danger'}`}>
    {signed(amount)}
  </span>
)
