import type { Feature } from '#server/http/endpoint.ts'
import { deleteAllUsers, deleteExpiredUsers, resetAllHwid, unbanAllUsers } from './api/act-on-all-users.ts'
import { addUserSubscription } from './api/add-user-subscription.ts'
import { bulkDeleteUsers } from './api/bulk-delete-users.ts'
import { bulkExtendUsers } from './api/bulk-extend-users.ts'
import { bulkResetHwid } from './api/bulk-reset-hwid.ts'
import { bulkSubtractUsers } from './api/bulk-subtract-users.ts'
import { bulkUsers } from './api/bulk-users.ts'
import { createUserVariable } from './api/create-user-variable.ts'
import { createUser } from './api/create-user.ts'
import { deleteUserVariable } from './api/delete-user-variable.ts'
import { deleteUser } from './api/delete-user.ts'
import { editUser } from './api/edit-user.ts'
import { exportSelectedUsers, exportUsers } from './api/export-users.ts'
import { listUserSubscriptions } from './api/list-user-subscriptions.ts'
import { listUserVariables } from './api/list-user-variables.ts'
import { listUsers } from './api/list-users.ts'
import { readUser } from './api/read-user.ts'
import { readUserFacets } from './api/read-user-facets.ts'
import { removeUserSubscription } from './api/remove-user-subscription.ts'
import { resetUserPassword } from './api/reset-user-password.ts'
import { resetUserHwid } from './api/reset-user-hwid.ts'
import { toggleBanUser } from './api/toggle-ban-user.ts'
import { togglePauseUser } from './api/toggle-pause-user.ts'
import { updateUserSubscription } from './api/update-user-subscription.ts'
import { updateUserVariable } from './api/update-user-variable.ts'
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
    listUsers,
    readUser,
    readUserFacets,
    createUser,
    editUser,
    deleteUser,
    resetUserHwid,
    toggleBanUser,
    togglePauseUser,
    exportUsers,
    exportSelectedUsers,
    bulkResetHwid,
    bulkDeleteUsers,
    bulkExtendUsers,
    bulkSubtractUsers,
    bulkUsers,
    deleteExpiredUsers,
    resetAllHwid,
    unbanAllUsers,
    deleteAllUsers,
    listUserSubscriptions,
    addUserSubscription,
    updateUserSubscription,
    removeUserSubscription,
    listUserVariables,
    createUserVariable,
    updateUserVariable,
    deleteUserVariable,
    resetUserPassword,
  ],
  jobs: { ...userPasswordResetJobs, 'blank-user-addresses': redactUserAddresses },
  searches: [usersSearch],
  appTables: ['users', 'user_counts'],
}
