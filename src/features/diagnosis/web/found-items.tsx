import { plural, t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { Ban, ClockPlus, Coins, Globe, Handshake, KeyRound, Laptop, Pencil, ShieldCheck, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { userStatus } from '#features/users/users.rules.ts'
import type { User as Customer } from '#features/users/web/users-data.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { useSetSearchParams } from '#web/navigation/search-params.ts'
import type { PanelSubject } from '#web/panel/panel-address.ts'
import { panelParams, panelState } from '#web/panel/use-panel.ts'
import { PaletteItem, PaletteThing } from '#web/shell/palette-items.tsx'
import { type Diagnosis, isNothing } from './why-data.ts'

/** Entries of the command palette for what a text names. */

type Reseller = CallReply<'GET /resellers'>['resellers'][number]

export const licenseLabel = ({ license }: Pick<License, 'license'>) => t`License ${license}`
export const userLabel = ({ username }: Pick<Customer, 'username'>) => t`User ${username}`
export const resellerLabel = ({ username }: Pick<Reseller, 'username'>) => t`Reseller ${username}`

type Go = (subject: PanelSubject, action?: string) => () => void

/** Opens the panel over the page that is open, with one of its actions. */
export function useGo(onClose: () => void): Go {
  const setSearchParams = useSetSearchParams()
  const { history } = useRouter()
  return (subject, action) => () => {
    onClose()
    void setSearchParams({ ...panelParams(subject), part: undefined, action }, { state: panelState(history) })
  }
}

interface ItemsProps {
  search: string
  go: Go
}

interface NamedProps extends ItemsProps {
  withActions: boolean
}

interface ActionItemProps {
  label: string
  icon: ReactNode
  search: string
  children: string
  onSelect: () => void
}

/** An action on the thing above it, whose label names the thing. */
const ActionItem = ({ search, ...props }: ActionItemProps) => <PaletteItem {...props} keywords={[search]} />

export function LicenseItems({ license: row, withActions, search, go }: NamedProps & { license: License }) {
  const { license, banned, used, usedBy } = row
  const state = banned ? t({ message: 'Banned', context: 'license' }) : used ? t`Used` : t`Unused`
  const by = used && usedBy !== '' && usedBy !== license ? ` · ${usedBy}` : ''
  const subject = { kind: 'license', id: license } as const
  return (
    <>
      <PaletteItem label={licenseLabel(row)} icon={<KeyRound />} keywords={[search]} onSelect={go(subject)}>
        <PaletteThing name={license} note={`${state}${by}`} />
      </PaletteItem>
      {withActions && <LicenseActions license={row} {...{ search, go }} />}
    </>
  )
}

function LicenseActions({
  license: { license, banned, expiry, used, usedBy },
  search,
  go,
}: ItemsProps & { license: License }) {
  const openDialog = (name: string) => go({ kind: 'license', id: license }, name)
  return (
    <>
      {banned ? (
        <ActionItem
          label={t`Unban license ${license}`}
          icon={<ShieldCheck />}
          search={search}
          onSelect={openDialog('ban')}
        >
          {t`Unban this license`}
        </ActionItem>
      ) : (
        <ActionItem label={t`Ban license ${license}`} icon={<Ban />} search={search} onSelect={openDialog('ban')}>
          {t`Ban this license`}
        </ActionItem>
      )}
      {expiry > 0 && (
        <ActionItem
          label={t`Extend license ${license}`}
          icon={<ClockPlus />}
          search={search}
          onSelect={openDialog('extend')}
        >
          {t`Extend this license`}
        </ActionItem>
      )}
      <ActionItem label={t`Edit license ${license}`} icon={<Pencil />} search={search} onSelect={openDialog('edit')}>
        {t`Edit this license`}
      </ActionItem>
      {used && usedBy !== '' && (
        <>
          <ResetHwid username={usedBy} {...{ search, go }} />
          <EditUser username={usedBy} {...{ search, go }} />
        </>
      )}
    </>
  )
}

export function UserItems({ user, withActions, search, go }: NamedProps & { user: Customer }) {
  const { username } = user
  return (
    <>
      <PaletteItem
        label={userLabel(user)}
        icon={<User />}
        keywords={[search]}
        onSelect={go({ kind: 'user', id: username })}
      >
        <PaletteThing name={username} note={statusTexts()[userStatus(user)]} />
      </PaletteItem>
      {withActions && <UserActions user={user} {...{ search, go }} />}
    </>
  )
}

const statusTexts = () => ({
  Banned: t`Banned`,
  Paused: t`Paused`,
  Active: t`Active`,
  Expired: t`Expired`,
})

function UserActions({ user, search, go }: ItemsProps & { user: Customer }) {
  const { username, banned, hwid, subscriptions } = user
  const openDialog = (name: string) => go({ kind: 'user', id: username }, name)
  const ends = Object.values(subscriptions).some(({ expiry }) => expiry !== null)
  return (
    <>
      {banned ? (
        <ActionItem
          label={t`Unban user ${username}`}
          icon={<ShieldCheck />}
          search={search}
          onSelect={openDialog('ban')}
        >
          {t`Unban this user`}
        </ActionItem>
      ) : (
        <ActionItem label={t`Ban user ${username}`} icon={<Ban />} search={search} onSelect={openDialog('ban')}>
          {t`Ban this user`}
        </ActionItem>
      )}
      {hwid !== '' && <ResetHwid {...{ username, search, go }} />}
      {ends && (
        <ActionItem
          label={t`Extend user ${username}`}
          icon={<ClockPlus />}
          search={search}
          onSelect={openDialog('extend')}
        >
          {t`Extend this user`}
        </ActionItem>
      )}
      <EditUser {...{ username, search, go }} />
    </>
  )
}

interface UserActProps extends ItemsProps {
  username: string
}

const ResetHwid = ({ username, search, go }: UserActProps) => (
  <ActionItem
    label={t`Reset HWID of ${username}`}
    icon={<Laptop />}
    search={search}
    onSelect={go({ kind: 'user', id: username }, 'reset-hwid')}
  >
    {t`Reset the HWID of this user`}
  </ActionItem>
)

const EditUser = ({ username, search, go }: UserActProps) => (
  <ActionItem
    label={t`Edit user ${username}`}
    icon={<Pencil />}
    search={search}
    onSelect={go({ kind: 'user', id: username }, 'edit')}
  >
    {t`Edit this user`}
  </ActionItem>
)

export interface Trace {
  subject: PanelSubject & { kind: 'device' | 'address' }
  boundUsers: readonly string[]
}

/** The machine or IP address that a text names; undefined for one that nobody has used. */
export function traceOf(diagnosis: Diagnosis): Trace | undefined {
  const { rejection, license, user, device, ip, events, boundUsers } = diagnosis
  if (isNothing(diagnosis) || rejection) return undefined
  if (ip !== '') return events.length === 0 ? undefined : { subject: { kind: 'address', id: ip }, boundUsers: [] }
  const isOfName = device === '' || (boundUsers.length === 0 && (license ?? user) !== null)
  return isOfName ? undefined : { subject: { kind: 'device', id: device }, boundUsers }
}

export const traceLabel = ({ subject: { kind, id } }: Trace) =>
  kind === 'device' ? t`Machine ${id}` : t`IP address ${id}`

/** A machine, with the release of the user bound to it, or an IP address. */
export function TraceItems({ subject, boundUsers, search, go }: ItemsProps & Trace) {
  const { kind, id } = subject
  const [username] = boundUsers
  const isDevice = kind === 'device'
  const count = boundUsers.length
  const users = count === 0 ? t`Machine` : plural(count, { one: '# bound user', other: '# bound users' })
  return (
    <>
      <PaletteItem
        label={traceLabel({ subject, boundUsers })}
        icon={isDevice ? <Laptop /> : <Globe />}
        keywords={[search]}
        onSelect={go(subject)}
      >
        <PaletteThing name={id} note={isDevice ? users : t`IP Address`} />
      </PaletteItem>
      {username !== undefined && count === 1 && (
        <ActionItem
          label={t`Reset HWID of ${username}`}
          icon={<Laptop />}
          search={search}
          onSelect={go({ kind: 'user', id: username }, 'reset-hwid')}
        >
          {t`Reset HWID of ${username}`}
        </ActionItem>
      )}
    </>
  )
}

export function ResellerItem({ reseller, withActions, search, go }: NamedProps & { reseller: Reseller }) {
  const { username, banned } = reseller
  const subject = { kind: 'reseller', id: username } as const
  return (
    <>
      <PaletteItem label={resellerLabel(reseller)} icon={<Handshake />} keywords={[search]} onSelect={go(subject)}>
        <PaletteThing name={username} note={banned ? t`Banned` : t`Reseller`} />
      </PaletteItem>
      {withActions && (
        <ActionItem
          label={t`Credits of ${username}`}
          icon={<Coins />}
          search={search}
          onSelect={go(subject, 'credits')}
        >
          {t`Change the credits of this reseller`}
        </ActionItem>
      )}
    </>
  )
}
