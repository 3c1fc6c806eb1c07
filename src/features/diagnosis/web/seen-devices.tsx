import { plural, t } from '@lingui/core/macro'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { Diagnosis } from './why-data.ts'

interface SeenDevice {
  device: string
  /** Entries of the log with this device. */
  calls: number
  rejected: number
  lastAt: number | undefined
  ip: string
  country: string
}

/** The devices of the events, the one that was seen last first; the bound one is there even if no event has it. */
export function seenDevices({ events, user }: Pick<Diagnosis, 'events' | 'user'>): SeenDevice[] {
  const seen = new Map<string, SeenDevice>()
  for (const { device, code, timestamp, ip, country } of events) {
    if (device === '') continue
    const known = seen.get(device) ?? { device, calls: 0, rejected: 0, lastAt: timestamp, ip, country }
    seen.set(device, { ...known, calls: known.calls + 1, rejected: known.rejected + (code === '' ? 0 : 1) })
  }
  const bound = user?.device ?? ''
  if (bound !== '' && !seen.has(bound)) {
    seen.set(bound, { device: bound, calls: 0, rejected: 0, lastAt: undefined, ip: '', country: '' })
  }
  return [...seen.values()]
}

/** The machine that a user is bound to, and the others that the log knows. */
export function SeenDevices({ diagnosis }: { diagnosis: Diagnosis }) {
  const devices = seenDevices(diagnosis)
  const { user, hasMore } = diagnosis
  if (devices.length === 0) {
    return <p className="text-ui text-text-2">{t`No device is bound, and none is in the stored logs.`}</p>
  }
  return (
    <>
      <ul aria-label={t`Devices`} className="rounded-md border border-line">
        {devices.map(({ device, calls, rejected, lastAt, ip, country }) => (
          <li key={device} className="border-t border-line px-3 py-2 text-ui first:border-t-0">
            <div className="flex items-start justify-between gap-3">
              <PanelLink kind="device" id={device} />
              {device === user?.device && (
                <Badge tone="ok" dot="filled">
                  {t({ message: 'Bound', context: 'device' })}
                </Badge>
              )}
            </div>
            <div className="mt-1 flex flex-wrap gap-x-3 text-meta text-text-2">
              {lastAt === undefined ? <span>{t`Not in the stored logs`}</span> : <TimeAgo at={lastAt} />}
              {ip !== '' && <PanelLink kind="address" id={ip} />}
              {country !== '' && <span>{country}</span>}
              {calls > 0 && <span>{plural(calls, { one: '# log entry', other: '# log entries' })}</span>}
              {rejected > 0 && (
                <span className="text-danger">{plural(rejected, { one: '# rejected', other: '# rejected' })}</span>
              )}
            </div>
          </li>
        ))}
      </ul>
      {hasMore && <p className="mt-2 text-meta text-text-2">{t`Only the 100 newest entries are counted.`}</p>}
    </>
  )
}
