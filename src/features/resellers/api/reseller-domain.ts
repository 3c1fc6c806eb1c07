import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { deleteDomain, findDomainRecords, saveDomain, verifyDomain } from '../reseller-domains.actions.ts'
import { resellerDomainsContract as contract } from '../reseller-domains.contract.ts'
import { getReseller } from '../resellers.actions.ts'
import { findDomain, type ResellerDomain } from '../resellers.reads.ts'
import { domainReply } from '../resellers.reply.ts'
import { defaultPrimaryColor, defaultSecondaryColor } from '../resellers.rules.ts'

export const domainCalls: readonly Endpoint[] = [
  endpoint(contract.getDomain, {
    read: async ({ services: { db, config }, actor, params }) => {
      await getReseller(db.read, actor.id, params.id)
      const domain = await findDomain(db.read, params.id)
      return { domain: domain ? domainReply(domain, config.publicUrl) : null }
    },
  }),
  endpoint(contract.saveDomain, {
    write: async (tx, context) => {
      const { params, body, services } = context
      await saveDomain(tx, context, params.id, {
        domain: body.domain,
        companyName: body.companyName ?? '',
        logoUrl: body.logoUrl ?? '',
        primaryColor: body.primaryColor ?? defaultPrimaryColor,
        secondaryColor: body.secondaryColor ?? defaultSecondaryColor,
        before: body.before,
      })
      const saved = (await findDomain(tx.db, params.id)) as ResellerDomain
      return { code: 'DOMAIN_SAVE_OK', domain: domainReply(saved, services.config.publicUrl) }
    },
  }),
  /** The DNS lookup runs before the transaction; its result is evaluated inside it. */
  endpoint(contract.checkDomain, {
    prepare: ({ services, actor, params }) => findDomainRecords(services, actor.id, params.id),
    write: async (tx, context, records) => {
      const proved = await verifyDomain(tx, context, context.params.id, records)
      return { code: 'DOMAIN_PROVED_OK', domain: domainReply(proved, context.services.config.publicUrl) }
    },
  }),
  endpoint(contract.deleteDomain, {
    write: async (tx, context) => {
      await deleteDomain(tx, context, context.params.id)
      return { code: 'DOMAIN_DELETE_OK' }
    },
  }),
]
