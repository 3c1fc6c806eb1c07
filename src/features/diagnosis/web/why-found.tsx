import { t } from '@lingui/core/macro'
import { SearchX } from 'lucide-react'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Answer } from './why-answer.tsx'
import { type Diagnosis, isNothing } from './why-data.ts'
import { SubjectFacts } from './why-subject.tsx'
import { Timeline } from './why-timeline.tsx'

/** What is known of a customer, and why the last request was rejected. */
export function Found({ diagnosis, search }: { diagnosis: Diagnosis; search: string }) {
  if (isNothing(diagnosis)) {
    return (
      <Card>
        <EmptyState icon={<SearchX />} title={t`No match for “${search}”`}>
          {t`No license or user of this app has this name, and no program has sent it in the stored logs. Use the complete key, name, hardware ID, device, address or support code.`}
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="lg:col-span-2">
        <Answer diagnosis={diagnosis} search={search} />
      </div>
      {/* Above the timeline on phones, beside it on wide screens. */}
      <div className="min-w-0 lg:order-last lg:self-start">
        <SubjectFacts diagnosis={diagnosis} />
      </div>
      <Timeline diagnosis={diagnosis} />
    </div>
  )
}
