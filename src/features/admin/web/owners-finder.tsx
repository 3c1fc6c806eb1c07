import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ban, Building2, CreditCard } from 'lucide-react'
import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { paths } from '#web/navigation/paths.ts'
import { panelParams } from '#web/panel/use-panel.ts'
import { type PaletteFinderProps, PaletteGroup, PaletteItem, PaletteThing } from '#web/shell/palette-items.tsx'
import { useSettled } from '#web/shell/use-settled.ts'
import type { AdminOwner } from './admin-data.ts'

const shortestSearch = 3
/** Nothing has a longer name. */
const longestSearch = 200
const shown = 4

/** The owners that a text names, by name, email address, or ID; acts for the one that it names exactly. */
export function OwnersFinder({ search, onFound, onClose }: PaletteFinderProps) {
  const asked = useSettled(search)
  const { data: owners, isFetching } = useQuery({
    queryKey: accountKey('admin', 'owners', 'palette', asked),
    queryFn: async ({ signal }) =>
      (await call('GET /admin/owners', { query: { search: asked, page: 1, limit: shown }, signal })).owners,
    enabled: asked.length >= shortestSearch && asked.length <= longestSearch,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [first] = owners ?? []
  const label = first && ownerLabel(first)
  const isSettled = search === asked && !isFetching
  useEffect(() => {
    if (isSettled && label !== undefined) onFound(label)
  }, [isSettled, label, onFound])
  if (search !== asked || !owners || owners.length === 0) return null
  return (
    <PaletteGroup heading={t`Owners`}>
      {owners.map((owner) => (
        <OwnerItems key={owner.ownerid} {...{ owner, search, onClose }} />
      ))}
    </PaletteGroup>
  )
}

const ownerLabel = ({ username }: AdminOwner) => t`Owner ${username}`

interface OwnerItemsProps {
  owner: AdminOwner
  search: string
  onClose: () => void
}

function OwnerItems({ owner, search, onClose }: OwnerItemsProps) {
  const { ownerid, username, email, role, banned, planDisplayName } = owner
  const navigate = useNavigate()
  const go = (action?: string) => () => {
    onClose()
    const search = { q: username, ...panelParams({ kind: 'owner', id: ownerid }), action, part: undefined }
    void navigate({ to: paths.adminOwners(), search })
  }
  const isExact = [username, email, ownerid].includes(search)
  const state = role === 'admin' ? t`Administrator` : banned ? t`Banned` : planDisplayName
  return (
    <>
      <PaletteItem label={ownerLabel(owner)} icon={<Building2 />} keywords={[search]} onSelect={go()}>
        <PaletteThing name={username} note={email === '' ? state : `${email} · ${state}`} />
      </PaletteItem>
      {isExact && (
        <PaletteItem
          label={t`Change the plan of ${username}`}
          icon={<CreditCard />}
          keywords={[search]}
          onSelect={go('plan')}
        >
          {t`Change the plan of this owner`}
        </PaletteItem>
      )}
      {isExact && role !== 'admin' && !banned && (
        <PaletteItem label={t`Ban owner ${username}`} icon={<Ban />} keywords={[search]} onSelect={go('ban')}>
          {t`Ban this owner`}
        </PaletteItem>
      )}
    </>
  )
}
