import { endpoint } from '#server/http/endpoint.ts'
import { importRetentionSeconds } from '../imports.actions.ts'
import { importsContract } from '../imports.contract.ts'
import { listImports as findImports } from '../imports.reads.ts'
import { importReply } from '../imports.reply.ts'

export const listImports = endpoint(importsContract.listImports, {
  read: async ({ services: { db }, app, now }) => ({
    imports: (await findImports(db.read, app.id, now - importRetentionSeconds)).map(importReply),
  }),
})
