import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { Ban, Pencil, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { QueryStale } from '../ui/query-stale.tsx'
import type { Tab } from '../ui/tabs.tsx'
import { PanelLoaded, rawTab } from './panel-parts.tsx'
import { useRememberOpened } from './recent-things.ts'
import { PanelBody } from './side-panel.tsx'
import { usePanel } from './use-panel.ts'

interface PanelRecordProps<D, R extends object> {
  query: UseQueryResult<D>
  /** Undefined when the reply doesn't have it, which `missing` explains. */
  record: (data: D) => R | undefined
  missing?: ReactNode
  kind: string
  /** The name that the address gives, shown until the record is loaded. */
  name: string
  failure: string
  parts: (record: R) => PanelRecordParts
}

export interface PanelRecordParts {
  name: ReactNode
  /** Names it among what was opened last, where its ID says nothing. */
  recentName?: string
  badge: ReactNode
  actions: ReactNode
  details: ReactNode
  /** Tabs of other features. */
  tabs?: readonly Tab[]
  /** Without the reply of the API, which would show what is hidden. */
  withoutRaw?: boolean
  /** The open dialog, if any. */
  dialog: ReactNode
}

/**
 * All about a record: details first, the tabs of other features, and the reply of the API last. A dialog that is open keeps
 * the record, so that what is typed there is not lost if somebody else deletes it.
 */
export function PanelRecord<D, R extends object>({ record, parts, missing, ...loaded }: PanelRecordProps<D, R>) {
  const { query, kind, name: id, failure } = loaded
  const { action } = usePanel()
  const row = query.data === undefined ? undefined : record(query.data)
  const [last, setLast] = useState({ id, row })
  if (row !== undefined && row !== last.row) setLast({ id, row })
  const acted = row ?? (last.id === id && action !== undefined ? last.row : undefined)
  return (
    <>
      <PanelLoaded {...loaded}>
        {() => {
          if (row === undefined) return missing
          const { name, recentName, badge, actions, details, tabs = [], withoutRaw = false } = parts(row)
          const content = (
            <>
              <QueryStale query={query} failure={failure} />
              {details}
            </>
          )
          return (
            <>
              <Remembered name={recentName} />
              <PanelBody
                kind={kind}
                name={name}
                badge={badge}
                actions={actions}
                tabs={[{ value: '', label: t`Details`, content }, ...tabs, ...(withoutRaw ? [] : [rawTab(row)])]}
              />
            </>
          )
        }}
      </PanelLoaded>
      {acted && parts(acted).dialog}
    </>
  )
}

/** Only what exists is remembered. */
function Remembered({ name }: { name: string | undefined }) {
  useRememberOpened(name)
  return null
}

interface EditAndBanProps {
  banned: boolean
  /** Group and labels of the shortcuts `e` and `b`. */
  group: string
  editLabel: string
  banLabel: string
}

/** The buttons that open `?action=edit` and `?action=ban`. */
export function EditAndBan({ banned, group, editLabel, banLabel }: EditAndBanProps) {
  const { setAction } = usePanel()
  useShortcuts([
    { id: 'edit-in-panel', keys: 'e', label: editLabel, group, run: () => setAction('edit') },
    { id: 'ban-in-panel', keys: 'b', label: banLabel, group, run: () => setAction('ban') },
  ])
  return (
    <>
      <Button icon={<Pencil />} onClick={() => setAction('edit')}>{t`Edit`}</Button>
      <Button
        variant={banned ? 'secondary' : 'danger'}
        icon={banned ? <ShieldCheck /> : <Ban />}
        onClick={() => setAction('ban')}
      >
        {banned ? t`Unban` : t`Ban`}
      </Button>
    </>
  )
}
