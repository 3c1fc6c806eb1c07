import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { exportedUsers } from '../exported-users.ts'
import { withMachine } from '../machines.ts'
import { usersContract } from '../users.contract.ts'
import { findUsersByName, listAfter } from '../users.reads.ts'

const rowsPerRead = 1000

export const exportUsers = endpoint(usersContract.exportUsers, {
  read: async ({ services, app, query, now }) => {
    const { db } = services
    const { format = 'csv', download, columns: chosen, appName: _name, appId: _id, ...given } = query
    const filter = await withMachine(services, app, given)
    const choice = { appId: app.id, filter, now }
    const all = new BatchedScan({}, rowsPerRead, (afterId, limit) => listAfter(db, { ...choice, afterId, limit }))
    const batches = exportedUsers(db, all.batches(), { format, chosen, appId: app.id, now })
    return fileReply({ of: 'users', appName: app.name, format, now, download, batches })
  },
})

export const exportSelectedUsers = endpoint(usersContract.exportSelectedUsers, {
  read: async ({ services: { db }, app, body, now }) => {
    const { format = 'csv', columns: chosen, usernames } = body
    const rows = await findUsersByName(db.read, app.id, usernames)
    const batches = exportedUsers(db, [rows], { format, chosen, appId: app.id, now })
    return fileReply({ of: 'users', appName: app.name, format, now, download: false, batches })
  },
})
