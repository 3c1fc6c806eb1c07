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
  /** When the password was last proved in this session, epoch seconds. */
  provedAt: number
  selectedAppId: string | null
}

export interface ResellerActor {
  type: 'reseller'
  id: string
  ownerId: string
  username: string
  sessionHash: string
  /** When the password was last proved in this session, epoch seconds. */
  provedAt: number
}

export interface SellerKeyActor {
  type: 'seller-key'
  id: string
  name: string
  ownerId: string
  appId: string
  /** What it may do; an empty list is everything. */
  scopes: string[]
}

/** A customer who is signed in to an owner's program: acts through its calls only. */
export interface UserActor {
  type: 'user'
  id: string
  ownerId: string
}

export interface Anyone {
  type: 'anyone'
}

/** What the server does by itself: no caller has it. */
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

/** The app a call acts on, already known to belong to the caller. */
export interface AppScope {
  id: string
  ownerId: string
  name: string
}

/** How callers prove who they are. Features provide these; the kit only asks. */
export interface Identities {
  /** The session behind the cookie, or null when there is none or it has ended. */
  account(services: Services, request: FastifyRequest, token: string): Promise<AccountActor | null>
  /** The caller's own app by id or name, or else the selected one; null when it is missing or somebody else's. */
  app(services: Services, actor: Actor, wanted: { id?: string; name?: string }): Promise<AppScope | null>
  /** Whether the owner's plan includes it. `now` in epoch seconds. */
  planFeature?(services: Services, ownerId: string, feature: PlanFeature, now: number): Promise<boolean>
  reseller?(services: Services, request: FastifyRequest, token: string): Promise<ResellerActor | null>
  /** An app that is assigned to the reseller, by id or name; null when it isn't, or is missing (R-TEN-06). */
  resellerApp?(services: Services, actor: Actor, wanted: { id?: string; name?: string }): Promise<AppScope | null>
  sellerKey?(services: Services, request: FastifyRequest, key: string): Promise<SellerKeyActor | null>
  /** Told of a key that stood where logs keep it. */
  exposedSellerKey?(services: Services, request: FastifyRequest, key: string): Promise<void>
}
