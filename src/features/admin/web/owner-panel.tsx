import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { sizeText } from '#features/downloads/web/downloads-data.ts'
import { planMetrics, type PlanMetric, PlanMetrics } from '#features/profile/web/plan-metrics.tsx'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { PanelRecord } from '#web/panel/panel-record.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Button } from '#web/ui/button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { type AdminOwner, type OwnerRecord, ownerQuery } from './admin-data.ts'
import { banEntry, changePlanEntry, deleteEntry, ownerDialogs, resetEntry } from './owner-actions.tsx'
import { ownerAuditTab } from './owner-audit.tsx'
import { OwnerStatus, StatsText } from './owners-columns.tsx'

/** An owner: state, plan and what it is used for, acts, and what the audit has of the account. */
export function OwnerPanel({ ownerId }: { ownerId: string }) {
  return (
    <PanelRecord
      query={useQuery(ownerQuery(ownerId))}
      record={(record: OwnerRecord) => record}
      kind={t`Owner`}
      name={ownerId}
      failure={t`Failed to load the owner`}
      parts={(record) => ({
        name: <CopiedName name={record.owner.username} copyLabel={t`Copy username`} />,
        badge: <OwnerStatus row={record.owner} />,
        actions: <Actions owner={record.owner} />,
        details: <Details record={record} />,
        tabs: [ownerAuditTab(record.owner)],
        dialog: <PanelDialog key={record.owner.id} row={record.owner} dialogs={ownerDialogs} />,
      })}
    />
  )
}

function Actions({ owner }: { owner: AdminOwner }) {
  const { setAction } = usePanel()
  const plan = changePlanEntry(setAction)
  const ban = banEntry(owner, setAction)
  return (
    <>
      <Button icon={plan.icon} onClick={plan.onSelect}>
        {plan.label}
      </Button>
      <ButtonWithReason
        variant={owner.banned ? 'secondary' : 'danger'}
        icon={ban.icon}
        disabledReason={ban.disabledReason}
        onClick={ban.onSelect}
      >
        {ban.label}
      </ButtonWithReason>
      <MoreActions entries={() => [resetEntry(owner, setAction), deleteEntry(owner, setAction)]} />
    </>
  )
}

function Details({ record }: { record: OwnerRecord }) {
  const { owner, twoFactor, lastSignInAt } = record
  const { id, email, createdDate, planDisplayName, planExpiresAt, prioritySupport, stats } = owner
  return (
    <>
      <PanelFacts>
        <CopiedFact name={t`Email`} value={email} copyLabel={t`Copy email address`}>
          <span translate="no">{email}</span>
        </CopiedFact>
        <CopiedFact name={t`Owner ID`} value={id} copyLabel={t`Copy owner ID`}>
          <MachineText value={id} shape="plain" />
        </CopiedFact>
        <PanelFact name={t`Plan`}>
          <Badge tone="neutral">
            <span translate="no">{planDisplayName}</span>
          </Badge>
          {planExpiresAt !== null && <TimeLeft until={planExpiresAt} />}
          {prioritySupport && <span className="text-meta text-text-2">{t`Priority support`}</span>}
        </PanelFact>
        <PanelFact name={t`In all apps`}>
          <StatsText stats={stats} />
        </PanelFact>
        <PanelFact name={t`Two-factor`}>
          {twoFactor
            ? t({ message: 'On', context: 'two-factor authentication' })
            : t({ message: 'Off', context: 'two-factor authentication' })}
        </PanelFact>
        <PanelFact name={t`Last sign-in`}>
          {lastSignInAt === null ? <span className="text-text-2">{t`Never`}</span> : <TimeAgo at={lastSignInAt} />}
        </PanelFact>
        <PanelFact name={t`Created`}>
          <TimeAgo at={createdDate} />
        </PanelFact>
      </PanelFacts>
      <section aria-label={t`Plan usage`} className="mt-6">
        <h3 className="mb-3 text-ui font-semibold">{t`Plan usage`}</h3>
        <PlanMetrics narrow metrics={[...planMetrics(record), storageMetric(record)]} />
      </section>
    </>
  )
}

const storageMetric = ({ storage: { usedBytes, limitBytes } }: OwnerRecord): PlanMetric => ({
  label: t`Storage`,
  used: usedBytes,
  limit: limitBytes < 0 ? 'unlimited' : limitBytes,
  amountText: (bytes) => sizeText(bytes, i18n.locale),
})
