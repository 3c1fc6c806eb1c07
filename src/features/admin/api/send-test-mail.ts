import { mailServerErrors } from '#contract/common-errors.ts'
import { rejectProblem } from '#contract/errors.ts'
import { getAccount } from '#features/accounts/accounts.actions.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { requireMail, sendMail } from '#server/mail/mail.ts'
import { adminSettingsContract } from '../admin-settings.contract.ts'

export const sendTestMail = endpoint(adminSettingsContract.sendTestMail, {
  prepare: async ({ services, actor }) => {
    requireMail(services)
    const { email, language } = await getAccount(services.db.read, actor.id)
    const failure = await sendMail(services, { to: email, language, code: 'test', values: {} })
    if (failure)
      services.log.warn({ problem: failure.problem.code, answer: failure.answer }, 'could not send the test email')
    rejectProblem(mailServerErrors, failure?.problem)
    return email
  },
  write: async (tx, context, email) => {
    await recordAudit(tx, context, { act: 'settings.test-mail', target: 'email' })
    return { code: 'MAIL_TEST_OK', values: { email } }
  },
})
