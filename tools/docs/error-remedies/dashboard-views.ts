import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, invisible, missing, taken, tooLong } from './dashboard-calls.ts'

const saves = [
  'POST /views',
  'PUT /views/{viewId}',
  'POST /reseller/views',
  'PUT /reseller/views/{viewId}',
] as const satisfies DashboardCall[]
const creates = ['POST /views', 'POST /reseller/views'] as const satisfies DashboardCall[]

/** Saved views of tables. */
export const dashboardViews = {
  VIEW_NAME_REQUIRED: missing(saves, 'The name of the view'),
  VIEW_NAME_TOO_LONG: tooLong(saves, 'The name of the view'),
  VIEW_NAME_CHARACTERS: invisible(saves, 'The name of the view'),
  VIEW_NAME_TAKEN: taken(saves, 'Another view of yours on this table'),
  VIEW_QUERY_INVALID: {
    calls: saves,
    cause:
      'The query contains something that a view does not keep, such as a page number, or the same parameter twice, or it is too long.',
    remedy: 'Send only `q`, `f.` parameters, `sort`, and `limit`, as in the address of the table, each once.',
  },
  VIEW_LIMIT_REACHED: {
    calls: creates,
    cause: 'The table has as many views as the message allows.',
    remedy: 'Delete a view that you no longer need, or update one instead.',
  },
  VIEW_NOT_FOUND: {
    calls: [
      'PUT /views/{viewId}',
      'DELETE /views/{viewId}',
      'PUT /reseller/views/{viewId}',
      'DELETE /reseller/views/{viewId}',
    ],
    cause: 'You have no such view: it was deleted, perhaps in another browser.',
    remedy: 'Reload the page, and choose the view there or save it again.',
  },
} satisfies DashboardRemedies
