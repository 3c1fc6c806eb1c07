import type { FastifyRequest } from 'fastify'
import type { PlanFeature } from '#contract/plan-features.ts'
import type { AccountActor, Actor, AppScope, ResellerActor, SellerKeyActor } from '../audit/actors.ts'
import type { Services } from '../services.ts'

/** Authenticates callers. Implemented by features; the kit only calls it. */
export interface Identities {
  /** The session of the cookie; null if there is none or it has ended. */
  account(services: Services, request: FastifyRequest, token: string): Promise<AccountActor | null>
  /**
   * The caller's own app by ID or name, or else the selected app; null if it is missing or belongs to somebody else.
   */
  app(services: Services, actor: Actor, wanted: { id?: string; name?: string }): Promise<AppScope | null>
  /** Whether the owner's plan includes a feature. `now` in epoch seconds. */
  planFeature?(services: Services, ownerId: string, feature: PlanFeature, now: number): Promise<boolean>
  reseller?(services: Services, request: FastifyRequest, token: string): Promise<ResellerActor | null>
  /** An app assigned to the reseller, by ID or name; null if it is not assigned or missing. */
  resellerApp?(services: Services, actor: Actor, wanted: { id?: string; name?: string }): Promise<AppScope | null>
  sellerKey?(services: Services, request: FastifyRequest, key: string): Promise<SellerKeyActor | null>
  /** Reports a key that was sent where logs keep it. */
  exposedSellerKey?(services: Services, request: FastifyRequest, key: string): Promise<void>
}
