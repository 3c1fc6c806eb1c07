import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { rejectedCustomersQuery } from './rejected-customers.ts'
import { RejectedLately } from './rejected-lately.tsx'
import { useRecentSearches } from './recent-searches.ts'

/** Who was rejected last, what can be pasted, and the last look-ups of this tab. */
export function NothingAsked({ onAsk, placeholder }: { onAsk: (search: string) => void; placeholder: ReactNode }) {
  const { data, isPending, failureCount } = useQuery(rejectedCustomersQuery())
  if (isPending && failureCount === 0) return placeholder
  return (
    <>
      {data && data.newest.length > 0 && <RejectedLately {...data} />}
      <WhatToPaste onAsk={onAsk} />
    </>
  )
}

function WhatToPaste({ onAsk }: { onAsk: (search: string) => void }) {
  const recent = useRecentSearches()
  const examples = [
    [t`Support code`, 'K7F3-92QD'],
    [t`License key`, 'PRISM-4QXR-77TK-M2WD'],
    [t`Username`, 'marta'],
    [t`HWID or device`, 'Kf8-2bLx0QaZ'],
    [t`IP Address`, '203.0.113.7'],
  ] as const
  return (
    <Card>
      <EmptyState icon={<ShieldQuestionMark />} title={t`Who was rejected?`}>
        {t`Paste what you know about the customer. You see the rule that keeps them out, and can let them in right here.`}
      </EmptyState>
      <dl className="mx-auto -mt-6 grid max-w-md grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 px-4 pb-10 text-ui">
        {examples.map(([name, example]) => (
          <div key={name} className="contents">
            <dt className="text-text-2">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <MachineText value={example} className="text-text-3" />
            </dd>
          </div>
        ))}
      </dl>
      {recent.length > 0 && (
        <section aria-label={t`Recent look-ups`} className="border-t border-line px-4 py-3.5">
          <h2 className="mb-2 text-ui font-medium text-text-2">{t`Recent look-ups`}</h2>
          <ul className="flex flex-wrap gap-2">
            {recent.map((search) => (
              <li key={search} className="max-w-full">
                <button
                  type="button"
                  onClick={() => onAsk(search)}
                  className="max-w-full rounded-md border border-line px-2.5 py-1 text-ui wrap-anywhere hover:border-line-strong hover:bg-surface-2 pointer-coarse:min-h-11"
                >
                  <MachineText value={search} shape="middle" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}
