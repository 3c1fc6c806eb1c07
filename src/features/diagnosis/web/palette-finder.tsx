import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Laptop, Pencil, ShieldCheck, User } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { userStatus } from '#features/users/users.rules.ts'
import type { User as Customer } from '#features/users/web/users-data.ts'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { useSetSearchParams } from '#web/navigation/search-params.ts'
import type { PanelSubject } from '#web/panel/panel-address.ts'
import { panelParams } from '#web/panel/use-panel.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { type PaletteFinderProps, PaletteGroup, PaletteItem } from '#web/shell/palette-items.tsx'

const shortestSearch = 3
/** Nothing has a longer name. */
const longestSearch = 200
const pauseMs = 150
const shown = 4

/** The licenses and users of the app that a text names, and what can be done with the one that it names exactly. */
export function PaletteFinder({ search, onFound, onClose }: PaletteFinderProps) {
  const app = useSelectedApp()
  const asked = useSettled(search)
  const query = { search: asked, page: 1, limit: shown }
  const options = {
    enabled: app !== undefined && asked.length >= shortestSearch && asked.length <= longestSearch,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  }
  const licenses = useQuery({
    queryKey: appKey('palette', 'licenses', asked),
    queryFn: async ({ signal }) => (await call('GET /licenses', { query, signal })).licenses,
    ...options,
  })
  const users = useQuery({
    queryKey: appKey('palette', 'users', asked),
    queryFn: async ({ signal }) => (await call('GET /users', { query, signal })).users,
    ...options,
  })
  const go = useGo(onClose)
  // A customer who redeemed a key has the key as the name.
  const customers = users.data?.filter(({ username }) => !licenses.data?.some(({ license }) => license === username))
  const [license] = licenses.data ?? []
  const [customer] = customers ?? []
  const first = license ? licenseLabel(license) : customer && userLabel(customer)
  const isSettled = search === asked && !licenses.isFetching && !users.isFetching
  useEffect(() => {
    if (isSettled && first !== undefined) onFound(first)
  }, [isSettled, first, onFound])
  if (search !== asked) return null
  const found = [
    ...(licenses.data ?? []).map((license) => <LicenseItems key={license.license} {...{ license, search, go }} />),
    ...(customers ?? []).map((user) => <UserItems key={user.username} {...{ user, search, go }} />),
  ]
  return found.length === 0 ? null : <PaletteGroup heading={t`Found in this app`}>{found}</PaletteGroup>
}

const licenseLabel = ({ license }: Pick<License, 'license'>) => t`License ${license}`
const userLabel = ({ username }: Pick<Customer, 'username'>) => t`User ${username}`

/** The text once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type Go = (subject: PanelSubject, act?: string) => () => void

/** Opens the panel over the page that is open, with one of its acts. */
function useGo(onClose: () => void): Go {
  const setSearchParams = useSetSearchParams()
  return (subject, act) => () => {
    onClose()
    void setSearchParams({ ...panelParams(subject), act })
  }
}

interface ItemsProps {
  search: string
  go: Go
}

function LicenseItems({ license: { license, banned, used, usedBy }, search, go }: ItemsProps & { license: License }) {
  const state = banned ? t({ message: 'Banned', context: 'license' }) : used ? t`Used` : t`Unused`
  const by = used && usedBy !== '' && usedBy !== license ? ` · ${usedBy}` : ''
  const subject = { kind: 'license', id: license } as const
  return (
    <>
      <PaletteItem label={licenseLabel({ license })} icon={<KeyRound />} keywords={[search]} onSelect={go(subject)}>
        <Found name={license} note={`${state}${by}`} />
      </PaletteItem>
      {license === search && (
        <>
          <PaletteItem
            label={banned ? t`Unban license ${license}` : t`Ban license ${license}`}
            icon={banned ? <ShieldCheck /> : <Ban />}
            keywords={[search]}
            onSelect={go(subject, 'ban')}
          >
            {banned ? t`Unban this license` : t`Ban this license`}
          </PaletteItem>
          <PaletteItem
            label={t`Edit license ${license}`}
            icon={<Pencil />}
            keywords={[search]}
            onSelect={go(subject, 'edit')}
          >
            {t`Edit this license`}
          </PaletteItem>
          {used && usedBy !== '' && (
            <UserActs
              username={usedBy}
              hasMachine
              keywords={[search]}
              act={(name) => go({ kind: 'user', id: usedBy }, name)}
            />
          )}
        </>
      )}
    </>
  )
}

function UserItems({ user, search, go }: ItemsProps & { user: Customer }) {
  const { username, hwid } = user
  return (
    <>
      <PaletteItem
        label={userLabel(user)}
        icon={<User />}
        keywords={[search]}
        onSelect={go({ kind: 'user', id: username })}
      >
        <Found name={username} note={statusTexts()[userStatus(user)]} />
      </PaletteItem>
      {username === search && (
        <UserActs
          username={username}
          hasMachine={hwid !== ''}
          keywords={[search]}
          act={(name) => go({ kind: 'user', id: username }, name)}
        />
      )}
    </>
  )
}

const statusTexts = () => ({
  Banned: t`Banned`,
  Paused: t`Paused`,
  Active: t`Active`,
  Expired: t`Expired`,
})

interface UserActsProps {
  username: string
  hasMachine: boolean
  keywords: string[]
  act: (name: string) => () => void
}

const UserActs = ({ username, hasMachine, keywords, act }: UserActsProps) => (
  <>
    {hasMachine && (
      <PaletteItem
        label={t`Reset HWID of ${username}`}
        icon={<Laptop />}
        keywords={keywords}
        onSelect={act('reset-hwid')}
      >
        {t`Reset the HWID of this user`}
      </PaletteItem>
    )}
    <PaletteItem label={t`Edit user ${username}`} icon={<Pencil />} keywords={keywords} onSelect={act('edit')}>
      {t`Edit this user`}
    </PaletteItem>
  </>
)

const Found = ({ name, note }: { name: string; note: string }) => (
  <span className="flex min-w-0 grow items-baseline gap-3">
    <span translate="no" className="machine min-w-0 truncate">
      {name}
    </span>
    <span className="shrink-0 text-meta text-text-3">{note}</span>
  </span>
)
