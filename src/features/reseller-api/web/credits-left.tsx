import { t } from '@lingui/core/macro'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { useAssignedApp, useCreditsAsOf } from './use-assigned-app.ts'

const number = (value: number) => value.toLocaleString(document.documentElement.lang || 'en')

/** Of the selected app, as a text; nothing without one. */
export function useCreditsText(): string | undefined {
  const app = useAssignedApp()
  return app && number(app.credits)
}

/** Since when the credits on the screen are what they are; nothing while they are up to date. */
export function CreditsAsOf({ className }: { className?: string }) {
  const asOf = useCreditsAsOf()
  const timeZone = useTimeZone()
  if (!asOf) return null
  const time = dateTimeText(asOf, timeZone)
  return <span className={className ?? 'text-warn'}>{t`As of ${time}`}</span>
}
