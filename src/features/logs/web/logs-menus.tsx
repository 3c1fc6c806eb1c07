import { t } from '@lingui/core/macro'
import { CalendarClock, Download, ListFilter, ShieldQuestionMark, Trash2 } from 'lucide-react'
import { TimeRangeChip } from '#web/list/time-range-chip.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { loggedCalls } from '../logs.rules.ts'
import { callName, countryName, type Log, logList, dayRanges } from './logs-data.ts'

type Open = (name: string, row?: string) => void

export function moreMenu(isEmpty: boolean, open: Open): MenuEntry[] {
  const disabledReason = isEmpty ? t`There are no logs` : undefined
  return [
    { label: t`Export`, icon: <Download />, onSelect: () => open('export'), disabledReason },
    { label: t`Log retention`, icon: <CalendarClock />, onSelect: () => open('retention') },
    { kind: 'separator' },
    { label: t`Delete All`, icon: <Trash2 />, danger: true, onSelect: () => open('delete-all'), disabledReason },
  ]
}

interface LogActions {
  setFilter: TableState['setFilter']
  open: Open
  explain: (search: string) => void
}

export function logMenu(row: Log, { setFilter, open, explain }: LogActions): MenuEntry[] {
  const { code, credential, license, device, ip } = row
  const subject = credential || license || ip
  const only = (label: string, name: string, value: string): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => setFilter(name, value) }]
  return [
    ...only(t`Only this credential`, 'credential', credential),
    ...only(t`Only this device`, 'hwid', device),
    ...only(t`Only this address`, 'ip', ip),
    ...(code === '' || subject === ''
      ? []
      : [{ label: t`Why was this rejected?`, icon: <ShieldQuestionMark />, onSelect: () => explain(subject) }]),
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', logList.rowId(row)) },
  ]
}

interface LogFiltersProps {
  state: TableState
  onChooseDays: () => void
}

export function LogFilters({ state: { filters, setFilter }, onChooseDays }: LogFiltersProps) {
  const chosen = [
    { name: 'credential', label: t`Credential` },
    { name: 'hwid', label: t`Device` },
    { name: 'ip', label: t`IP Address` },
    { name: 'country', label: t`Country`, textOf: countryName },
  ]
  return (
    <>
      <FilterChip
        label={t`Result`}
        value={filters['result']}
        options={[
          { value: 'refused', label: t`Rejected` },
          { value: 'allowed', label: t`Allowed` },
        ]}
        onChange={(value) => setFilter('result', value)}
      />
      <FilterChip
        label={t`Call`}
        several
        value={filters['call']}
        options={loggedCalls.map((call) => ({ value: call, label: callName(call) }))}
        onChange={(value) => setFilter('call', value)}
      />
      <TimeRangeChip
        label={t`Period`}
        value={filters['days']}
        days={dayRanges}
        onChange={(value) => setFilter('days', value)}
        onCustom={onChooseDays}
      />
      {chosen.map(({ name, label, textOf }) => {
        const value = filters[name]
        if (value === undefined) return null
        const options = [{ value, label: textOf?.(value) ?? value }]
        return (
          <FilterChip
            key={name}
            label={label}
            value={value}
            options={options}
            onChange={(next) => setFilter(name, next)}
          />
        )
      })}
    </>
  )
}
