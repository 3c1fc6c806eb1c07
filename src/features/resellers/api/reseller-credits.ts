import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { findOwnAppByName, listOwnApps } from '#features/apps/apps.reads.ts'
import { type CallContext, endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { getReseller, moveCredits } from '../resellers.actions.ts'
import { resellersContract as contract } from '../resellers.contract.ts'
import { resellersErrors } from '../resellers.errors.ts'
import { historyReply } from '../resellers.reply.ts'

export const creditCalls: readonly Endpoint[] = [
  endpoint(contract.addCredits, { write: (tx, context) => move(tx, context, 'add') }),
  endpoint(contract.setCredits, {
    write: (tx, context) => move(tx, context as unknown as CallContext<typeof contract.addCredits>, 'set'),
  }),
  endpoint(contract.creditHistory, {
    read: async ({ services: { db }, actor, params, query }) => {
      await getReseller(db.read, actor.id, params.id)
      const { appName, limit = 50, before } = query
      const named = appName === undefined ? undefined : await findOwnAppByName(db.read, actor.id, appName)
      if (appName !== undefined && !named) reject(resellersErrors, 'APP_NOT_FOUND')
      const apps = named ? [named] : await listOwnApps(db.read, actor.id)
      return historyReply(db.reports, { resellerId: params.id, apps, limit, before })
    },
  }),
]

async function move(tx: Tx, context: CallContext<typeof contract.addCredits>, action: 'add' | 'set') {
  const { appName, amount, subscriptionLevel: level } = context.body
  const credits = await moveCredits(tx, context, { action, id: context.params.id, appName, amount, level })
  return { code: 'CREDITS_OK', credits, totalCredits: credits } as const
}
