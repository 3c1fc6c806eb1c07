import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, SearchX } from 'lucide-react'
import { LogTabs } from '#features/logs/web/log-tabs.tsx'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import { SearchBox } from '#web/table/search-box.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, LoadFailed } from '#web/ui/empty-state.tsx'
import { Filament } from '#web/ui/filament.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useRememberSearch } from './recent-searches.ts'
import { Answer } from './why-answer.tsx'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'
import { NothingAsked } from './why-start.tsx'
import { SubjectFacts } from './why-subject.tsx'
import { Timeline } from './why-timeline.tsx'

export function WhyPage() {
  const withoutApp = t`Please select an app from the sidebar to see why its programs were rejected.`
  return (
    <AppPage title={t`Why was this rejected?`} withoutApp={withoutApp}>
      {() => <WhyRejected />}
    </AppPage>
  )
}

function WhyRejected() {
  const { q = '' } = useSearchParams()
  const setParams = useSetSearchParams()
  const search = q.trim()
  const { data, error, isFetching, refetch } = useQuery(diagnosisQuery(search))
  const again = () => void refetch()
  const ask = (text: string) => void setParams({ q: text || undefined, dialog: undefined }, { replace: true })
  useRememberSearch(search, data !== undefined && !isNothing(data))
  return (
    <div className="relative">
      <Filament active={isFetching && data !== undefined} />
      <PageHeader
        title={t`Why was this rejected?`}
        actions={
          data && (
            <Button icon={<RotateCw />} busy={isFetching} onClick={again}>
              {t`Refresh`}
            </Button>
          )
        }
      />
      <LogTabs />
      <div className="mb-4 md:[&_search]:w-[560px]">
        <SearchBox value={q} onSearch={ask} placeholder={t`License key, username, HWID, IP or support code`} />
      </div>
      {search === '' && <NothingAsked onAsk={ask} />}
      {error && !data && (
        <Card>
          <FailedToLoad error={error} onRetry={again} />
        </Card>
      )}
      {!data && !error && search !== '' && (
        <Card>
          <p role="status" className="px-4 py-14 text-center text-ui text-text-2">{t`Loading…`}</p>
        </Card>
      )}
      {data && <Found diagnosis={data} search={search} />}
    </div>
  )
}

function FailedToLoad({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const requestId = requestIdOf(error)
  return (
    <LoadFailed
      message={failureText(error, t`Failed to load the history`)}
      {...(requestId !== undefined && { requestId })}
      onRetry={onRetry}
    />
  )
}

function Found({ diagnosis, search }: { diagnosis: Diagnosis; search: string }) {
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
