import { plural, t } from '@lingui/core/macro'
import { Pause, Radio } from 'lucide-react'
import { zonedTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { LiveDot } from '#web/ui/live-dot.tsx'
import { type LiveLogs, pollSeconds } from './live-logs.ts'

interface LiveSwitchProps {
  live: LiveLogs
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** Switch for live updates, with the state of the connection. */
export function LiveSwitch({ live: { state, since, waiting, show }, isOn, onChange }: LiveSwitchProps) {
  const timeZone = useTimeZone()
  const time = zonedTimeText(since, timeZone)
  return (
    <>
      <span role="status" className="flex items-center gap-2 text-ui text-text-2 empty:-mr-2.5">
        {state === 'live' && waiting > 0 && (
          <button type="button" onClick={show} className="flex items-center gap-1.5 rounded-sm underline">
            <Pause className="size-3.5" />
            {plural(waiting, { one: '# new entry', other: '# new entries' })}
          </button>
        )}
        {state === 'connecting' && t`Connecting…`}
        {state === 'taken' && t`Live in another window, refreshed here every ${pollSeconds} s`}
        {state === 'reconnecting' && <span className="text-warn">{t`Reconnecting since ${time}`}</span>}
      </span>
      <Button icon={state === 'live' ? <LiveDot on /> : <Radio />} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
        {t`Live`}
      </Button>
    </>
  )
}
