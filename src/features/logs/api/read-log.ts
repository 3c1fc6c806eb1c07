import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { logsContract } from '../logs.contract.ts'
import { logsErrors } from '../logs.errors.ts'
import { listLogsById } from '../logs.reads.ts'
import { logReply } from '../logs.reply.ts'

export const readLog = endpoint(logsContract.readLog, {
  read: async ({ services, app, params }) => {
    // A text that is not a number matches no row.
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    const [log] = await listLogsById(services.db.read, app.id, [id])
    return { log: logReply(log ?? reject(logsErrors, 'LOG_NOT_FOUND')) }
  },
})
