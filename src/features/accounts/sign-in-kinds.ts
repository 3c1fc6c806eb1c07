import type { Static } from 'typebox'
import type { Reader, Tx } from '#database/database.ts'
import type { UserActor, AccountActor, ResellerActor } from '#server/http/actors.ts'
import type { Person, SignInTables } from '#server/auth/sign-in-tables.ts'
import type { SessionCookie, SessionCookies } from '#server/http/endpoint.ts'
import type { MailPlatform } from '#server/mail/mail-text.ts'
import type { Services } from '#server/services.ts'
import type { AccountReply } from './accounts.contract.ts'

/**
 * Owners and administrators sign in by the same form as resellers, under the same rules, and their rows stand in other
 * tables. A kind says where, and what else tells it from the other.
 */
export interface SignInKind<P extends Person = Person> {
  /** Its audit acts begin with it. */
  readonly name: 'account' | 'reseller'
  readonly tables: SignInTables
  find(db: Reader, id: string): Promise<P | undefined>
  /** By username or address. */
  findByLogin(db: Reader, login: string): Promise<P | undefined>
  findByEmail(db: Reader, email: string): Promise<P | undefined>
  /** The same row, locked until the transaction ends. */
  lock(tx: Tx, id: string): Promise<P | undefined>
  /** Whether nothing may happen in the person's name (R-AUTH-14). */
  isBanned(db: Reader, person: P): Promise<boolean>
  /** Administrators come in then. */
  worksDuringMaintenance(person: P): boolean
  /** Whose audit shows what happens to the person. */
  ownerIdOf(person: P): string
  /** Who acts, where a call makes the session that it needs, or ends it. */
  actorOf(person: P): UserActor | AccountActor | ResellerActor
  cookie(cookies: SessionCookies): SessionCookie
  reply(person: P): { user: Static<typeof AccountReply>; userType: 'owner' | 'reseller' }
  timeZoneOf(person: P): string | null
  /** Whose name and address mails to the person carry; undefined is the platform. */
  mailBrand(db: Reader, id: string, now: number): Promise<MailPlatform | undefined>
  /** Where the person sees the own sessions. */
  profilePage: 'profile' | 'reseller/profile'
}

const registered = new WeakMap<Services, SignInKind[]>()

/** Called once by the feature that has these people, at its start. */
export function addSignInKind(services: Services, kind: SignInKind): void {
  registered.set(services, [...signInKinds(services), kind])
}

export const signInKinds = (services: Services): readonly SignInKind[] => registered.get(services) ?? []

export const signInKindNamed = (services: Services, name: string): SignInKind | undefined =>
  signInKinds(services).find((kind) => kind.name === name)

/** Who has this name or address, of any kind: each stands for one person. */
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
