import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClockPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#web/navigation/paths.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { EditAndBan, PanelRecord } from '#web/panel/panel-record.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { endingSubscriptions, ExtendUserDialog } from './extend-user-dialog.tsx'
import { useDraftsOfExisting } from './user-drafts.ts'
import { Subscriptions } from './user-subscriptions.tsx'
import { Variables } from './user-variables.tsx'
import { CurrentStatus, LastLogin } from './users-columns.tsx'
import { type User, userQuery } from './users-data.ts'
import { OneUserDialog, UserForm } from './users-form.tsx'
import { userMenu } from './users-menus.tsx'

interface UserPanelProps {
  username: string
  /** Tabs of other features; the user is given to be told of changes. */
  tabs: (user: User) => readonly Tab[]
  /** Where the time of a subscription comes from. */
  timeSources: (user: User, level: number) => ReactNode
}

/** All about a user: facts, subscriptions, variables, actions, and the tabs of other features. */
export function UserPanel({ username, tabs, timeSources }: UserPanelProps) {
  useDraftsOfExisting()
  return (
    <PanelRecord
      query={useQuery(userQuery(username))}
      record={({ user }) => user}
      kind={t`User`}
      name={username}
      failure={t`Failed to load the user`}
      parts={(user) => ({
        name: <CopiedName name={user.username} copyLabel={t`Copy username`} />,
        badge: <CurrentStatus row={user} />,
        actions: <Actions user={user} />,
        details: (
          <>
            <Facts user={user} />
            <div className="mt-6">
              <UserDetails key={user.username} user={user} timeSources={timeSources} />
            </div>
            <ListLink username={user.username} />
          </>
        ),
        tabs: tabs(user),
        dialog: <Dialogs key={user.username} user={user} />,
      })}
    />
  )
}

function ListLink({ username }: { username: string }) {
  const selectedUser = { selectedUser: username }
  return (
    <Link
      to={paths.users()}
      state={(state) => ({ ...state, ...selectedUser })}
      className="mt-6 inline-block rounded-sm text-ui text-text-2 underline underline-offset-2"
    >
      {t`Show in Users`}
    </Link>
  )
}

function Actions({ user }: { user: User }) {
  const { setAction } = usePanel()
  // The two that have a button of their own come first in the row's menu.
  const rest = (): MenuEntry[] => [
    {
      label: t`Extend`,
      icon: <ClockPlus />,
      disabledReason: endingSubscriptions(user).length === 0 ? t`No subscription that ends` : undefined,
      onSelect: () => setAction('extend'),
    },
    ...userMenu(user, setAction).slice(2),
  ]
  const labels = { group: t`Users`, editLabel: t`Edit user`, banLabel: t`Ban or unban user` }
  return (
    <>
      <EditAndBan banned={user.banned} {...labels} />
      <MoreActions entries={rest} />
    </>
  )
}

const actions = ['ban', 'pause', 'reset-hwid', 'delete'] as const

function Dialogs({ user }: { user: User }) {
  const { action: name, setAction, closeDeleted } = usePanel()
  const onClose = () => setAction(undefined)
  if (name === 'edit') return <UserForm user={user} onClose={onClose} />
  if (name === 'extend' && endingSubscriptions(user).length > 0)
    return <ExtendUserDialog user={user} onClose={onClose} />
  const action = actions.find((known) => known === name)
  return action && <OneUserDialog key={action} action={action} user={user} onDeleted={closeDeleted} onClose={onClose} />
}

function Facts({ user: { email, hwid, ip, creationDate, lastLoginDate } }: { user: User }) {
  return (
    <PanelFacts>
      <CopiedFact name={t`Email`} value={email} copyLabel={t`Copy email address`}>
        <span translate="no">{email}</span>
      </CopiedFact>
      <CopiedFact
        name={t`HWID`}
        value={hwid}
        copyLabel={t`Copy HWID`}
        none={<span className="text-text-2">{t`Not set`}</span>}
      >
        <PanelLink kind="device" id={hwid} />
      </CopiedFact>
      <CopiedFact name={t`IP`} value={ip} copyLabel={t`Copy IP address`}>
        <PanelLink kind="address" id={ip} />
      </CopiedFact>
      <PanelFact name={t`Created`}>
        <TimeAgo at={creationDate} />
      </PanelFact>
      <PanelFact name={t`Last login`}>
        <LastLogin at={lastLoginDate} />
      </PanelFact>
    </PanelFacts>
  )
}

interface UserDetailsProps {
  user: User
  timeSources: (user: User, level: number) => ReactNode
}

/** Subscriptions and variables, beside each other where there is room. */
function UserDetails({ user, timeSources }: UserDetailsProps) {
  return (
    <div className="@container">
      <div className="grid gap-6 @3xl:grid-cols-2">
        <section aria-label={t`Subscriptions of ${user.username}`} className="min-w-0">
          <h2 className="mb-2 text-ui font-semibold">{t`Subscriptions`}</h2>
          <Subscriptions user={user} timeSources={timeSources} />
        </section>
        <section aria-label={t`Variables of ${user.username}`} className="min-w-0">
          <h2 className="mb-2 text-ui font-semibold">{t`Variables`}</h2>
          <Variables user={user} />
        </section>
      </div>
    </div>
  )
}
