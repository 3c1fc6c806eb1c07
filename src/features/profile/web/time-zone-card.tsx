import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isTimeZone } from '#contract/time-zone.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { useUnsaved } from '#web/form/unsaved.ts'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { type Account, sessionQuery } from '#web/session/session.ts'
import { useTicking } from '#web/time/clock.ts'
import { zonedTimeText } from '#web/time/time-text.ts'
import { browserTimeZone } from '#web/browser/time-zone.ts'
import { submitting } from '#web/form/submitting.ts'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

/** Time zone of times in the dashboard; '' is the browser's time zone. */
export function TimeZoneCard({ account }: { account: Account }) {
  const saved = account.timeZone ?? ''
  // Until somebody chooses, it follows what is stored, also by another tab.
  const [edited, setChosen] = useState<string>()
  const chosen = edited ?? saved
  const save = useMutation({
    mutationFn: (timeZone: string) => call('POST /profile/update', { body: { timeZone: timeZone || null } }),
    onSuccess: (reply, sent) => {
      queryClient.setQueryData(sessionQuery.queryKey, reply.user)
      // Another zone may have been chosen meanwhile.
      setChosen((now) => (now === sent ? undefined : now))
      notify.success(successText(reply))
    },
    onError: (error) => notify.error(failureText(error, t`Failed to update profile`)),
  })
  useUnsaved(chosen !== saved)
  const own = browserTimeZone()
  const shown = chosen || own
  const isKnown = isTimeZone(shown)
  const time = useTicking((now) => (isKnown ? zonedTimeText(now, shown) : ''))
  const groups = useMemo(() => zonesByRegion(saved), [saved])
  return (
    <Card>
      <form aria-label={t`Time zone`} onSubmit={submitting(() => save.mutate(chosen))}>
        <Section title={t`Time zone`} description={t`Used for all times in the dashboard.`}>
          <SelectField
            layout="row"
            label={t`Time zone`}
            help={
              isKnown ? t`It is ${time} there.` : t`This browser does not know this time zone and shows its own times.`
            }
            options={[
              { value: '', label: t`Browser time zone (${own})` },
              { value: 'UTC', label: 'UTC', isName: true },
            ]}
            groups={groups}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          />
          <div className="flex flex-wrap justify-end gap-3">
            <ButtonWithReason
              type="submit"
              variant="primary"
              busy={save.isPending}
              disabledReason={chosen === saved ? t`Nothing has changed` : undefined}
            >{t`Save time zone`}</ButtonWithReason>
          </div>
        </Section>
      </form>
    </Card>
  )
}

/** Time zones known to this browser, plus the saved one, which may come from another browser. */
function zonesByRegion(saved: string) {
  const known = new Set(Intl.supportedValuesOf('timeZone'))
  if (saved.includes('/')) known.add(saved)
  const regions = Map.groupBy([...known].filter((zone) => zone.includes('/')).toSorted(), (zone) => regionOf(zone))
  return [...regions].map(([region, zones]) => ({
    label: regionName(region),
    options: zones.map((zone) => ({
      value: zone,
      label: zone.slice(region.length + 1).replaceAll('_', ' '),
      isName: true,
    })),
  }))
}

const regionOf = (zone: string): string => zone.slice(0, zone.indexOf('/'))

function regionName(region: string): string {
  const names: Record<string, string> = {
    Africa: t`Africa`,
    America: t`America`,
    Antarctica: t`Antarctica`,
    Arctic: t`Arctic`,
    Asia: t`Asia`,
    Atlantic: t`Atlantic`,
    Australia: t`Australia`,
    Europe: t`Europe`,
    Indian: t`Indian Ocean`,
    Pacific: t`Pacific`,
  }
  return names[region] ?? region
}
