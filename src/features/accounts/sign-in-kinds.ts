import type { Static } from 'typebox'
import type { Reader, Tx } from '#database/database.ts'
import type { UserActor, AccountActor, ResellerActor } from '#server/audit/actors.ts'
import type { Person, SignInTables } from '#server/auth/sign-in-tables.ts'
import type { SessionCookie, SessionCookies } from '#server/http/endpoint.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import type { Services } from '#server/services.ts'
import type { AccountReply } from './accounts.contract.ts'

/**
 * Owners and administrators use the same sign-in form and rules as resellers, but other tables. A kind defines the
 * tables and all other differences.
 */
export interface SignInKind<P extends Person = Person> {
  /** Prefix of its audit events. */
  readonly name: 'account' | 'reseller'
  readonly tables: SignInTables
  find(db: Reader, id: string): Promise<P | undefined>
  /** Finds an account by username or email address. */
  findByLogin(db: Reader, login: string): Promise<P | undefined>
  findByEmail(db: Reader, email: string): Promise<P | undefined>
  /** The same row, locked until the transaction ends. */
  lock(tx: Tx, id: string): Promise<P | undefined>
  /** Whether the account may not act. */
  isBanned(db: Reader, person: P): Promise<boolean>
  /** Whether it may sign in during maintenance. */
  worksDuringMaintenance(person: P): boolean
  /** The owner whose audit log shows the events of the account. */
  ownerIdOf(person: P): string
  /** The actor of calls that start or end their own session. */
  actorOf(person: P): UserActor | AccountActor | ResellerActor
  cookie(cookies: SessionCookies): SessionCookie
  reply(person: P): { user: Static<typeof AccountReply>; userType: 'owner' | 'reseller' }
  timeZoneOf(person: P): string | null
  /** Brand of emails to the account; undefined for the platform. */
  mailBrand(db: Reader, id: string, now: number): Promise<MailPlatform | undefined>
  /** Path of the page with the account's sessions. */
  profilePage: 'profile' | 'reseller/profile'
}

const registered = new WeakMap<Services, SignInKind[]>()

/** Called once at start by the feature of these accounts. */
export function addSignInKind(services: Services, kind: SignInKind): void {
  registered.set(services, [...signInKinds(services), kind])
}

export const signInKinds = (services: Services): readonly SignInKind[] => registered.get(services) ?? []

export const signInKindNamed = (services: Services, name: string): SignInKind | undefined =>
  signInKinds(services).find((kind) => kind.name === name)

/** The account with this name or address, of any kind. */
export async function findByLogin(
  services: Services,
  db: Reader,
  login: string,
): Promise<{ kind: SignInKind; person: Person } | undefined> {
  for (const kind of signInKinds(services)) {
    const person = await kind.findByLogin(db, login)
    if (person) return { kind, person }
  }
  return undefined
}
