import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failureText } from '#web/api/errors.ts'
import { paths } from '#web/navigation/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Section } from '#web/ui/section.tsx'
import { platformHealthQuery } from './status-data.ts'
import { overallText, partName, partText, stateBadge, partState } from './status-labels.ts'

/** Ledger problems are shown immediately rather than only on the status page (R-LED-01). */
export function LedgerAlarm() {
  const { data } = useQuery(platformHealthQuery)
  const problems = data?.checks.find(({ name }) => name === 'ledger')?.problems ?? 0
  if (problems === 0) return null
  const count = plural(problems, { one: '# problem', other: '# problems' })
  const command = 'npm run ledger:verify'
  return (
    <Notice tone="danger">
      {t`The credit ledger does not add up: ${count}. Run ${command} on the server to see which.`}
    </Notice>
  )
}

/** Platform status for the operator: one line if all is well, otherwise the affected parts. */
export function PlatformHealthCard() {
  const { data, error } = useQuery(platformHealthQuery)
  const shown = data?.parts.filter(({ state }) => state !== 'ok' && state !== 'off') ?? []
  return (
    <Card>
      <Section
        title={t`Platform health`}
        description={error ? failureText(error, t`Failed to load the status`) : data && overallText(data)}
        actions={
          <Link to={paths.status()} className={buttonStyle({ size: 'sm' })}>
            {t`System status`}
          </Link>
        }
      >
        {data && (
          <ul aria-label={t`Platform health`} className="flex flex-col gap-2.5 text-ui">
            {shown.map((part) => (
              <li key={part.part} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="min-w-0 grow">
                  {partName(part.part)} <span className="text-text-2">· {partText(part)}</span>
                </span>
                <Badge {...stateBadge[part.state]}>{partState(part)}</Badge>
              </li>
            ))}
            <li className="flex justify-between gap-3">
              <span>{t`Failed jobs`}</span>
              <span className="text-text-2 tabular-nums">
                {plural(data.failedJobs, { one: '# job', other: '# jobs' })}
              </span>
            </li>
          </ul>
        )}
      </Section>
    </Card>
  )
}
