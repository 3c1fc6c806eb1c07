import { t } from '@lingui/core/macro'
import type { User } from './user-list.ts'
import { UserSubscriptions } from './user-subscriptions.tsx'
import { UserVariables } from './user-variables.tsx'

/** What stands beneath an expanded row: subscriptions left, variables right (part 1 §2 /users). */
export function UserRowDetails({ user }: { user: User }) {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <section aria-label={t`Subscriptions of ${user.username}`} className="min-w-0">
        <h2 className="mb-2 text-ui font-semibold">{t`Subscriptions`}</h2>
        <UserSubscriptions user={user} />
      </section>
      <section aria-label={t`Variables of ${user.username}`} className="min-w-0">
        <h2 className="mb-2 text-ui font-semibold">{t`Variables`}</h2>
        <UserVariables user={user} />
      </section>
    </div>
  )
}
