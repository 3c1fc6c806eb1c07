import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import type { ApiCall } from './api-call.ts'
import type { ApiCallViewProps } from './api-call-view.tsx'

const ApiCallView = lazy(() => import('./api-call-view.tsx').then((m) => ({ default: m.ApiCallView })))

export interface ShowApiCallProps extends Omit<ApiCallViewProps, 'calls'> {
  /** Asked only while it is open. */
  calls: () => readonly ApiCall[]
}

/** Folded away at the end of a dialog's body: the call behind the button. */
export function ShowApiCall({ calls, ...view }: ShowApiCallProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="min-w-0 border-t border-line pt-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1.5 rounded-sm text-ui text-text-2 hover:text-text pointer-coarse:min-h-11"
      >
        <ChevronDown className={`size-4 transition-transform ${open ? '' : '-rotate-90'}`} />
        {t`Show as API call`}
      </button>
      <div id={id} hidden={!open} className="mt-3 min-w-0">
        {open && (
          <Suspense fallback={<div className="h-48" />}>
            <ApiCallView calls={calls()} {...view} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
