import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { failureText } from '#web/api/errors.ts'
import { appKey } from '#web/api/query-keys.ts'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { panelParams } from '#web/panel/use-panel.ts'
import { selectApp } from '#web/session/account-calls.ts'
import { useAccount, useSelectedApp } from '#web/session/use-account.ts'
import { PaletteGroup, PaletteItem, PaletteThing } from '#web/shell/palette-items.tsx'
import { namedKey } from './pasted-name.ts'

type FoundElsewhere = CallReply<'GET /find_license'>['licenses'][number]

/** The licenses that a key names in the other apps of the account. */
export function useFoundElsewhere(search: string, enabled: boolean) {
  const selected = useSelectedApp()
  return useQuery({
    queryKey: appKey('palette', 'elsewhere', search),
    queryFn: async ({ signal }): Promise<FoundElsewhere[]> => {
      const { licenses } = await call('GET /find_license', { query: { key: search }, signal })
      const keysOf = (app: string) => licenses.filter(({ appId }) => appId === app).map(({ key }) => key)
      return licenses.filter(({ appId, key }) => appId !== selected?.appId && key === namedKey(search, keysOf(appId)))
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export const elsewhereLabel = ({ key: license, appName }: FoundElsewhere) => t`License ${license} of ${appName}`

interface OtherAppItemsProps {
  found: readonly FoundElsewhere[]
  search: string
  onClose: () => void
}

/** Each opens the license in its app, which is selected for it. */
export function OtherAppItems({ found, search, onClose }: OtherAppItemsProps) {
  const account = useAccount()
  const navigate = useNavigate()
  const open = async ({ key: license, ...app }: FoundElsewhere) => {
    try {
      if (!(await selectApp(account, app))) return
      await navigate({ to: paths.licenses(), search: panelParams({ kind: 'license', id: license }) })
    } catch (error) {
      notify.error(failureText(error, t`Failed to select app`))
    }
  }
  return (
    <PaletteGroup heading={found.length === 1 ? t`Found in another app` : t`Found in other apps`}>
      {found.map((each) => (
        <PaletteItem
          key={each.appId}
          label={elsewhereLabel(each)}
          icon={<KeyRound />}
          keywords={[search]}
          onSelect={() => {
            onClose()
            void open(each)
          }}
        >
          <PaletteThing name={each.key} note={each.appName} />
        </PaletteItem>
      ))}
    </PaletteGroup>
  )
}
