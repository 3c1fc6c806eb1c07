import type { CallReply } from '#web/api/call-types.ts'
import { pagedList } from '#web/list/list-source.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey, appKey } from '#web/api/query-keys.ts'
import { maxVariableNameLength } from '../variables.rules.ts'

export type AppVariable = CallReply<'POST /getAllAppVar'>['vars'][number]

export const variableList = pagedList({
  key: () => appKey('variables'),
  call: 'POST /getAllAppVar',
  live: 'variables',
  exact: (name) => ({ name: name.slice(0, maxVariableNameLength) }),
  rows: ({ vars }) => vars,
  rowId: ({ variableName }) => variableName,
  table: { sorts: ['name', 'access', 'updated'] },
})

/** Also refetches the plan usage, which is shown next to the list. */
export const refreshVariables = () =>
  Promise.all([
    variableList.refresh(),
    queryClient.invalidateQueries({ queryKey: accountKey('profile', 'plan-usage') }),
  ])
