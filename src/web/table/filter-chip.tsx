import { t } from '@lingui/core/macro'
import { Menu } from '../ui/menu.tsx'
import type { MenuAction } from '../ui/menu-entry.ts'
import { useFilterPhrase, valuesPhrase } from './list-sentence.tsx'
import { type RowTotal, totalText } from './row-total.ts'
import { toggled } from './table-params.ts'

interface FilterOption {
  value: string
  label: string
  /** Number of rows with this value; undefined while it loads. */
  count?: number | RowTotal | undefined
}

export interface FilterChipProps {
  label: string
  /** The selected value, several separated by commas; `undefined` for any. */
  value: string | undefined
  /** Several values can be selected. */
  several?: boolean
  options: readonly FilterOption[]
  /** Grouped options below the others, each group under its label. */
  groups?: readonly { label: string; options: readonly FilterOption[] }[]
  /** Last entries: other ways to set a value. */
  actions?: readonly MenuAction[]
  onChange: (value: string | undefined) => void
  /** Each time the menu opens, e.g. to load the counts. */
  onOpen?: (() => void) | undefined
}

const maxNamed = 2

/** A toolbar filter: dashed while off, filled with its values while on. */
export function FilterChip(props: FilterChipProps) {
  const { label, value, several = false, options, groups = [], actions = [], onChange, onOpen } = props
  const all = [...options, ...groups.flatMap((group) => group.options)]
  const values = several ? (value?.split(',') ?? []) : [value]
  const chosen = all.filter((option) => values.includes(option.value))
  const choice = (option: FilterOption) => ({
    kind: 'choice' as const,
    mode: several ? ('check' as const) : ('radio' as const),
    label: option.label,
    note: option.count === undefined ? undefined : totalText(option.count),
    checked: values.includes(option.value),
    onSelect: () => {
      const offered = all.map((each) => each.value)
      onChange(several ? toggled(value, option.value, offered) : option.value)
    },
  })
  const entries = () => [
    { kind: 'choice' as const, label: t`Any`, checked: chosen.length === 0, onSelect: () => onChange(undefined) },
    ...options.map(choice),
    ...groups.flatMap((group) => [{ kind: 'heading' as const, label: group.label }, ...group.options.map(choice)]),
    ...(actions.length > 0 ? [{ kind: 'separator' as const }, ...actions] : []),
  ]
  const isOn = chosen.length > 0
  const look = isOn
    ? 'border-line bg-surface-2 text-text-2'
    : 'border-dashed border-line text-text-2 hover:border-line-strong'
  const names = chosen.map((option) => option.label)
  useFilterPhrase(isOn ? valuesPhrase(label, names) : undefined)
  const more = names.length - maxNamed
  const shown = more > 0 ? `${names.slice(0, maxNamed).join(', ')} +${more}` : names.join(', ')
  return (
    <>
      <Menu
        align="start"
        entries={entries}
        onOpen={onOpen}
        className={`inline-flex h-7 shrink-0 items-center gap-2 rounded-md border px-2.5 text-ui whitespace-nowrap hover:text-text pointer-coarse:h-11 print:hidden ${look}`}
      >
        {label}
        {isOn && (
          <span className="max-w-60 truncate font-medium text-text" title={names.join(', ')}>
            {shown}
          </span>
        )}
      </Menu>
      {isOn && <span className="hidden print:inline">{` ${label}: ${names.join(', ')}.`}</span>}
    </>
  )
}
