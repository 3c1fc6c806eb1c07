import { endpoint } from '#server/http/endpoint.ts'
import { startImport as startImportAction } from '../imports.actions.ts'
import { importsContract } from '../imports.contract.ts'
import { importReply } from '../imports.reply.ts'

export const startImport = endpoint(importsContract.startImport, {
  write: async (tx, context) => {
    const { kind, source, fileName, fingerprint, rows, levels, columns = {}, ...chosen } = context.body
    const { onConflict = 'skip', durationUnit = 'days', withHwids = false, withKeys = false } = chosen
    const settings = { onConflict, durationUnit, withHwids, withKeys, columns }
    const row = await startImportAction(tx, context, { kind, source, fileName, fingerprint, rows, levels, settings })
    return { import: importReply(row) }
  },
})
