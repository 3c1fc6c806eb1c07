import type { Reader, Tx } from '#database/database.ts'
import type { CallTypes } from '#contract/define-call.ts'
import type { AuditContext } from '#server/audit.ts'
import type { Services } from '#server/services.ts'
import type { accountsContract } from './accounts.contract.ts'
import type { ProofContext } from './identity-proof.actions.ts'

type SignedIn = Required<Pick<CallTypes<typeof accountsContract.login>['reply'], 'user' | 'userType'>>

export interface Person {
  id: string
  username: string
  email: string
  /** Of mails; null is English. */
  language: string | null
  /** Whose audit shows what happens to it. */
  ownerId: string
}

/** Those who use the same form without having an account: resellers. */
export interface OtherSignIn {
  /** Whether a name or an address is one of theirs, other than of `exceptId`. */
  isTaken(db: Reader, login: string, exceptId?: string): Promise<boolean>
  /** Looks at the password of one of theirs; what it gives signs in, in a transaction. */
  prove(
    context: ProofContext,
    form: { login: string; password: string },
  ): Promise<(tx: Tx, rememberMe: boolean) => Promise<SignedIn>>
  /** Who has this address; undefined also for somebody who may not sign in. */
  findByEmail(db: Reader, email: string): Promise<Person | undefined>
  findById(db: Reader, id: string): Promise<Person | undefined>
  /** The same, locked until the transaction ends. */
  lock(tx: Tx, id: string): Promise<Person | undefined>
  /** Of somebody who is locked: a new password, with its audit row; every session ends. */
  setPassword(tx: Tx, context: AuditContext, id: string, passwordHash: string): Promise<void>
  /** Ends their session, if the browser has one. */
  signOut(tx: Tx, context: ProofContext): Promise<boolean>
}

const registered = new WeakMap<Services, OtherSignIn>()

/** Called once, at the start of the feature that has them. */
export function addOtherSignIn(services: Services, other: OtherSignIn): void {
  registered.set(services, other)
}

export const otherSignIn = (services: Services): OtherSignIn | undefined => registered.get(services)
