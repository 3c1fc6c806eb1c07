import type { Feature } from '#server/http/endpoint.ts'
import { allUserCalls } from './api/act-on-all-users.ts'
import { userSubscriptionCalls } from './api/user-subscriptions.ts'
import { namedUserCalls } from './api/act-on-named-users.ts'
import { bulkUsers } from './api/bulk-users.ts'
import { userVariableCalls } from './api/user-variables.ts'
import { userCalls } from './api/users.ts'
import { exportSelectedUsers, exportUsers } from './api/export-users.ts'
import { resetUserPassword } from './api/reset-user-password.ts'
import { userPasswordResetJobs } from './user-password-reset.actions.ts'
import { userPasswordResetContract } from './user-password-reset.contract.ts'
import { userSubscriptionsContract } from './user-subscriptions.contract.ts'
import { userVariablesContract } from './user-variables.contract.ts'
import { usersBulkContract } from './users-bulk.contract.ts'
import { usersContract } from './users.contract.ts'
import { redactUserAddresses } from './users.jobs.ts'
import { usersSearch } from './users.reads.ts'

/** End users of an app. */
export const users: Feature = {
  name: 'users',
  contract: {
    ...usersContract,
    ...usersBulkContract,
    ...userSubscriptionsContract,
    ...userVariablesContract,
    ...userPasswordResetContract,
  },
  endpoints: [
    ...userCalls,
    exportUsers,
    exportSelectedUsers,
    ...namedUserCalls,
    bulkUsers,
    ...allUserCalls,
    ...userSubscriptionCalls,
    ...userVariableCalls,
    resetUserPassword,
  ],
  jobs: { ...userPasswordResetJobs, 'blank-user-addresses': redactUserAddresses },
  searches: [usersSearch],
  appTables: ['users', 'user_counts'],
}
