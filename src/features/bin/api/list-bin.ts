import { levelNames } from '#features/levels/levels.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { binContract } from '../bin.contract.ts'
import { countBin, countKinds, listBin as listItems } from '../bin.reads.ts'
import { itemReply } from '../bin.reply.ts'

export const listBin = endpoint(binContract.listBin, {
  read: async ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, kind, search, sort } = query
    const filter = { appId: app.id, kind, search, now }
    const { total, isMore } = await countBin(db.reports, filter)
    const rows = await listItems(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
    const counts = await countKinds(db.reports, { appId: app.id, now })
    const names = await levelNames(db.reports, app.id)
    const items = rows.map((item) => itemReply(item, names))
    return { items, total, totalPages: Math.max(1, Math.ceil(total / limit)), isMore, counts }
  },
})
