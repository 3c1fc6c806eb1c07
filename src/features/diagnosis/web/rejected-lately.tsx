import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'
import { paths } from '#web/navigation/paths.ts'
import { MachineText } from '#web/ui/machine-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { type RejectedCustomer, rejectedDays } from './rejected-customers.ts'

interface RejectedLatelyProps {
  newest: readonly RejectedCustomer[]
  all: { count: number; isMore: boolean }
}

/** Customers who were rejected last; each leads to its look-up. */
export function RejectedLately({ newest, all: { count, isMore } }: RejectedLatelyProps) {
  return (
    <section aria-labelledby="rejected-lately" className="mb-5">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2
          id="rejected-lately"
          className="text-section font-semibold"
        >{t`Rejected in the last ${rejectedDays} days`}</h2>
        <Link
          to={paths.logs()}
          search={{ 'f.customers': 'rejected', 'f.days': String(rejectedDays) }}
          className="inline-flex items-center gap-1.5 rounded-sm text-ui text-text-2 hover:text-text pointer-coarse:min-h-11"
        >
          {isMore
            ? t`All in the log`
            : plural(count, { one: '# customer in the log', other: 'All # customers in the log' })}
          <ArrowRight aria-hidden="true" className="size-3.5" />
        </Link>
      </div>
      <ul className="ruled overflow-hidden rounded-lg border border-line bg-surface-1">
        {newest.map((customer) => (
          <Customer key={customer.name} customer={customer} />
        ))}
      </ul>
    </section>
  )
}

function Customer({ customer: { name, isLicense, code, at, times } }: { customer: RejectedCustomer }) {
  return (
    <li className="relative flex min-h-11 flex-col gap-y-0.5 px-4 py-2.5 text-ui hover:bg-surface-2 sm:grid sm:items-center sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,3fr)] sm:gap-x-6">
      <Link
        to={paths.why()}
        search={{ q: name }}
        className="min-w-0 wrap-anywhere text-text after:absolute after:inset-0"
      >
        {isLicense ? <MachineText value={name} shape="groups" wraps /> : name}
      </Link>
      <span className="min-w-0 text-text-2">
        {rejectionTitle(code)}
        {times > 1 && <> · {plural(times, { one: '# time', other: '# times' })}</>}
      </span>
      <TimeAgo at={at} className="min-w-0 text-text-2" />
    </li>
  )
}
