import { t } from '@lingui/core/macro'
import { displayNameProblem, emailProblem } from '#features/accounts/accounts.rules.ts'
import { FormError } from '#features/accounts/web/form-error.tsx'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { formDraft } from '#web/form/form-drafts.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { submitting } from '#web/form/submitting.ts'
import { type Account, sessionQuery } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { copyText } from '#web/ui/copy-button.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** The owner's data; the username and the owner ID cannot be changed. */
export function ProfileForm({ account }: { account: Account }) {
  const form = useSaveForm({
    start: { email: account.email, displayName: account.displayName },
    isNew: false,
    draft: formDraft('profile', account.ownerid),
    toBody: ({ email, displayName }) => ({ email: email.trim(), displayName: displayName.trim() }),
    problems: ({ email, displayName }) => ({
      email: emailProblem(email),
      displayName: displayNameProblem(displayName),
    }),
    send: ({ changes, before }) => call('POST /profile/update', { body: { ...changes, before } }),
    failure: t`Failed to update profile`,
    onSaved: (reply) => {
      queryClient.setQueryData(sessionQuery.queryKey, reply.user)
      notify.success(successText(reply))
    },
  })
  const { formRef, busy, error, isDirty, onSubmit } = form.dialog
  const copyId = async () => {
    if (await copyText(account.ownerid)) notify.success(t`Owner ID copied to clipboard!`)
  }
  return (
    <Card>
      <form ref={formRef} noValidate aria-label={t`Profile`} onSubmit={submitting(onSubmit)}>
        <Section title={t`Profile`}>
          <TextField
            layout="row"
            label={t`Username`}
            readOnly
            value={account.username}
            help={t`It cannot be changed.`}
          />
          <TextField
            layout="row"
            label={t`Owner ID`}
            readOnly
            mono
            value={account.ownerid}
            help={t`Identifies your account to your programs.`}
            suffix={<Button size="sm" onClick={() => void copyId()}>{t`Copy`}</Button>}
          />
          <TextField layout="row" label={t`Email`} type="email" autoComplete="email" {...form.field('email')} />
          <TextField layout="row" label={t`Display name`} autoComplete="name" {...form.field('displayName')} />
          <FormError message={error} />
          <div className="flex flex-wrap justify-end gap-3">
            <ButtonWithReason
              type="submit"
              variant="primary"
              busy={busy}
              disabledReason={isDirty ? undefined : t`Nothing has changed`}
            >
              {t`Save Changes`}
            </ButtonWithReason>
          </div>
        </Section>
      </form>
    </Card>
  )
}
