import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Subscriptions } from './user-subscriptions.tsx'
import { Variables } from './user-variables.tsx'
import type { User } from './users-data.ts'

interface UserDetailsProps {
  user: User
  timeSources: (user: User, level: number) => ReactNode
}

/** Subscriptions and variables, beside each other where there is room. */
export function UserDetails({ user, timeSources }: UserDetailsProps) {
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
