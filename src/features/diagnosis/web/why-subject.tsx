import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import type { Diagnosis } from './why-data.ts'

/** The current state of the customer, each fact once. */
export function SubjectFacts({ diagnosis }: { diagnosis: Diagnosis }) {
  const { license, user, boundUsers, device, ip, rejection, events } = diagnosis
  const others = boundUsers.filter((name) => name !== user?.username)
  const ownDevice = user?.device ?? ''
  // The timeline has the address of a newer rejection.
  const older = events.some(({ id }) => id === rejection?.id) ? null : rejection
  const from = ip || (older?.ip ?? '')
  const session = older?.session ?? ''
  if (!license && !user && device === '' && from === '' && others.length === 0) return null
  return (
    <section aria-label={t`Customer`} className="rounded-lg border border-line bg-surface-1 px-4 py-3.5">
      <h2 className="mb-2 text-section font-semibold">{t`Customer`}</h2>
      <dl className="grid grid-cols-[minmax(80px,auto)_minmax(0,1fr)] gap-x-4 gap-y-2 text-ui">
        {license && <LicenseFacts license={license} user={user} />}
        {user && <UserFacts user={user} isNamed={user.username !== license?.licenseKey} />}
        {ownDevice !== '' && (
          <Row name={t`Bound machine`}>
            <PanelLink kind="device" id={ownDevice} />
          </Row>
        )}
        {user && ownDevice === '' && (
          <Row name={t`Bound machine`}>
            <span className="text-text-2">{t({ message: 'None', context: 'machine' })}</span>
          </Row>
        )}
        {device !== '' && device !== ownDevice && (
          <Row name={t`Machine`}>
            <PanelLink kind="device" id={device} />
          </Row>
        )}
        {others.length > 0 && (
          <Row name={t`Bound users`}>
            {others.map((name) => (
              <PanelLink key={name} kind="user" id={name} />
            ))}
          </Row>
        )}
        {from !== '' && (
          <Row name={t`IP Address`}>
            <PanelLink kind="address" id={from} />
            <CountryName code={older?.country ?? ''} />
          </Row>
        )}
        {session !== '' && (
          <Row name={t`Session`}>
            <PanelLink kind="session" id={session} />
          </Row>
        )}
      </dl>
    </section>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">{children}</dd>
  </>
)

function LicenseFacts({ license, user }: { license: NonNullable<Diagnosis['license']>; user: Diagnosis['user'] }) {
  const { licenseKey, banned, used, usedBy: name, createdAt, usedAt } = license
  return (
    <>
      <Row name={t`License`}>
        <span className="inline-flex min-w-0 items-center gap-1">
          <PanelLink kind="license" id={licenseKey} />
          <CopyButton text={licenseKey} label={t`Copy license key`} className="-my-1" />
        </span>
        {banned && (
          <Badge tone="danger" dot="slashed">
            {t({ message: 'Banned', context: 'license' })}
          </Badge>
        )}
        {!banned && !used && <Badge dot="ring">{t`Unused`}</Badge>}
      </Row>
      {usedAt === null ? (
        <Row name={t({ message: 'Created', context: 'license' })}>
          <TimeAgo at={createdAt} />
        </Row>
      ) : (
        <Row name={t`Redeemed`}>
          <TimeAgo at={usedAt} />
          {!user && name !== licenseKey && <span className="wrap-anywhere text-text-2">{t`by ${name}`}</span>}
        </Row>
      )}
    </>
  )
}

function UserFacts({ user, isNamed }: { user: NonNullable<Diagnosis['user']>; isNamed: boolean }) {
  const { username, banned, paused, subscriptions } = user
  return (
    <>
      {(isNamed || banned || paused) && (
        <Row name={t`User`}>
          {isNamed && <PanelLink kind="user" id={username} />}
          {banned && <Badge tone="danger" dot="slashed">{t`Banned`}</Badge>}
          {paused && <Badge tone="warn" dot="ring">{t`Paused`}</Badge>}
        </Row>
      )}
      {subscriptions.length === 0 && (
        <Row name={t`Level`}>
          <span className="text-text-2">{t({ message: 'None', context: 'subscription' })}</span>
        </Row>
      )}
      {subscriptions.map(({ level, name, active, expiresAt }) => (
        <Row key={level} name={t`Level`}>
          <LevelName level={level}>{name}</LevelName>
          {!active && (
            <Badge tone="warn" dot="ring">
              {t({ message: 'Paused', context: 'subscription' })}
            </Badge>
          )}
          {expiresAt === null && <span className="text-text-2">{t`Lifetime`}</span>}
          {/* The time of a paused user has no end. */}
          {expiresAt !== null && !paused && <TimeLeft until={expiresAt} />}
        </Row>
      ))}
    </>
  )
}

const look = 'rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current'

/** The name of a level, which leads to its form. */
const LevelName = ({ level, children }: { level: number; children: ReactNode }) => (
  <Link to={paths.subscriptions()} search={{ dialog: 'edit', row: level }} className={`wrap-anywhere ${look}`}>
    {children}
  </Link>
)
