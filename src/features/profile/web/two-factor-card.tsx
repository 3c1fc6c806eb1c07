import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { twoFactorQuery } from './profile-queries.ts'

interface TwoFactorCardProps {
  onStart: () => void
  onDisable: () => void
}

/** Marked Soon and disabled until an administrator allows it (conflicts C43, DESIGN §10). */
export function TwoFactorCard({ onStart, onDisable }: TwoFactorCardProps) {
  const { data } = useQuery(twoFactorQuery)
  const available = data?.available === true
  const enabled = data?.enabled === true
  return (
    <Card>
      <Section
        title={t`Two-Factor Authentication`}
        description={t`A code from your phone beside the password.`}
        actions={<State available={available} enabled={enabled} />}
      >
        {enabled ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ui text-text-2">{t`Recovery codes left: ${data?.recoveryCodesLeft ?? 0}`}</p>
            <Button variant="danger" onClick={onDisable}>{t`Turn off`}</Button>
          </div>
        ) : (
          <div>
            <Button disabled={!available} onClick={onStart}>{t`Turn on`}</Button>
          </div>
        )}
      </Section>
    </Card>
  )
}

function State({ available, enabled }: { available: boolean; enabled: boolean }) {
  if (!available) return <Badge tone="neutral" dot="none">{t`Soon`}</Badge>
  return enabled ? <Badge tone="ok" dot="filled">{t`On`}</Badge> : <Badge tone="neutral" dot="ring">{t`Off`}</Badge>
}
