import { selectionErrors } from '#contract/bulk.ts'
import { reject } from '#contract/errors.ts'
import { throwIfAborted } from '#database/report-queue.ts'

interface Expected {
  /** Number of rows that the caller saw, if any. */
  count: number | undefined
  /** Rows disappear by themselves, so fewer than expected are accepted. */
  mayBeFewer?: boolean
}

/**
 * The IDs of all rows of a filter, batch after batch. With an expected count, all of them are found before the first batch
 * is returned, so that exactly the counted rows are changed: neither one that is added meanwhile, nor a part of too many.
 */
export async function* expectedRows<Id>(
  batches: AsyncIterable<readonly Id[]>,
  { count, mayBeFewer = false }: Expected,
): AsyncGenerator<readonly Id[]> {
  if (count === undefined) return yield* batches
  const all: (readonly Id[])[] = []
  for await (const batch of batches) all.push(batch)
  const found = all.reduce((sum, { length }) => sum + length, 0)
  if (mayBeFewer ? found > count : found !== count)
    reject(selectionErrors, 'SELECTION_CHANGED', { values: { count: found } })
  for (const batch of all) {
    throwIfAborted()
    yield batch
  }
}
