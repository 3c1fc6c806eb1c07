import { t } from '@lingui/core/macro'
import type { TableState } from '#web/table/use-table-state.ts'

/** The end of a license isn't that of the user's access. */
export const endNote = () => t`Expiry is redemption plus duration: the user's subscription can end later.`

/** Below the filters, while one of them is about the end. */
export function EndNote({ state: { filters } }: { state: TableState }) {
  const isByEnd = filters['expires'] !== undefined || filters['status']?.split(',').includes('expiring')
  return isByEnd ? <p className="order-last basis-full text-meta text-text-2 max-sm:mb-2">{endNote()}</p> : null
}
