import { useQuery } from '@tanstack/react-query'
import { isOutsideLiveLists } from '../api/live-lists.ts'
import type { ListSource } from './list-source.ts'
import { LoadFailed } from '../ui/empty-state.tsx'
import { PanelRecord, type PanelRecordParts } from '../panel/panel-record.tsx'
import { PanelPlaceholder } from '../panel/side-panel.tsx'

interface ListedRecordProps<R extends object, D, F> {
  list: ListSource<R, D, F>
  id: string
  kind: string
  /** Says that the list doesn't have it. */
  missing: string
  failure: string
  parts: (row: R) => PanelRecordParts
}

type Followed = Parameters<ReturnType<typeof isOutsideLiveLists>>[0]

/** A list in view follows changes itself; loading it again would move its rows. */
const unlessInView = (query: Followed) => isOutsideLiveLists()(query)

const refetching = {
  refetchOnMount: unlessInView,
  refetchOnReconnect: unlessInView,
  refetchOnWindowFocus: unlessInView,
}

/** The panel of a row of a list, from the list's own data where the server sends it whole. */
export function ListedRecord<R extends object, D, F>(props: ListedRecordProps<R, D, F>) {
  const { list, id, missing, ...record } = props
  const query = useQuery({ ...list.lookUp(id), ...refetching })
  return (
    <PanelRecord
      query={query}
      record={(data) => list.rows(data).find((row) => list.rowId(row) === id)}
      missing={
        <PanelPlaceholder kind={record.kind} name={id}>
          {!query.isFetching && <LoadFailed message={missing} />}
        </PanelPlaceholder>
      }
      name={id}
      {...record}
    />
  )
}
