import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKeyOf } from '#web/api/query-keys.ts'

/** Undo of a change of a variable of this app; another one may be selected by then. */
export const variableUndo = (appId: string | undefined) => ({
  undo: (body: { undoId: string }, options: object) => call('POST /variables/undo', { body, appId, ...options }),
  refresh: () => queryClient.invalidateQueries({ queryKey: appKeyOf(appId, 'variables') }),
  restoredText: () => t`Variable restored`,
})
