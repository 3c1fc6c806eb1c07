import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { LogTabs } from '#features/logs/web/log-tabs.tsx'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import { SearchBox } from '#web/table/search-box.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { Filament } from '#web/ui/filament.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { useRememberSearch } from './recent-searches.ts'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'
import { NothingAsked } from './why-start.tsx'

/** Most of the page's code, which the page without a search does not need. */
const Found = lazyPart(() => import('./why-found.tsx'), 'Found')

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
  const query = useQuery(diagnosisQuery(search))
  const { data, error, isFetching, refetch } = query
  const again = () => void refetch()
  const ask = (text: string) => void setParams({ q: text || undefined, dialog: undefined }, { replace: true })
  const isAsked = search !== ''
  useEffect(() => {
    if (isAsked) Found.preload()
  }, [isAsked])
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
      <div className="mb-4 sm:[&_search]:w-[560px]">
        <SearchBox value={q} onSearch={ask} placeholder={t`License key, username, HWID, IP or support code`} />
      </div>
      {!isAsked && <NothingAsked onAsk={ask} placeholder={<Loading />} />}
      {error && !data && (
        <Card>
          <QueryFailed query={query} failure={t`Failed to load the history`} />
        </Card>
      )}
      {!data && !error && isAsked && <Loading />}
      {data && <Result diagnosis={data} search={search} />}
    </div>
  )
}

/** The answer, or that its code could not be loaded. */
function Result({ diagnosis, search }: { diagnosis: Diagnosis; search: string }) {
  const [isMissing, setMissing] = useState(false)
  const retry = () => setMissing(false)
  if (isMissing) {
    return (
      <Card>
        <LoadFailed message={t`Failed to load the history`} onRetry={retry} />
      </Card>
    )
  }
  const onFailed = () => setMissing(true)
  return <Found diagnosis={diagnosis} search={search} placeholder={<Loading />} onFailed={onFailed} onReopen={retry} />
}

const Loading = () => (
  <Card>
    <p role="status" className="px-4 py-14 text-center text-ui text-text-2">{t`Loading…`}</p>
  </Card>
)
