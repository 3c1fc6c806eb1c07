import type { AuditEvent } from '#contract/audit-events.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { UndoActions } from '#server/bulk/undo.ts'
import { type AppVariable, listAppVariablesById } from './variables.reads.ts'
import { lockAppVariablesById, restoreAppVariable } from './variables.writes.ts'

/** Event name in the audit log and the undo log. */
export const variableEdit = 'variable.update' satisfies AuditEvent

/** What a change of an app variable overwrites. */
interface AppVariableState {
  data: string
  authenticated: number
  updatedAt: number
}

export const appVariableState = ({
  data,
  authenticated,
  updated_at: updatedAt,
}: Pick<AppVariable, 'data' | 'authenticated' | 'updated_at'>): AppVariableState => ({ data, authenticated, updatedAt })

/** Gives a variable the data, the access, and the time that it had before a change. */
export const undoVariableActions = ({ app: { id: appId } }: AppContext): UndoActions<AppVariableState> => ({
  events: [variableEdit],
  noun: 'variables',
  lock: async (tx, _act, ids) =>
    (await lockAppVariablesById(tx.db, appId, ids)).map(({ id, name }) => ({ id: Number(id), name })),
  snapshot: async (tx, _act, recorded) => {
    const ids = recorded.map(({ id }) => id)
    const rows = await listAppVariablesById(tx.db, appId, ids)
    return new Map(rows.map((row) => [Number(row.id), appVariableState(row)]))
  },
  restore: async (tx, _act, states) => {
    for (const { id, state } of states) await restoreAppVariable(tx.db, { appId, id, ...state })
  },
})
