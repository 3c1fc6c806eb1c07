/** What an edit changed, by field: its values before and after, or only that it changed. */
export type Changes = Record<string, [before: unknown, after: unknown] | 'changed'>

/** The audit is kept forever, so it holds the beginning of a long text only. */
const maxLength = 300

interface Fields {
  /**
   * Secrets, and what identifies a person. The audit is never deleted, so their values must not be in it: only that
   * they changed.
   */
  hidden?: readonly string[]
}

/** The fields of `after` whose value differs from the one in `before`. */
export function changesOf(before: object, after: object, { hidden = [] }: Fields = {}): Changes {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after).flatMap(([field, value]): [string, Changes[string]][] => {
      if (value === undefined || isSame(old[field], value)) return []
      return [[field, hidden.includes(field) ? 'changed' : [shortened(old[field]), shortened(value)]]]
    }),
  )
}

/** The change of one field; without a difference, nothing. */
export const changeOf = (field: string, before: unknown, after: unknown): Changes =>
  changesOf({ [field]: before }, { [field]: after })

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function shortened(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'string') return cut(value)
  const text = JSON.stringify(value)
  return text.length <= maxLength ? value : cut(text)
}

/** Whether only the beginning of a value was recorded. */
export const isCut = (value: unknown): boolean =>
  typeof value === 'string' && value.length === maxLength + 1 && value.endsWith('…')

const cut = (text: string): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`)
