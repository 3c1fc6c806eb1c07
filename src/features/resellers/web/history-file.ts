import { csvLine } from '#contract/csv.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'

type HistoryReply = CallReply<'GET /reseller/credits/history'>
type Transaction = HistoryReply['history'][number]

/** The API's maximum page size. */
const limit = 500

/** Reads a history page by page, at most `maxPages` pages. */
export async function readHistory(
  read: (page: { limit: number; before: number | undefined }) => Promise<HistoryReply>,
  maxPages = Infinity,
): Promise<Transaction[]> {
  const all: Transaction[] = []
  let before: number | undefined
  for (let page = 0; page < maxPages; page++) {
    const { history, next } = await read({ limit, before })
    all.push(...history)
    if (next === null) break
    before = next
  }
  return all
}

/** Downloads a history as CSV, with the API's field names and texts. */
export function saveHistory(name: string, transactions: readonly Transaction[]): void {
  const lines = transactions.map(({ timestamp, appName, transactionType, description, subscriptionLevel, amount }) =>
    csvLine([
      new Date(timestamp * 1000).toISOString(),
      appName,
      transactionType,
      description,
      subscriptionLevel === null ? '' : String(subscriptionLevel),
      String(amount),
    ]),
  )
  const head = csvLine(['time', 'app', 'type', 'description', 'level', 'amount'])
  saveTextFile(name, 'csv', head + lines.join(''))
}
