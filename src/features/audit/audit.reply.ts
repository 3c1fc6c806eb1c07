import type { NamedAuditRow } from './audit.reads.ts'

interface Reader {
  /** Who reads it. */
  accountId: string
  /** What others did to the reader's account shows only what concerns it. */
  isOwn: boolean
}

/** A row as the wire has it. An owner learns that an administrator acted, not who and from where. */
export function auditReply(row: NamedAuditRow, { accountId, isOwn }: Reader) {
  const isYou = row.actor_id === accountId
  const isHidden = isOwn && row.actor_type === 'admin' && !isYou
  return {
    id: Number(row.id),
    timestamp: Number(row.at),
    act: row.act,
    actor: {
      // At home an administrator is an owner like others.
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
