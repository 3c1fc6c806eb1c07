import { t } from '@lingui/core/macro'
import { Menu } from '../ui/menu.tsx'
import type { MenuAction } from '../ui/menu-entry.ts'

interface FilterOption {
  value: string
  label: string
}

export interface FilterChipProps {
  label: string
  /** The selected value; `undefined` for any. */
  value: string | undefined
  options: readonly FilterOption[]
  /** Grouped options below the others, each group under its label. */
  groups?: readonly { label: string; options: readonly FilterOption[] }[]
  /** Last entries: other ways to set a value. */
  actions?: readonly MenuAction[]
  onChange: (value: string | undefined) => void
}

/** A toolbar filter: dashed while off, filled with its value while on. */
export function FilterChip({ label, value, options, groups = [], actions = [], onChange }: FilterChipProps) {
  const chosen = [...options, ...groups.flatMap((group) => group.options)].find((option) => option.value === value)
  const choice = (option: FilterOption) => ({
    kind: 'choice' as const,
    label: option.label,
    checked: option.value === value,
    onSelect: () => onChange(option.value),
  })
  const entries = () => [
    { kind: 'choice' as const, label: t`Any`, checked: chosen === undefined, onSelect: () => onChange(undefined) },
    ...options.map(choice),
    ...groups.flatMap((group) => [{ kind: 'heading' as const, label: group.label }, ...group.options.map(choice)]),
    ...(actions.length > 0 ? [{ kind: 'separator' as const }, ...actions] : []),
  ]
  const look = chosen
    ? 'border-line bg-surface-2 text-text-2'
    : 'border-dashed border-line text-text-2 hover:border-line-strong'
  return (
    <>
      <Menu
        align="start"
        entries={entries}
        className={`inline-flex h-7 shrink-0 items-center gap-2 rounded-md border px-2.5 text-ui whitespace-nowrap hover:text-text pointer-coarse:h-11 print:hidden ${look}`}
      >
        {label}
        {chosen && <span className="font-medium text-text">{chosen.label}</span>}
      </Menu>
      {chosen && <span className="hidden print:inline">{` ${label}: ${chosen.label}.`}</span>}
    </>
  )
}
