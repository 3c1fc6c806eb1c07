import { t } from '@lingui/core/macro'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Fact } from '#web/ui/fact-list.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { Diagnosis } from './why-data.ts'

/** The current state of the search result. */
export function SubjectCard({ diagnosis }: { diagnosis: Diagnosis }) {
  const { license, user, device, ip, boundUsers } = diagnosis
  if (!license && !user && device === '' && ip === '') return null
  return (
    <section aria-label={t`Current state`} className="px-4 py-3.5">
      <h2 className="mb-2 text-section font-semibold">{t`Current state`}</h2>
      <dl className="grid gap-x-6 gap-y-2 text-ui sm:grid-cols-[auto_minmax(0,1fr)]">
        {license && <LicenseLines license={license} />}
        {user && <UserLines user={user} />}
        {device !== '' && (
          <Fact name={t`Device`}>
            <MachineText value={device} />
          </Fact>
        )}
        {boundUsers.length > 0 && (
          <Fact name={t`Bound users`}>
            {boundUsers.map((name) => (
              <MachineText key={name} value={name} className="break-all" />
            ))}
          </Fact>
        )}
        {ip !== '' && (
          <Fact name={t`IP Address`}>
            <MachineText value={ip} className="break-all" />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function LicenseLines({ license }: { license: NonNullable<Diagnosis['license']> }) {
  const { licenseKey, banned, used, usedBy, createdAt, usedAt } = license
  return (
    <>
      <Fact name={t`License`}>
        <MachineText value={licenseKey} className="break-all" />
        {banned && (
          <Badge tone="danger" dot="slashed">
            {t({ message: 'Banned', context: 'license' })}
          </Badge>
        )}
        {!banned && (used ? <Badge tone="ok" dot="filled">{t`Used`}</Badge> : <Badge dot="ring">{t`Unused`}</Badge>)}
      </Fact>
      <Fact name={t({ message: 'Created', context: 'license' })}>
        <TimeAgo at={createdAt} />
      </Fact>
      {usedAt !== null && (
        <Fact name={t`Redeemed by`}>
          <MachineText value={usedBy} className="break-all" />
          <TimeAgo at={usedAt} className="text-text-2" />
        </Fact>
      )}
    </>
  )
}

function UserLines({ user }: { user: NonNullable<Diagnosis['user']> }) {
  const { username, banned, paused, device, subscriptions } = user
  return (
    <>
      <Fact name={t`User`}>
        <MachineText value={username} className="break-all" />
        {banned && <Badge tone="danger" dot="slashed">{t`Banned`}</Badge>}
        {paused && <Badge tone="warn" dot="ring">{t`Paused`}</Badge>}
      </Fact>
      <Fact name={t`Levels`}>
        {subscriptions.length === 0 && (
          <span className="text-text-2">{t({ message: 'None', context: 'subscription' })}</span>
        )}
        {subscriptions.map(({ level, name, active, expiresAt }) => (
          <span key={level} className="inline-flex flex-wrap items-center gap-x-2">
            <span>{name}</span>
            {!active && (
              <Badge tone="warn" dot="ring">
                {t({ message: 'Paused', context: 'subscription' })}
              </Badge>
            )}
            {expiresAt === null ? (
              <span className="text-text-2">{t`Lifetime`}</span>
            ) : (
              <TimeAgo at={expiresAt} className="text-text-2" />
            )}
          </span>
        ))}
      </Fact>
      <Fact name={t`Bound machine`}>
        {device === '' ? (
          <span className="text-text-2">{t({ message: 'None', context: 'machine' })}</span>
        ) : (
          <MachineText value={device} />
        )}
      </Fact>
    </>
  )
}
