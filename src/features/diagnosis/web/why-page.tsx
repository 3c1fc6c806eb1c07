import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw, ScrollText, SearchX, ShieldQuestionMark } from 'lucide-react'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { AppPage } from '#web/list/app-page.tsx'
import { paths } from '#web/navigation/paths.ts'
import { useSearchParams, useSetSearchParams } from '#web/navigation/search-params.ts'
import { SearchBox } from '#web/table/search-box.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, LoadFailed } from '#web/ui/empty-state.tsx'
import { Filament } from '#web/ui/filament.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Diagnosis, diagnosisQuery, isNothing } from './why-data.ts'
import { SubjectCard } from './why-subject.tsx'
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
  return (
    <div className="relative">
      <Filament active={isFetching && data !== undefined} />
      <PageHeader
        title={t`Why was this rejected?`}
        actions={
          <>
            {data && (
              <Button icon={<RotateCw />} busy={isFetching} onClick={again}>
                {t`Refresh`}
              </Button>
            )}
            <Link to={paths.logs()} className={buttonStyle({})}>
              <ScrollText className="size-4" />
              {t`Logs`}
            </Link>
          </>
        }
      />
      <div className="mb-4 md:[&_search]:w-[440px]">
        <SearchBox
          value={q}
          onSearch={(text) => void setParams({ q: text || undefined }, { replace: true })}
          placeholder={t`License key, username, HWID or IP`}
        />
      </div>
      <Card>
        {search === '' && (
          <EmptyState icon={<ShieldQuestionMark />} title={t`Who was rejected?`}>
            {t`Paste a full license key, username, hardware ID or IP address, or a device as the log shows it, to see its history and, for each rejection, the rule that decided and where to change it.`}
          </EmptyState>
        )}
        {error && !data && <FailedToLoad error={error} onRetry={again} />}
        {!data && !error && search !== '' && (
          <p role="status" className="px-4 py-14 text-center text-ui text-text-2">{t`Loading…`}</p>
        )}
        {data && <Found diagnosis={data} search={search} />}
      </Card>
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
      <EmptyState icon={<SearchX />} title={t`No match for “${search}”`}>
        {t`No license or user of this app has this name, and no program has sent it in the stored logs. Use the complete key, name, hardware ID, device or address.`}
      </EmptyState>
    )
  }
  return (
    <>
      <SubjectCard diagnosis={diagnosis} />
      <Timeline diagnosis={diagnosis} />
    </>
  )
}
