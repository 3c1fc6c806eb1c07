import { randomUUID } from 'node:crypto'
import { mailServerKey } from '#contract/mail-server.ts'
import type { Tx } from '#database/database.ts'
import { findAccount, listAdmins } from '#features/accounts/accounts.reads.ts'
import { type AccountContext, recordAudit, systemContext } from '#server/audit/audit.ts'
import { enqueueJobs, type Job, type JobHandler } from '#server/jobs/jobs.ts'
import { canSendMail, type NewMail, sendMail } from '#server/mail/mail.ts'
import type { MailSettings } from '#server/mail/mail-connection.ts'
import { mailTime } from '#server/mail/mail-texts.ts'
import { epochSeconds, type Services } from '#server/services.ts'

/**
 * Notifies administrators of a changed mail server through the previous one, because the new one may belong to somebody
 * who wants to intercept reset links.
 */

const kind = 'mail-server-notice'
/** A sealed notification contains the settings used to send it. */
const place = `jobs|payload|${kind}`
/** Retries for about ten minutes; the previous server may be gone, which may be the reason for the change. */
const maxAttempts = 8

interface Notice {
  mail: NewMail<'mail-server-changed'> & { id: string }
  via: MailSettings
  accountId: string
}

interface Change {
  before: MailSettings
  after: MailSettings
}

/** The settings that decide where and as whom emails are sent, and whether at all. */
const identityOf = (email: MailSettings): string =>
  JSON.stringify([canSendMail(email), mailServerKey(email), email.smtpUser, email.senderEmail.trim().toLowerCase()])

export async function queueMailServerNotices(
  tx: Tx,
  context: AccountContext & { services: Pick<Services, 'masterKey'> },
  { before, after }: Change,
): Promise<void> {
  const via = canSendMail(before) ? before : after
  if (identityOf(before) === identityOf(after) || !canSendMail(via)) return
  const { actor, caller, now, services } = context
  const by = await findAccount(tx.db, actor.id)
  const host = canSendMail(after) ? hostText(after) : ''
  const notices = (await listAdmins(tx.db)).map(({ id, email: to, language, time_zone: timeZone }): Notice => {
    const values = { username: by?.username ?? '', time: mailTime(now, { timeZone, language }), ip: caller.ip, host }
    return { accountId: id, via, mail: { id: randomUUID(), to, language, code: 'mail-server-changed', values } }
  })
  const jobs = notices.map((notice) => ({
    kind,
    lane: kind,
    payload: { sealed: services.masterKey.seal(JSON.stringify(notice), place) },
    dueAt: now,
  }))
  await enqueueJobs(tx, jobs, now)
}

/** Replaces characters that cannot be part of a host name, so that the host cannot add misleading text to the email. */
const hostText = ({ smtpHost, smtpPort }: MailSettings): string =>
  `${smtpHost.trim().replaceAll(/[^\p{L}\p{N}.:_-]/gu, '?')}:${smtpPort}`

async function sendNotice(services: Services, job: Job<{ sealed: string }>): Promise<void> {
  const notice = JSON.parse(services.masterKey.open(job.payload.sealed, place).toString()) as Notice
  const failure = await sendMail(services, notice.mail, notice.via)
  if (!failure) return
  const { problem, isFinal, answer } = failure
  services.log.warn({ problem: problem.code, answer }, 'could not notify administrators of a changed mail server')
  if (!isFinal && job.attempt < maxAttempts) throw new Error(problem.code)
  await services.db.write(async (tx) => {
    const recipient = await findAccount(tx.db, notice.accountId)
    await recordAudit(tx, systemContext(epochSeconds(services)), {
      act: 'settings.notice-failed',
      target: recipient?.username ?? notice.accountId,
      details: { problem: problem.code, smtpHost: notice.via.smtpHost },
      ownerId: notice.accountId,
    })
    await job.finish(tx)
  })
}

export const mailServerNoticeJobs: Readonly<Record<string, JobHandler>> = {
  [kind]: { concurrency: 1, leaseSeconds: 300, maxAttempts, run: sendNotice as JobHandler['run'] },
}
