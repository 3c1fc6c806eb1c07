import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useStore } from '#web/browser/store.ts'
import { NumberLink } from '#web/navigation/number-link.tsx'
import { ListedRecord } from '#web/list/listed-record.tsx'
import { PanelMenu } from '#web/panel/panel-menu.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { localeStore } from '#web/browser/locale.ts'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { licenseCountQuery, licensesOfLevel } from './level-licenses.ts'
import { Status } from './subscriptions-columns.tsx'
import { type Subscription, subscriptionList, usersOfLevel } from './subscriptions-data.ts'
import { subscriptionActions, subscriptionDialogs } from './subscriptions-menus.tsx'

interface SubscriptionPanelProps {
  level: string
  /** Tabs of other features. */
  tabs: (subscription: Subscription) => readonly Tab[]
}

/** A level: its users and licenses, which lead to their lists, and what can be done with it. */
export function SubscriptionPanel({ level, tabs }: SubscriptionPanelProps) {
  const appName = useSelectedApp()?.appName
  return (
    <ListedRecord
      list={subscriptionList}
      id={level}
      kind={t`Subscription`}
      missing={t`Subscription not found`}
      failure={t`Failed to load subscriptions`}
      parts={(subscription) => {
        const name = subscription.name || t`Level ${level}`
        return {
          name: <CopiedName name={name} />,
          recentName: name,
          badge: <Status row={subscription} />,
          actions: <Actions subscription={subscription} />,
          details: <Facts subscription={subscription} />,
          tabs: tabs(subscription),
          dialog: <PanelDialog key={level} row={subscription} dialogs={subscriptionDialogs(appName)} />,
        }
      }}
    />
  )
}

function Actions({ subscription }: { subscription: Subscription }) {
  const { setAction } = usePanel()
  const actions = subscriptionActions(subscription, setAction)
  return (
    <PanelMenu entries={actions} buttons={actions.length} group={t`Subscriptions`} editLabel={t`Edit subscription`} />
  )
}

function Facts({ subscription: { level, userCount, active } }: { subscription: Subscription }) {
  const users = plural(userCount, { one: '# user', other: '# users' })
  return (
    <PanelFacts>
      <CopiedFact name={t`Level`} value={String(level)} copyLabel={t`Copy level`}>
        <MachineText value={String(level)} shape="plain" />
      </CopiedFact>
      <PanelFact name={t`Users`}>
        {userCount === 0 ? users : <NumberLink {...usersOfLevel(level)}>{users}</NumberLink>}
        {!active && (
          <span className="basis-full text-text-2">
            {t`Programs of its users are rejected until you activate it again. Their time keeps running.`}
          </span>
        )}
      </PanelFact>
      <PanelFact name={t`Licenses`}>
        <Licenses level={level} />
      </PanelFact>
    </PanelFacts>
  )
}

/** Their number when it is known; the list without it. */
function Licenses({ level }: { level: number }) {
  const locale = useStore(localeStore)
  const { data } = useQuery(licenseCountQuery([level]))
  const { total, isMore } = data ?? { total: 0, isMore: true }
  if (data && total === 0) return plural(total, { one: '# license', other: '# licenses' })
  const least = total.toLocaleString(locale)
  const more = data ? t`${least}+ licenses` : t`Show licenses`
  return (
    <NumberLink {...licensesOfLevel(level)}>
      {isMore ? more : plural(total, { one: '# license', other: '# licenses' })}
    </NumberLink>
  )
}
