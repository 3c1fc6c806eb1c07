import type { CallAccess } from '#contract/define-call.ts'

/** A signed-in owner or admin. */
export interface AccountActor {
  type: 'owner' | 'admin'
  id: string
  username: string
  sessionHash: string
  /** When the password was last confirmed in this session, in epoch seconds. */
  verifiedAt: number
  selectedAppId: string | null
}

export interface ResellerActor {
  type: 'reseller'
  id: string
  ownerId: string
  username: string
  sessionHash: string
  /** When the password was last confirmed in this session, in epoch seconds. */
  verifiedAt: number
}

export interface SellerKeyActor {
  type: 'seller-key'
  id: string
  name: string
  ownerId: string
  appId: string
  /** Its scopes; an empty list grants full access. */
  scopes: string[]
  /** When the secret of this call stops working, in epoch seconds: it is the previous one of a rotated key. */
  secretExpiresAt: number | null
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
