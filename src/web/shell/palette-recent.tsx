import { t } from '@lingui/core/macro'
import {
  Braces,
  FileDown,
  Globe,
  Handshake,
  KeyRound,
  KeySquare,
  Laptop,
  Layers,
  Radio,
  ShieldAlert,
  User,
  Webhook,
} from 'lucide-react'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { useSetSearchParams } from '../navigation/search-params.ts'
import { panelText, type Thing, type ThingKind } from '../panel/panel-address.ts'
import { recentThings } from '../panel/recent-things.ts'
import { panelParams, panelState, usePanel } from '../panel/use-panel.ts'
import { useAccount } from '../session/use-account.ts'
import { PaletteGroup, PaletteItem, PaletteThing } from './palette-items.tsx'

const shown = 5

/** What the panel showed last, without what it shows now; only until something is typed. */
export function PaletteRecent({ onClose }: { onClose: () => void }) {
  const { ownerid } = useAccount()
  const { subject } = usePanel()
  const setSearchParams = useSetSearchParams()
  const { history } = useRouter()
  const open = subject && panelText(subject)
  const things = recentThings(ownerid, selectedAppStore.get()?.appId).filter((thing) => panelText(thing) !== open)
  if (things.length === 0) return null
  const go = (thing: Thing) => () => {
    onClose()
    void setSearchParams({ ...panelParams(thing), part: undefined }, { state: panelState(history) })
  }
  return (
    <PaletteGroup heading={t`Recent`}>
      {things.slice(0, shown).map((thing) => (
        <PaletteItem
          key={panelText(thing)}
          label={t`Recent: ${panelText(thing)}`}
          icon={kindIcons[thing.kind]}
          onSelect={go(thing)}
        >
          <PaletteThing name={thing.name} note={kindTexts()[thing.kind]} />
        </PaletteItem>
      ))}
    </PaletteGroup>
  )
}

const kindIcons: Record<ThingKind, ReactNode> = {
  license: <KeyRound />,
  user: <User />,
  session: <Radio />,
  device: <Laptop />,
  address: <Globe />,
  alert: <ShieldAlert />,
  reseller: <Handshake />,
  file: <FileDown />,
  subscription: <Layers />,
  webhook: <Webhook />,
  'seller-key': <KeySquare />,
  variable: <Braces />,
}

const kindTexts = (): Record<ThingKind, string> => ({
  license: t`License`,
  user: t`User`,
  session: t`Session`,
  device: t`Machine`,
  address: t`IP Address`,
  alert: t`Alert`,
  reseller: t`Reseller`,
  file: t`File`,
  subscription: t`Subscription`,
  webhook: t`Webhook`,
  'seller-key': t`Seller key`,
  variable: t`Variable`,
})
