import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Bell, Gauge, Hourglass, PackageX, UserX, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { sizeText } from '#features/downloads/web/downloads-data.ts'
import { rejectionTitle } from '#features/logs/web/rejection-texts.ts'
import { currentTimeZone } from '#web/browser/time-zone.ts'
import { type Need, needsOf, type UsedLimit } from '../overview.rules.ts'
import { type AttentionLine, AttentionList } from './attention-list.tsx'
import type { AttentionReply } from './overview-data.ts'
import {
  expiringSoonAddress,
  newAlertsAddress,
  limitAddress,
  plansAddress,
  rejectedCustomersAddress,
  rejectionsAddress,
  webhooksAddress,
  whyAddress,
} from './overview-links.ts'

/** The server counts no further. */
const maxNewCount = 1000

/** What needs the owner, one sentence and one link each; or that nothing does. */
export function Attention({ attention }: { attention: AttentionReply }) {
  const lines = needsOf(attention).map((need) => ({
    id: need,
    icon: icons[need],
    ...lineOf(need, attention),
  }))
  return <AttentionList lines={lines} />
}

const icons: Record<Need, ReactNode> = {
  webhooks: <Webhook />,
  alerts: <Bell />,
  rejected: <UserX />,
  outdated: <PackageX />,
  limits: <Gauge />,
  expiring: <Hourglass />,
}

type Line = Omit<AttentionLine, 'id' | 'icon'>

function lineOf(need: Need, attention: AttentionReply): Line {
  const lines: Record<Need, () => Line> = {
    webhooks: () => webhooksLine(attention.webhooks),
    alerts: () => ({
      text:
        attention.alerts < maxNewCount
          ? plural(attention.alerts, { one: '# new alert', other: '# new alerts' })
          : plural(attention.alerts, { one: 'At least # new alert', other: 'At least # new alerts' }),
      detail: plural(attention.alerts, { one: 'is not reviewed yet.', other: 'are not reviewed yet.' }),
      link: t`Review alerts`,
      address: newAlertsAddress(),
    }),
    rejected: () => rejectedLine(attention.rejected),
    outdated: () => outdatedLine(attention.outdated),
    limits: () => limitsLine(attention.limits, attention.plan),
    expiring: () => ({
      text: plural(attention.expiring, { one: '# license', other: '# licenses' }),
      detail: plural(attention.expiring, { one: 'expires within 7 days.', other: 'expire within 7 days.' }),
      link: t`Show licenses`,
      address: expiringSoonAddress(),
    }),
  }
  return lines[need]()
}

function webhooksLine(webhooks: AttentionReply['webhooks']): Line {
  const { failing, stopped } = webhooks
  const all = failing + stopped
  const detail =
    failing === 0
      ? plural(stopped, {
          one: 'is stopped: its events are not delivered.',
          other: 'are stopped: their events are not delivered.',
        })
      : stopped === 0
        ? plural(failing, {
            one: 'fails: its deliveries are being repeated.',
            other: 'fail: their deliveries are being repeated.',
          })
        : t`aren’t working: ${stopped} stopped, ${failing} failing.`
  return {
    text: plural(all, { one: '# webhook', other: '# webhooks' }),
    detail,
    link: plural(all, { one: 'Show webhook', other: 'Show webhooks' }),
    address: webhooksAddress(webhooks),
  }
}

function rejectedLine({ customers, isMore, code, ofCode, customer }: AttentionReply['rejected']): Line {
  const reason = rejectionTitle(code)
  const count = ofCode.toLocaleString(i18n.locale)
  const isOnlyOne = customers === 1 && customer !== ''
  // One each for several reasons: none of them leads.
  const hasLeading = ofCode > 1 || customers === 1
  const detail =
    ofCode === customers
      ? plural(customers, {
          one: `was rejected in the last 24 hours: ${reason}.`,
          other: `were rejected in the last 24 hours: ${reason}.`,
        })
      : t`were rejected in the last 24 hours, most often: ${reason} (${count}).`
  return {
    text: isMore
      ? plural(customers, { one: 'At least # customer', other: 'At least # customers' })
      : plural(customers, { one: '# customer', other: '# customers' }),
    detail: hasLeading ? detail : t`were rejected in the last 24 hours, each for a different reason.`,
    link: isOnlyOne ? t`Show why` : t`Show rejections`,
    address: isOnlyOne ? whyAddress(customer) : rejectedCustomersAddress(),
  }
}

function outdatedLine({ starts, version, from, to }: AttentionReply['outdated']): Line {
  return {
    text: plural(starts, { one: '# start', other: '# starts' }),
    detail: plural(starts, {
      one: `of a version other than ${version} was rejected in the last 24 hours.`,
      other: `of versions other than ${version} were rejected in the last 24 hours.`,
    }),
    link: t`Show starts`,
    address: rejectionsAddress({ period: { from, to }, timeZone: currentTimeZone() }, 'VERSION_OUTDATED'),
  }
}

function limitsLine(limits: readonly UsedLimit[], plan: string): Line {
  const [fullest, ...others] = limits
  const more = plural(others.length, {
    one: `of the ${plan} plan are used, and # more limit is near.`,
    other: `of the ${plan} plan are used, and # more limits are near.`,
  })
  return {
    text: fullest ? limitText(fullest) : '',
    counted: fullest && limitAddress(fullest.limit),
    detail: others.length === 0 ? t`of the ${plan} plan are used.` : more,
    link: t`Compare plans`,
    address: plansAddress(),
  }
}

function limitText({ limit, used, max }: UsedLimit): string {
  const shown = (count: number) =>
    limit === 'storage' ? sizeText(count, i18n.locale) : count.toLocaleString(i18n.locale)
  const [some, all] = [shown(used), shown(max)]
  return {
    licenses: t`${some} of ${all} licenses`,
    users: t`${some} of ${all} users`,
    variables: t`${some} of ${all} variables`,
    storage: t`${some} of ${all} storage`,
    apps: t`${some} of ${all} apps`,
  }[limit]
}
