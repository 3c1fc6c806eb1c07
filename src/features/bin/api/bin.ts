import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import { removeDeletedBytes } from '#features/downloads/removed-bytes.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { undoUserActions } from '#features/users/users-undo.actions.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { deleteForGood, emptyBin } from '../bin.actions.ts'
import { binContract as contract } from '../bin.contract.ts'
import { binErrors } from '../bin.errors.ts'
import { countBin, countKinds, listBin } from '../bin.reads.ts'
import { itemReply } from '../bin.reply.ts'
import { licensedByNow } from '../licensed-subscriptions.ts'

export const binCalls: readonly Endpoint[] = [
  endpoint(contract.listBin, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, kind, search, sort } = query
      const filter = { appId: app.id, kind, search, now }
      const { total, isMore } = await countBin(db.reports, filter)
      const rows = await listBin(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
      const counts = await countKinds(db.reports, { appId: app.id, now })
      const names = await levelNames(db.reports, app.id)
      const items = rows.map((item) => itemReply(item, names))
      return { items, total, totalPages: pageCount(total, limit), isMore, counts }
    },
  }),
  endpoint(contract.deleteBin, {
    writeInBatches: async (context) => {
      const { services, body } = context
      const { ids, all } = body
      if (all ? ids !== undefined : ids === undefined) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
      const deleted = ids
        ? await services.db.write((tx) => deleteForGood(tx, context, ids))
        : await emptyBin(services.db, context)
      removeDeletedBytes(services)
      return { code: 'BIN_DELETE_OK', values: { deleted }, deleted }
    },
  }),
  /** Here, because what comes back is compared with its licenses, as what comes out of the bin is. */
  endpoint(
    contract.undoUsers,
    undoHandler((context) => undoUserActions(context, licensedByNow(context)), 'USERS_UNDO_OK'),
  ),
]
