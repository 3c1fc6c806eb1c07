import { t } from '@lingui/core/macro'
import { Columns3, Rows3 } from 'lucide-react'
import { useStore } from '../store.ts'
import { Menu } from '../ui/menu.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import type { Column } from './column.ts'
import { type ColumnVisibility, type Density, densityStore, setDensity } from './preferences.ts'

const trigger =
  'inline-flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text data-[state=open]:bg-surface-2 [&_svg]:size-4'

interface ColumnMenuProps<R> {
  columns: readonly Column<R>[]
  visibility: ColumnVisibility
  onToggle: (id: string) => void
}

export function ColumnMenu<R>({ columns, visibility, onToggle }: ColumnMenuProps<R>) {
  const entries = () =>
    columns
      .filter((column, index) => column.hideable ?? index > 0)
      .map((column) => ({
        kind: 'choice' as const,
        mode: 'check' as const,
        label: column.header,
        checked: visibility[column.id] !== false,
        onSelect: () => onToggle(column.id),
      }))
  return (
    <Tooltip text={t`Columns`} isLabel>
      <Menu label={t`Columns`} entries={entries} className={trigger}>
        <Columns3 />
      </Menu>
    </Tooltip>
  )
}

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
    <Tooltip text={t`Row height`} isLabel>
      <Menu label={t`Row height`} entries={entries} className={trigger}>
        <Rows3 />
      </Menu>
    </Tooltip>
  )
}
