import type { FastifyRequest } from 'fastify'
import type { CallAccess } from '#contract/define-call.ts'
import type { PlanFeature } from '#contract/plan-features.ts'
import type { Services } from '../services.ts'

/** A signed-in owner or admin. */
export interface AccountActor {
  type: 'owner' | 'admin'
  id: string
  username: string
  sessionHash: string
  /** When the password was last confirmed in this session, in epoch seconds. */
  provedAt: number
  selectedAppId: string | null
}

export interface ResellerActor {
  type: 'reseller'
  id: string
  ownerId: string
  username: string
  sessionHash: string
  /** When the password was last confirmed in this session, in epoch seconds. */
  provedAt: number
}

export interface SellerKeyActor {
  type: 'seller-key'
  id: string
  name: string
  ownerId: string
  appId: string
  /** Its scopes; an empty list grants full access. */
  scopes: string[]
}

/** A customer signed in to an owner's program; acts only through its calls. */
export interface UserActor {
  type: 'user'
  id: string
  ownerId: string
}

export interface Anyone {
  type: 'anyone'
}

/** Actions of the server itself, without a caller. */
export interface SystemActor {
  type: 'system'
}

export type Actor = AccountActor | ResellerActor | SellerKeyActor | Anyone

export type ActorOf<W extends CallAccess> = W extends 'account' | 'admin'
  ? AccountActor
  : W extends 'reseller'
    ? ResellerActor
    : W extends 'seller-key'
      ? SellerKeyActor
      : Anyone

/** The app a call acts on, already verified to belong to the caller. */
export interface AppScope {
  id: string
  ownerId: string
  name: string
}

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
  /** An app assigned to the reseller, by ID or name; null if it is not assigned or missing (R-TEN-06). */
  resellerApp?(services: Services, actor: Actor, wanted: { id?: string; name?: string }): Promise<AppScope | null>
  sellerKey?(services: Services, request: FastifyRequest, key: string): Promise<SellerKeyActor | null>
  /** Reports a key that was sent where logs keep it. */
  exposedSellerKey?(services: Services, request: FastifyRequest, key: string): Promise<void>
}
