import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '#web/paths.ts'
import { appsQuery } from '#web/session.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { appNameProblem, descriptionProblem, maxDescriptionLength } from '../apps.rules.ts'
import { FirstAppSteps } from './first-app-steps.tsx'
import { type NewAppForm, useCreateApp } from './use-create-app.ts'

/** Create application (part 2 §2). The first one shows what comes after it. */
export function CreateAppPage() {
  const { data: apps = [] } = useQuery(appsQuery)
  const [isFirst] = useState(apps.length === 0)
  const navigate = useNavigate()
  const [form, setForm] = useState<NewAppForm>({ appName: '', description: '' })
  const [submitted, setSubmitted] = useState(false)
  const create = useCreateApp()
  const problemText = useProblemText()
  const busy = create.isPending
  const nameProblem = appNameProblem(form.appName)
  const tooLong = descriptionProblem(form.description)

  const submit = () => {
    setSubmitted(true)
    if (busy) return
    if (!nameProblem && !tooLong) create.mutate(form)
    else document.querySelector<HTMLElement>(`form [name="${nameProblem ? 'appName' : 'description'}"]`)?.focus()
  }
  const used = form.description.length
  return (
    <>
      <PageHeader
        title={t`Create New App`}
        description={t`An app is one program that you protect, with its own licenses, users and keys.`}
      />
      <div
        className={`grid items-start gap-5 ${isFirst ? 'lg:grid-cols-[minmax(0,560px)_minmax(0,420px)]' : 'max-w-[560px]'}`}
      >
        <Card>
          <form
            noValidate
            className="flex flex-col gap-4 p-4 md:p-[18px]"
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <TextField
              label={t`App Name`}
              name="appName"
              required
              autoFocus
              autoComplete="off"
              help={t`3 to 50 letters, digits, spaces, hyphens and underscores`}
              value={form.appName}
              error={submitted ? problemText(nameProblem) : undefined}
              onChange={(event) => setForm({ ...form, appName: event.target.value })}
            />
            <TextArea
              label={t`Description`}
              name="description"
              help={t`Optional, only you see it. ${used} of ${maxDescriptionLength} characters`}
              value={form.description}
              error={problemText(tooLong)}
              onChange={(event) => setForm({ ...form, description: event.target.value })}
            />
            <div className="flex flex-wrap justify-end gap-2.5">
              <Button
                disabledReason={isFirst ? t`Nothing can be done without an app` : undefined}
                disabled={busy}
                onClick={() => void navigate({ to: paths.manageApps() })}
              >
                {t`Cancel`}
              </Button>
              <Button type="submit" variant="primary" busy={busy}>
                {t`Create`}
              </Button>
            </div>
          </form>
        </Card>
        {isFirst && <FirstAppSteps named={nameProblem === undefined} creating={busy} />}
      </div>
    </>
  )
}
