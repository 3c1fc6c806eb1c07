import type { NamedAuditRow } from './audit.reads.ts'

interface Reader {
  /** The reader of the log. */
  accountId: string
  /** For actions of others on the reader's account, only the details that concern it. */
  isOwn: boolean
}

/** A row in the reply. Owners learn that an administrator acted, but not who and from where. */
export function auditReply(row: NamedAuditRow, { accountId, isOwn }: Reader) {
  const isYou = row.actor_id === accountId
  const isHidden = isOwn && row.actor_type === 'admin' && !isYou
  return {
    id: Number(row.id),
    timestamp: Number(row.at),
    act: row.act,
    actor: {
      // On their own account, administrators are ordinary owners.
      type: isYou && isOwn ? 'owner' : row.actor_type,
      id: isHidden ? '' : row.actor_id,
      name: isHidden ? '' : (row.account_name ?? row.reseller_name ?? row.key_name ?? ''),
      isYou,
    },
    owner: { id: row.owner_id, name: row.owner_name ?? '' },
    app: row.app_id === null ? null : { id: row.app_id, name: row.app_name ?? '' },
    target: row.target,
    hasTargets: Number(row.has_targets) === 1,
    details: JSON.parse(row.details) as Record<string, unknown>,
    ip: isHidden ? '' : row.ip,
    requestId: isHidden ? '' : row.request_id,
    place: row.seq === null ? null : Number(row.seq),
    hash: row.hash,
  }
}
