import { t } from '@lingui/core/macro'
import { Checkbox } from '../ui/checkbox.tsx'
import type { Selection } from './selection.ts'

/** Selects or deselects the rows of this page. */
export function SelectPage({ selection, pageIds }: { selection: Selection; pageIds: readonly string[] }) {
  const chosen = pageIds.filter((id) => selection.has(id)).length
  return (
    <Checkbox
      aria-label={t`Select all rows on this page`}
      checked={chosen > 0 && chosen === pageIds.length}
      indeterminate={chosen > 0 && chosen < pageIds.length}
      disabled={pageIds.length === 0}
      onChange={() => selection.setPage(pageIds, chosen < pageIds.length)}
    />
  )
}
