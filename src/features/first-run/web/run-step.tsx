import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { announce } from '#web/browser/announce.ts'
import { paths } from '#web/navigation/paths.ts'
import { useDialog } from '#web/navigation/use-dialog.ts'
import type { App } from '#web/session/session.ts'
import { nowSeconds, useTicking } from '#web/time/clock.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { countryText } from '#web/ui/country-text.ts'
import { Fact, FactList } from '#web/ui/fact-list.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { LiveDot } from '#web/ui/live-dot.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { LastStart } from '#features/apps/web/last-start.tsx'
import type { DiagnosisEvent } from '#features/diagnosis/web/why-data.ts'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'
import { refreshFirstRun, runsQuery } from './first-run-data.ts'
import { type ProgramRuns, programRuns } from './program-runs.ts'
import { StepCard } from './step-card.tsx'

const BanLicenseDialog = lazyDialog(() => import('#features/licenses/web/license-row-actions.tsx'), 'BanLicenseDialog')

/** A session without a heartbeat for so long is no longer counted as active. */
const recentSeconds = 600

/** Waits for the program with the test key, for its ban, and for the rejection. */
export function RunStep({ app, testKey }: { app: App; testKey: string | undefined }) {
  const runs = useQuery(runsQuery(testKey))
  const dialog = useDialog()
  const state = runs.data && programRuns(runs.data)
  const isBanned = runs.data?.license?.banned ?? false
  const hasRun = testKey === undefined ? app.lastInitAt !== null : state !== undefined && state.phase !== 'waiting'
  return (
    <div data-tells-first-run={testKey === undefined ? undefined : ''}>
      <StepCard number={3} state={hasRun ? 'done' : testKey === undefined ? 'later' : 'now'} title={t`Run it`}>
        {testKey === undefined && (
          <div className="-mx-4 -mb-4 sm:-mx-[18px]">
            <LastStart at={app.lastInitAt} />
          </div>
        )}
        {!state && runs.error && <QueryFailed query={runs} failure={t`Failed to load the history`} />}
        {state && testKey !== undefined && (
          <RunState app={app} testKey={testKey} runs={state} onBan={() => dialog.open('ban')} />
        )}
      </StepCard>
      {dialog.name === 'ban' && testKey !== undefined && runs.data && (
        <BanLicenseDialog
          license={{ license: testKey, banned: isBanned }}
          onChanged={() => void refreshFirstRun()}
          onClose={dialog.close}
        />
      )}
    </div>
  )
}

interface RunStateProps {
  app: App
  testKey: string
  runs: ProgramRuns
  onBan: () => void
}

function RunState({ app, testKey, runs, onBan }: RunStateProps) {
  const { phase, start, problem } = runs
  const isRecent = useTicking((now) => now - (start?.timestamp ?? 0) < recentSeconds)
  const headline = headlineOf(runs, app, isRecent)
  const hasArrived = useArrival(phase, headline)
  const isLit = phase === 'running'
  const unban = <Button onClick={onBan}>{t`Unban the key`}</Button>
  return (
    <>
      {hasArrived && isLit && <ArrivalLight />}
      <div key={phase} className={hasArrived ? 'animate-reveal' : ''}>
        <div className="flex items-start gap-3">
          <span className="relative mt-2.5 flex">
            {hasArrived && isLit && (
              <span
                aria-hidden="true"
                className="absolute inset-0 animate-ring rounded-full border border-accent-edge"
              />
            )}
            <LiveDot on={isLit} />
          </span>
          <p className={`min-w-0 text-title font-semibold ${phase === 'rejected' ? 'text-danger' : ''}`}>{headline}</p>
        </div>
        <div className="mt-3 flex flex-col gap-3 text-ui">
          {phase === 'waiting' && (
            <p className="text-text-2">{t`Run the program. This page shows its answer the moment it comes.`}</p>
          )}
          {problem && phase !== 'rejected' && phase !== 'banned' && <Problem event={problem} testKey={testKey} />}
          {phase === 'running' && start && (
            <>
              <StartFacts app={app} start={start} />
              <NextAction text={t`Ban its key and run it again.`}>
                <Button variant="danger" icon={<Ban />} onClick={onBan}>{t`Ban the key`}</Button>
              </NextAction>
            </>
          )}
          {phase === 'banned' && <NextAction text={t`Waiting for the program…`}>{unban}</NextAction>}
          {phase === 'rejected' && (
            <NextAction text={t`That is what your customers' copies would see.`}>{unban}</NextAction>
          )}
          {phase === 'restored' && (
            <NextAction text={t`Run the program once more, and it signs in.`}>
              <Link to={paths.licenses()} className={buttonStyle({ variant: 'primary' })}>{t`Create licenses`}</Link>
            </NextAction>
          )}
        </div>
      </div>
    </>
  )
}

