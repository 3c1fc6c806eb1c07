import { hwidFingerprint } from '#features/users/users.reply.ts'
import type { ExportedRow } from './app-export.reads.ts'
import { type ColumnKind, columnKinds, type ExportedTable } from './exported-tables.rules.ts'

const nameOf = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const describe: Record<ColumnKind, (value: string | number) => unknown> = {
  text: (value) => value,
  number: Number,
  flag: (value) => value === 1,
  json: (value) => JSON.parse(String(value)) as unknown,
  machine: (value) => hwidFingerprint({ hwid_hash: String(value) }),
}

/** Describes a row with the field names used in all replies: `created_at` as `createdAt`. */
export function describerOf(table: ExportedTable): (row: ExportedRow) => object {
  const own = columnKinds.flatMap((kind) =>
    (table[kind] ?? []).map((column) => ({ name: nameOf(column), column, describe: describe[kind] })),
  )
  const named = (table.named?.text ?? []).map((column) => ({
    name: nameOf(column),
    column: `named_${column}`,
    describe: describe.text,
  }))
  return (row) => {
    const shown: Record<string, unknown> = {}
    for (const field of [...own, ...named]) {
      const value = row[field.column] ?? null
      shown[field.name] = value === null ? null : field.describe(value)
    }
    return shown
  }
}
