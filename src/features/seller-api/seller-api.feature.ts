import type { Feature } from '#server/http/endpoint.ts'
import { banUser, pauseUser, resetUserHwid, unbanUser, unpauseUser } from './api/act-on-user.ts'
import { addTimeLicense } from './api/add-time-license.ts'
import { banLicense, unbanLicense } from './api/ban-license.ts'
import { addUserSubscription, extendUser, subtractUser } from './api/change-user-time.ts'
import { createLicenses } from './api/create-licenses.ts'
import { createUser } from './api/create-user.ts'
import { deleteLicense } from './api/delete-license.ts'
import { deleteUser } from './api/delete-user.ts'
import { editLicense } from './api/edit-license.ts'
import { editUser } from './api/edit-user.ts'
import {
  createSubscription,
  deleteSubscription,
  editSubscription,
  listSubscriptions,
} from './api/manage-subscriptions.ts'
import { getLicense, listLicenses } from './api/read-licenses.ts'
import { readUser, listUsers } from './api/read-users.ts'
import { stats } from './api/stats.ts'
import { deleteVariable, readVariable, readVariables, setVariable } from './api/user-variables.ts'
import { sellerLicensesContract } from './seller-licenses.contract.ts'
import { sellerStatsContract, sellerSubscriptionsContract } from './seller-subscriptions.contract.ts'
import { sellerUsersContract } from './seller-users.contract.ts'
import { sellerVariablesContract } from './seller-variables.contract.ts'

/** What shops and bots call with a seller key (docs/seller-api.md). */
export const sellerApi: Feature = {
  name: 'seller-api',
  contract: {
    ...sellerLicensesContract,
    ...sellerUsersContract,
    ...sellerSubscriptionsContract,
    ...sellerVariablesContract,
    ...sellerStatsContract,
  },
  endpoints: [
    createLicenses,
    listLicenses,
    getLicense,
    editLicense,
    banLicense,
    unbanLicense,
    addTimeLicense,
    deleteLicense,
    createUser,
    listUsers,
    readUser,
    editUser,
    banUser,
    unbanUser,
    pauseUser,
    unpauseUser,
    resetUserHwid,
    addUserSubscription,
    extendUser,
    subtractUser,
    deleteUser,
    listSubscriptions,
    createSubscription,
    editSubscription,
    deleteSubscription,
    readVariables,
    readVariable,
    setVariable,
    deleteVariable,
    stats,
  ],
}
