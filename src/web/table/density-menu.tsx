import { t } from '@lingui/core/macro'
import { Rows3 } from 'lucide-react'
import { useStore } from '../browser/store.ts'
import { Menu } from '../ui/menu.tsx'
import { setDensity } from './preference-sync.ts'
import { type Density, densityStore } from './stored-preferences.ts'

/** Style of the buttons next to the search. */
export const viewButton =
  'inline-flex size-8 pointer-coarse:size-11 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 [&_svg]:size-4'

export function DensityMenu() {
  const density = useStore(densityStore)
  const names: Record<Density, string> = { compact: t`Compact`, regular: t`Regular`, relaxed: t`Relaxed` }
  const entries = () =>
    (Object.keys(names) as Density[]).map((value) => ({
      kind: 'choice' as const,
      label: names[value],
      checked: value === density,
      onSelect: () => setDensity(value),
    }))
  return (
    <span data-tip={t`Row height`} className="inline-flex">
      <Menu label={t`Row height`} entries={entries} className={viewButton}>
        <Rows3 />
      </Menu>
    </span>
  )
}
