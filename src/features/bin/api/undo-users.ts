import { undoUserActions } from '#features/users/users-undo.actions.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { binContract } from '../bin.contract.ts'
import { licensedByNow } from '../licensed-subscriptions.ts'

/** Here, because what comes back is compared with its licenses, as what comes out of the bin is. */
export const undoUsers = endpoint(
  binContract.undoUsers,
  undoHandler((context) => undoUserActions(context, licensedByNow(context)), 'USERS_UNDO_OK'),
)
