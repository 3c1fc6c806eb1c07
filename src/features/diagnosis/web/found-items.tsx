import { plural, t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { Ban, ClockPlus, Coins, Globe, Handshake, KeyRound, Laptop, Pencil, ShieldCheck, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { userStatus } from '#features/users/user-list.rules.ts'
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

/** Makes the actions on a thing, whose labels name it. */
const actionsOn =
  (subject: PanelSubject, { search, go }: ItemsProps) =>
  (action: string, icon: ReactNode, label: string, text: string) => (
    <PaletteItem label={label} icon={icon} keywords={[search]} onSelect={go(subject, action)}>
      {text}
    </PaletteItem>
  )

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

function LicenseActions({ license: row, ...items }: ItemsProps & { license: License }) {
  const { license, banned, expiry, used, usedBy } = row
  const act = actionsOn({ kind: 'license', id: license }, items)
  return (
    <>
      {banned
        ? act('ban', <ShieldCheck />, t`Unban license ${license}`, t`Unban this license`)
        : act('ban', <Ban />, t`Ban license ${license}`, t`Ban this license`)}
      {expiry > 0 && act('extend', <ClockPlus />, t`Extend license ${license}`, t`Extend this license`)}
      {act('edit', <Pencil />, t`Edit license ${license}`, t`Edit this license`)}
      {used && usedBy !== '' && (
        <>
          <ResetHwid username={usedBy} {...items} />
          <EditUser username={usedBy} {...items} />
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

function UserActions({ user, ...items }: ItemsProps & { user: Customer }) {
  const { username, banned, hwid, subscriptions } = user
  const act = actionsOn({ kind: 'user', id: username }, items)
  const ends = Object.values(subscriptions).some(({ expiry }) => expiry !== null)
  return (
    <>
      {banned
        ? act('ban', <ShieldCheck />, t`Unban user ${username}`, t`Unban this user`)
        : act('ban', <Ban />, t`Ban user ${username}`, t`Ban this user`)}
      {hwid !== '' && <ResetHwid username={username} {...items} />}
      {ends && act('extend', <ClockPlus />, t`Extend user ${username}`, t`Extend this user`)}
      <EditUser username={username} {...items} />
    </>
  )
}

interface UserActProps extends ItemsProps {
  username: string
}

const ResetHwid = ({ username, ...items }: UserActProps) =>
  actionsOn({ kind: 'user', id: username }, items)(
    'reset-hwid',
    <Laptop />,
    t`Reset HWID of ${username}`,
    t`Reset the HWID of this user`,
  )

const EditUser = ({ username, ...items }: UserActProps) =>
  actionsOn({ kind: 'user', id: username }, items)('edit', <Pencil />, t`Edit user ${username}`, t`Edit this user`)

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
      {username !== undefined &&
        count === 1 &&
        actionsOn({ kind: 'user', id: username }, { search, go })(
          'reset-hwid',
          <Laptop />,
          t`Reset HWID of ${username}`,
          t`Reset HWID of ${username}`,
        )}
    </>
  )
}

export function ResellerItem({ reseller, withActions, search, go }: NamedProps & { reseller: Reseller }) {
  const { username, banned } = reseller
  const subject = { kind: 'reseller', id: username } as const
  const act = actionsOn(subject, { search, go })
  return (
    <>
      <PaletteItem label={resellerLabel(reseller)} icon={<Handshake />} keywords={[search]} onSelect={go(subject)}>
        <PaletteThing name={username} note={banned ? t`Banned` : t`Reseller`} />
      </PaletteItem>
      {withActions && act('credits', <Coins />, t`Credits of ${username}`, t`Change the credits of this reseller`)}
    </>
  )
}
