import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { statesPhrase, useFilterPhrase } from './list-sentence.tsx'
import type { TableState } from './use-table-state.ts'

type Count = number | string | undefined

export interface Facet {
  value: string
  label: string
  /** Number of rows, or its text; `undefined` while it loads. */
  count: Count
  /** Shown as a tooltip. */
  note?: string | undefined
  /** Of another filter than that of the line. */
  filter?: string
}

interface FacetLineProps {
  /** Names the line, e.g. "License counts". */
  label: string
  /** The filter, and what its values are, as a printed page says it. */
  filter: string
  filterLabel: string
  state: TableState
  total: { label?: string; count: Count; note?: string | undefined }
  facets: readonly Facet[]
  /** Only one value at a time. */
  single?: boolean
  /** Numbers that filter nothing. */
  facts?: readonly { label: string; count: ReactNode; note?: ReactNode }[]
}

const line = 'flex min-w-0 flex-wrap gap-y-1 max-sm:scroll-line max-sm:mb-1!'
const item =
  'relative flex h-7 items-center gap-1.5 border border-line px-2.5 text-ui whitespace-nowrap text-text-2 max-sm:h-10 max-sm:rounded-md pointer-coarse:h-11'
/** Neighbors share an edge. */
const segment = 'shrink-0 sm:-ml-px sm:first:ml-0 sm:first:[&>*]:rounded-l-md sm:last:[&>*]:rounded-r-md'

const text = (count: Count): ReactNode =>
  count === undefined
    ? '–'
    : typeof count === 'number'
      ? count.toLocaleString(document.documentElement.lang || 'en')
      : count

/** How many rows each value of a filter has; pressing one adds it to the filter or removes it. */
export function FacetLine(props: FacetLineProps) {
  const { label, filter, filterLabel, state, total, facets, single = false, facts = [] } = props
  const { filters, setFilters, toggleFilter } = state
  const own = [...new Set([filter, ...facets.map((facet) => facet.filter ?? filter)])]
  const valuesOf = (name: string) => filters[name]?.split(',') ?? []
  const isOn = (facet: Facet) => valuesOf(facet.filter ?? filter).includes(facet.value)
  const press = ({ filter: name = filter, value, ...facet }: Facet) => {
    if (single) setFilters({ [name]: isOn({ ...facet, filter: name, value }) ? undefined : value })
    else toggleFilter(name, value)
  }
  const chosen = facets.filter((facet) => (facet.filter ?? filter) === filter && isOn(facet))
  useFilterPhrase(chosen.length > 0 ? statesPhrase(chosen.map((facet) => facet.label)) : undefined)
  return (
    <>
      <ul aria-label={label} data-print="no" className={line}>
        <Segment
          label={total.label ?? t`All`}
          count={total.count}
          note={total.note ?? t`Total`}
          selected={own.every((name) => filters[name] === undefined)}
          onSelect={() => setFilters(Object.fromEntries(own.map((name) => [name, undefined])))}
        />
        {facets.map((facet) => (
          <Segment key={facet.value} {...facet} selected={isOn(facet)} onSelect={() => press(facet)} />
        ))}
      </ul>
      {facts.length > 0 && <FactLine label={label} facts={facts} />}
      {chosen.length > 0 && (
        <span className="hidden print:inline">{` ${filterLabel}: ${chosen.map((facet) => facet.label).join(', ')}.`}</span>
      )}
    </>
  )
}

interface SegmentProps extends Pick<Facet, 'label' | 'count' | 'note'> {
  selected: boolean
  onSelect: () => void
}

function Segment({ label, count, note, selected, onSelect }: SegmentProps) {
  return (
    <li className={segment}>
      <button
        type="button"
        aria-pressed={selected}
        title={note}
        onClick={onSelect}
        className={`${item} -outline-offset-2 hover:text-text ${selected ? 'z-10 border-line-strong! bg-surface-3 text-text!' : 'bg-surface-1 hover:bg-surface-2'}`}
      >
        {label}
        <span className={`tabular-nums ${selected ? 'font-semibold' : 'font-medium text-text'}`}>{text(count)}</span>
      </button>
    </li>
  )
}

/** Numbers of a list without a filter of their own. */
export function FactLine({
  label,
  facts,
}: Pick<FacetLineProps, 'label'> & { facts: NonNullable<FacetLineProps['facts']> }) {
  return (
    <ul aria-label={label} data-print="no" className={`${line} gap-x-4`}>
      {facts.map(({ label: name, count, note }) => (
        <li key={name} className="flex h-7 shrink-0 items-center gap-1.5 text-ui whitespace-nowrap text-text-2">
          {name}
          <span className="font-medium text-text tabular-nums">{count ?? '–'}</span>
          {note && <span className="text-text-3 max-[1599px]:sr-only">{note}</span>}
        </li>
      ))}
    </ul>
  )
}