function headlineOf({ phase, start }: ProgramRuns, app: App, isRecent: boolean): string {
  switch (phase) {
    case 'running':
      return runningText(start?.country ?? '', isRecent)
    case 'banned':
      return t`The key is banned. Run the program again.`
    case 'rejected': {
      const reason = rejectionTitle('LICENSE_BANNED')
      return t`Rejected: ${reason}.`
    }
    case 'restored':
      return t`The key works again.`
    case 'waiting':
      return app.lastInitAt === null ? t`Waiting for the first program…` : t`Waiting for a program with this key…`
  }
}

/** Whether the phase has changed while the page was open; announces the change. */
function useArrival(phase: ProgramRuns['phase'], headline: string): boolean {
  const before = useRef(phase)
  const [hasChanged, setChanged] = useState(false)
  useEffect(() => {
    if (before.current === phase) return
    before.current = phase
    setChanged(true)
    announce(headline)
  }, [phase, headline])
  return hasChanged
}

/** A light that passes over the card once. */
const ArrivalLight = () => (
  <span aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-0 h-px overflow-hidden">
    <span className="block h-px w-1/2 animate-arrival bg-accent-edge" />
  </span>
)

const NextAction = ({ text, children }: { text: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3">
    <p className="min-w-0 grow basis-40">{text}</p>
    {children}
  </div>
)

function StartFacts({ app, start }: { app: App; start: DiagnosisEvent }) {
  return (
    <FactList>
      <Fact name={t({ message: 'Signed in', context: 'event' })}>
        <TimeAgo at={Math.min(start.timestamp, nowSeconds())} />
      </Fact>
      <Fact name={t`Version`}>
        <MachineText value={app.version} />
      </Fact>
      {start.device !== '' && (
        <Fact name={t`Machine`}>
          <MachineText value={start.device} />
        </Fact>
      )}
    </FactList>
  )
}

/** Why the last sign-in with the key was rejected, if not by a ban. */
function Problem({ event, testKey }: { event: DiagnosisEvent; testKey: string }) {
  const reason = rejectionTitle(event.code)
  return (
    <p role="status" className="flex flex-wrap gap-x-2">
      <span className="text-danger">{t`Rejected: ${reason}.`}</span>
      <Link
        to={paths.why()}
        search={{ q: testKey }}
        className="underline decoration-line-strong underline-offset-2"
      >{t`Why was this rejected?`}</Link>
    </p>
  )
}

/** Countries whose English names have an article. */
const withArticle: ReadonlySet<string> = new Set(
  'AE BS CD CF CG CK CZ DO FK FO GB GM IM KM KY MH MP MV NL PH SB SC TC US VA VG VI'.split(' '),
)

/** `country` is its ISO code, or empty if unknown. A program that has not been heard of for a while ran, and may not run. */
function runningText(country: string, isRecent: boolean): string {
  if (country === '') return isRecent ? t`Your program is running.` : t`Your program has run.`
  const name = countryText(country)
  if (withArticle.has(country)) {
    return isRecent ? t`Your program is running in the ${name}.` : t`Your program has run in the ${name}.`
  }
  return isRecent ? t`Your program is running in ${name}.` : t`Your program has run in ${name}.`
}
