import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { License } from '#features/licenses/web/licenses-data.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { appKey } from '#web/api/query-keys.ts'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { panelParams } from '#web/panel/use-panel.ts'
import { selectApp } from '#web/session/account-calls.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { useAccount, useSelectedApp } from '#web/session/use-account.ts'
import { PaletteGroup, PaletteItem, PaletteThing } from '#web/shell/palette-items.tsx'
import { namedKey } from './pasted-name.ts'

interface FoundElsewhere {
  app: App
  license: License
}

/** Keys that differ only in case. */
const shown = 4
/** An owner may have many apps: the first ones are asked, a few at once. */
const maxAsked = 40
const askedAtOnce = 4

/** The license of exactly this key in the first of the apps that has it. */
async function findIn(apps: readonly App[], search: string, signal: AbortSignal): Promise<FoundElsewhere | null> {
  const find = async (app: App): Promise<FoundElsewhere[]> => {
    const query = { search, page: 1, limit: shown }
    const { licenses } = await call('GET /licenses', { query, appId: app.appId, signal })
    const key = namedKey(
      search,
      licenses.map(({ license }) => license),
    )
    return licenses.filter(({ license }) => license === key).map((license) => ({ app, license }))
  }
  for (let first = 0; first < apps.length; first += askedAtOnce) {
    const found = await Promise.all(apps.slice(first, first + askedAtOnce).map(find))
    const [match] = found.flat()
    if (match) return match
  }
  return null
}

/** Looks a key up in the other apps of the account, one after the other. */
export function useFoundElsewhere(search: string, enabled: boolean) {
  const selected = useSelectedApp()
  const { data: apps = [] } = useQuery(appsQuery)
  const others = apps.filter(({ appId }) => appId !== selected?.appId).slice(0, maxAsked)
  return useQuery({
    queryKey: appKey('palette', 'elsewhere', search),
    queryFn: ({ signal }) => findIn(others, search, signal),
    enabled: enabled && others.length > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export const elsewhereLabel = ({ license: { license }, app: { appName } }: FoundElsewhere) =>
  t`License ${license} of ${appName}`

interface OtherAppItemProps {
  found: FoundElsewhere
  search: string
  onClose: () => void
}

/** Opens the license in its app, which is selected for it. */
export function OtherAppItem({ found, search, onClose }: OtherAppItemProps) {
  const account = useAccount()
  const navigate = useNavigate()
  const { app, license } = found
  const open = async () => {
    try {
      await selectApp(account, app)
      await navigate({ to: paths.licenses(), search: panelParams({ kind: 'license', id: license.license }) })
    } catch (error) {
      notify.error(failureText(error, t`Failed to select app`))
    }
  }
  return (
    <PaletteGroup heading={t`Found in another app`}>
      <PaletteItem
        label={elsewhereLabel(found)}
        icon={<KeyRound />}
        keywords={[search]}
        onSelect={() => {
          onClose()
          void open()
        }}
      >
        <PaletteThing name={license.license} note={app.appName} />
      </PaletteItem>
    </PaletteGroup>
  )
}
