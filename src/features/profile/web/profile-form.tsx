import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { displayNameProblem, emailProblem } from '#features/accounts/accounts.rules.ts'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { queryClient } from '#web/query-client.ts'
import { type Account, sessionQuery } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { copyText } from '#web/ui/copy-button.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** The owner's own data; the username and the owner id never change (part 1 §5). */
export function ProfileForm({ account }: { account: Account }) {
  const [email, setEmail] = useState(account.email)
  const [displayName, setDisplayName] = useState(account.displayName)
  const [submitted, setSubmitted] = useState(false)
  const problems = { email: emailProblem(email), displayName: displayNameProblem(displayName) }
  const isChanged = email !== account.email || displayName !== account.displayName
  const save = useMutation({
    mutationFn: () => call('POST /profile/update', { body: { username: account.username, email, displayName } }),
    onSuccess: async ({ message }) => {
      notify.success(message ?? t`Profile updated successfully`)
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => notify.error(failureText(error, t`Failed to update profile`)),
  })
  const copyId = async () => {
    if (await copyText(account.ownerid)) notify.success(t`Owner ID copied to clipboard!`)
  }
  return (
    <Card>
      <form
        noValidate
        aria-label={t`Profile`}
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (!problems.email && !problems.displayName) save.mutate()
        }}
      >
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
            help={t`Your programs name you by it.`}
            suffix={<Button size="sm" onClick={() => void copyId()}>{t`Copy`}</Button>}
          />
          <TextField
            layout="row"
            label={t`Email`}
            type="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={submitted ? problems.email : undefined}
          />
          <TextField
            layout="row"
            label={t`Display name`}
            autoComplete="name"
            value={displayName}
            onChange={(event) => setDisplayName(event.target.value)}
            error={submitted ? problems.displayName : undefined}
          />
          <div className="flex justify-end">
            <Button
              type="submit"
              variant="primary"
              busy={save.isPending}
              disabled={!isChanged}
            >{t`Save Changes`}</Button>
          </div>
        </Section>
      </form>
    </Card>
  )
}
