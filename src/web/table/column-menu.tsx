import { t } from '@lingui/core/macro'
import { Columns3 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'
import { viewButton } from './density-menu.tsx'
import type { ColumnChoice } from './preferences.ts'

const loadPanel = () => import('./column-panel.tsx')
const ColumnPanel = lazy(() => loadPanel().then((module) => ({ default: module.ColumnPanel })))

/** Which columns are shown, and in what order. Until it is first used it is only a button. */
export function ColumnMenu<R>({ choice }: { choice: ColumnChoice<R> }) {
  const [used, setUsed] = useState(false)
  const plain = (
    <button
      type="button"
      aria-label={t`Columns`}
      aria-haspopup="dialog"
      aria-expanded={used}
      onPointerEnter={() => void loadPanel()}
      onFocus={() => void loadPanel()}
      onClick={() => setUsed(true)}
      className={viewButton}
    >
      <Columns3 />
    </button>
  )
  return (
    <Tooltip text={t`Columns`} isLabel>
      {used ? (
        <Suspense fallback={plain}>
          <ColumnPanel choice={choice as ColumnChoice<unknown>} />
        </Suspense>
      ) : (
        plain
      )}
    </Tooltip>
  )
}
