import type { CallTypes } from '#contract/define-call.ts'
import type { importsContract } from '#features/imports/imports.contract.ts'
import type { OwnedApp } from './people.ts'

type Rows = NonNullable<CallTypes<typeof importsContract.importRows>['body']>
type Cells<Row> = Omit<Row, 'row'>

interface Imported {
  licenses?: readonly Cells<NonNullable<Rows['licenses']>[number]>[]
  users?: readonly Cells<NonNullable<Rows['users']>[number]>[]
  /** Creates a license for each user without a password. */
  withKeys?: boolean
}

/** Imports a file, whose rows overwrite what has their name; returns the ID with which the import is undone. */
export async function imported(
  { visitor }: Pick<OwnedApp, 'visitor'>,
  { licenses = [], users = [], withKeys = false }: Imported,
): Promise<string> {
  const kind = users.length > 0 ? 'users' : 'licenses'
  const rows = Math.max(licenses.length, users.length)
  const file = { kind, source: 'keyauth', fileName: `${kind}.json`, fingerprint: 'ab', rows, withKeys } as const
  const levels = [{ label: '1', level: 1 }]
  const started = await visitor.call('POST /imports/start', { body: { ...file, levels, onConflict: 'overwrite' } })
  const { importId } = started.body.import
  const numbered = <Row>(cells: readonly Row[]) => cells.map((each, at) => ({ ...each, row: at + 1 }))
  const { body } = await visitor.call('POST /imports/rows', {
    body: { importId, batch: 1, [kind]: numbered<object>(kind === 'users' ? users : licenses) },
  })
  if (body.skipped > 0) throw new Error(`Could not import ${JSON.stringify(body.results)}`)
  return importId
}

export const undoImport = ({ visitor }: Pick<OwnedApp, 'visitor'>, undoId: string) =>
  visitor.call('POST /imports/undo', { body: { undoId } })
