import { plural, t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { call } from '#web/api/call.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { deleteInParts } from '#web/bulk/in-parts.ts'
import type { App } from '#web/session/session.ts'
import { deletedList } from './deleted-data.ts'

interface Props extends DeleteHandlers {
  app: App
  /** IDs; without them, the whole bin of the app. */
  ids?: readonly string[]
  /** Name of the item if there is only one. */
  name?: string
}

export function DeleteForGoodDialog({ app, ids, name, ...handlers }: Props) {
  const body = ids ? { ids: ids.map(Number) } : { all: true as const }
  const count = ids?.length ?? 0
  const many = plural(count, { one: 'Delete # item for good?', other: 'Delete # items for good?' })
  return (
    <DeleteDialog
      title={ids ? (name === undefined ? many : t`Delete ${name} for good?`) : t`Delete all deleted items for good?`}
      confirmLabel={t`Delete for good`}
      send={() =>
        ids
          ? deleteInParts(ids, (part) => call('POST /bin/delete', { body: { ids: part.map(Number) } }))
          : call('POST /bin/delete', { body })
      }
      refresh={deletedList.refresh}
      failure={t`Failed to delete for good`}
      count={count}
      appName={app.appName}
      isAll={!ids}
      apiCall={() => apiCall('POST /bin/delete', { body })}
      {...handlers}
    />
  )
}
