import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { twoFactorQuery } from './account-queries.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { Section } from '#web/ui/section.tsx'

interface TwoFactorCardProps {
  onTurnOn: () => void
  onTurnOff: () => void
  onNewCodes: () => void
}

/** Marked "Soon" and disabled until an administrator enables it. */
export function TwoFactorCard({ onTurnOn, onTurnOff, onNewCodes }: TwoFactorCardProps) {
  const { data, error, refetch } = useQuery(twoFactorQuery)
  const enabled = data?.enabled === true
  const available = data?.available === true
  const codesLeft = data?.recoveryCodesLeft ?? 0
  return (
    <Card>
      <Section
        title={t`Two-Factor Authentication`}
        description={
          enabled ? t`Recovery codes left: ${codesLeft}` : t`A code from your phone in addition to the password.`
        }
        actions={
          <div className="flex flex-wrap items-center gap-3">
            {data && <State available={available} enabled={enabled} />}
            {enabled && <Button onClick={onNewCodes}>{t`New recovery codes`}</Button>}
            {/* One button for both states, so that it keeps the focus when a dialog changes the state. */}
            <ButtonWithReason
              variant={enabled ? 'danger' : 'secondary'}
              disabled={!data}
              disabledReason={data && !enabled && !available ? t`An administrator has to enable it first` : undefined}
              onClick={enabled ? onTurnOff : onTurnOn}
            >
              {enabled ? t`Turn off` : t`Turn on`}
            </ButtonWithReason>
          </div>
        }
      >
        {error && !data && (
          <QueryFailed query={{ error, refetch }} failure={t`Failed to load two-factor authentication`} />
        )}
      </Section>
    </Card>
  )
}

function State({ available, enabled }: { available: boolean; enabled: boolean }) {
  if (enabled)
    return (
      <Badge tone="ok" dot="filled">
        {t({ message: 'On', context: 'two-factor authentication' })}
      </Badge>
    )
  return available ? (
    <Badge tone="neutral" dot="ring">
      {t({ message: 'Off', context: 'two-factor authentication' })}
    </Badge>
  ) : (
    <Badge tone="neutral">{t`Soon`}</Badge>
  )
}
