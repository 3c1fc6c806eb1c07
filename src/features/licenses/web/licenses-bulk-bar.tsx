import { t } from '@lingui/core/macro'
import { Ban, CircleCheck, ClockPlus, Trash2 } from 'lucide-react'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import type { Selection } from '#web/table/selection.ts'
import { Button } from '#web/ui/button.tsx'
import type { DialogState } from '#web/use-dialog.ts'

interface LicensesBulkBarProps {
  dialog: DialogState
  selection: Selection
  total: number
  pageIds: readonly string[]
}

/** All of them in one line on a phone. */
const textOnly = 'max-md:[&_svg]:hidden'

export function LicensesBulkBar({ dialog, selection, total, pageIds }: LicensesBulkBarProps) {
  return (
    <BulkBar selection={selection} total={total} pageIds={pageIds} canSelectAllMatching>
      <Button icon={<ClockPlus />} onClick={() => dialog.open('add-time')}>
        <span className="max-md:sr-only">{t`Add time`}</span>
      </Button>
      <Button
        variant="danger"
        icon={<Ban />}
        className={textOnly}
        onClick={() => dialog.open('ban-selected')}
      >{t`Ban`}</Button>
      <Button
        icon={<CircleCheck />}
        className={textOnly}
        onClick={() => dialog.open('unban-selected')}
      >{t`Unban`}</Button>
      <Button
        variant="danger"
        icon={<Trash2 />}
        className={textOnly}
        aria-label={t`Delete selected`}
        onClick={() => dialog.open('delete-selected')}
      >
        {t`Delete`}
      </Button>
    </BulkBar>
  )
}
