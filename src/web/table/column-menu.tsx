import { t } from '@lingui/core/macro'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { viewButton } from './density-menu.tsx'
import type { ColumnChoice } from './preferences.ts'

const ColumnPanel = lazyPart(() => import('./column-panel.tsx'), 'ColumnPanel')

/** Chooses and orders the columns. Only a button until it is first used. */
export function ColumnMenu<R>({ choice }: { choice: ColumnChoice<R> }) {
  const [used, setUsed] = useState(false)
  const plain = (
    <button
      type="button"
      aria-label={t`Columns`}
      aria-haspopup="dialog"
      aria-expanded={used}
      onPointerEnter={ColumnPanel.preload}
      onFocus={ColumnPanel.preload}
      onClick={() => setUsed(true)}
      className={viewButton}
    >
      <Columns3 />
    </button>
  )
  return (
    <span data-tip={t`Columns`} className="inline-flex">
      <ColumnPanel
        choice={choice as ColumnChoice<unknown>}
        shown={used}
        placeholder={plain}
        onFailed={() => setUsed(false)}
        onReopen={() => setUsed(true)}
      />
    </span>
  )
}
