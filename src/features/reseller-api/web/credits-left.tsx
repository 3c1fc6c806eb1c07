import { t } from '@lingui/core/macro'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { useAssignedApp, useCreditsAsOf } from './use-assigned-app.ts'

const number = (value: number) => value.toLocaleString(document.documentElement.lang || 'en')

/** The credits of the selected app as text; undefined if no app is selected. */
export function useCreditsText(): string | undefined {
  const app = useAssignedApp()
  return app && number(app.credits)
}

/** When the credits on the screen were last refreshed; empty while they are up to date. */
export function CreditsAsOf({ className }: { className?: string }) {
  const asOf = useCreditsAsOf()
  const timeZone = useTimeZone()
  if (!asOf) return null
  const time = dateTimeText(asOf, timeZone)
  return <span className={className ?? 'text-warn'}>{t`As of ${time}`}</span>
}
