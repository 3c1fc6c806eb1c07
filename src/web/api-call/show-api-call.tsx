import { t } from '@lingui/core/macro'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import type { ApiCall } from './api-call.ts'
import type { ApiCallViewProps } from './api-call-view.tsx'

const ApiCallView = lazyPart(() => import('./api-call-view.tsx'), 'ApiCallView')

export interface ShowApiCallProps extends Omit<ApiCallViewProps, 'calls'> {
  /** Only called while it is open. Undefined or none while there is nothing to send. */
  calls: () => readonly ApiCall[] | undefined
}

/** Collapsed section at the end of a dialog: the API call that does what the button does. */
export const ShowApiCall = ({ calls, ...view }: ShowApiCallProps) => (
  <div className="min-w-0 border-t border-line pt-3">
    <Disclosure label={t`Show as API call`}>
      {() => <ApiCallView calls={calls() ?? []} {...view} placeholder={<div className="h-48" />} />}
    </Disclosure>
  </div>
)
