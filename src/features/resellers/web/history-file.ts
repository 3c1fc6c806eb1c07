import { csvLine } from '#contract/csv.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'

type HistoryReply = CallReply<'GET /reseller/credits/history'>
type Transaction = HistoryReply['history'][number]

/** As many as a call gives. */
const limit = 500

/** Every page of a history, one after the other; at most `maxPages` of them. */
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

/** Hands a history to the browser as CSV, with the fields and texts of the API. */
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
