import type { Reader } from '#database/database.ts'
import { describeUser, type DescribedUser } from '#features/users/users.reply.ts'
import type { User } from '#features/users/users.reads.ts'
import type { SellerKeyActor } from '#server/audit/actors.ts'
import { hasScope } from './required-scope.ts'

/** Variables have a scope of their own: without it, replies hold none. */
export const withReadableVariables = (actor: SellerKeyActor, users: readonly DescribedUser[]): DescribedUser[] =>
  hasScope(actor, 'variables:read') ? [...users] : users.map((user) => ({ ...user, variables: {} }))

/** A user as the key of the call may see it. */
export async function sellerUserReply(
  { actor, now }: { actor: SellerKeyActor; now: number },
  db: Reader,
  user: User,
): Promise<DescribedUser> {
  const [reply] = withReadableVariables(actor, [await describeUser(db, user, now)])
  return reply as DescribedUser
}
